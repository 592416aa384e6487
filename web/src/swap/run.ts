import { type PriceRequest, soldIn } from "../api.ts";
import { type WalletFault, walletFault } from "../wallet/provider.ts";
import type { Session } from "../wallet/session.ts";
import { sendBatch, takesBatches } from "./batch.ts";
import type { Way } from "./pay.ts";
import { type Call, fetchApproval, fetchQuote, type Quote, type SignedPermit } from "./quote.ts";
import { type Fate, fateOf, type Receipt, send, type Waiting } from "./transactions.ts";

/** What the user is asked to do, or what is waited for. */
export type Step =
  | { readonly kind: "approve"; readonly number: number; readonly of: number }
  | { readonly kind: "approving"; readonly hash: string }
  | { readonly kind: "sign" }
  | { readonly kind: "confirm" }
  | { readonly kind: "pending"; readonly hash: string | undefined };

/** How a swap ended. */
export type End =
  | { readonly kind: "mined" | "reverted"; readonly receipt: Receipt; readonly quote: Quote }
  | { readonly kind: "replaced" | "dropped"; readonly hash: string }
  /** After an approval or a signature the market pays less than what was accepted. */
  | { readonly kind: "worse"; readonly quote: Quote }
  | { readonly kind: "refused"; readonly fault: WalletFault };

export type Plan = {
  readonly session: Session;
  readonly request: PriceRequest;
  /** What the user accepted. */
  readonly quote: Quote;
  readonly way: Way;
  readonly pollMs: number;
  readonly signal: AbortSignal;
};

/** Polls without a trace before a transaction counts as dropped. */
const PATIENCE = 40;

/**
 * Takes a quote: approves or signs where that is needed, sends the swap, and waits for what becomes of it.
 *
 * @param report hears each step before it begins
 * @throws ApiFailure where the service refuses a quote on the way; the abort error where `signal` fired
 */
export async function runSwap(plan: Plan, report: (step: Step) => void): Promise<End> {
  try {
    if (plan.way === "none") return await swap(plan, plan.quote, report);
    if (plan.way !== "approval") return await withSignature(plan, plan.way, report);
    return await withApproval(plan, report);
  } catch (error) {
    if (isOurs(error)) throw error;
    return { kind: "refused", fault: walletFault(error) };
  }
}

/** Failures of the service and aborts go to the caller; everything else was thrown by the wallet. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && (error.name === "ApiFailure" || error.name === "AbortError");
}

/** Whether `next` gives less than `accepted`: less bought for the same, or more sold for the same. */
export function isWorse(accepted: Quote, next: Quote, request: PriceRequest): boolean {
  if (BigInt(next.amount_out_total) < BigInt(accepted.amount_out_total)) return true;
  return soldIn(next, request) > soldIn(accepted, request);
}

async function withSignature(
  plan: Plan,
  kind: SignedPermit["kind"],
  report: (step: Step) => void,
): Promise<End> {
  const { session, quote, request } = plan;
  const terms = quote.permit?.[kind];
  if (terms === undefined) return withApproval(plan, report);
  report({ kind: "sign" });
  const signature = (await session.wallet.provider.request({
    method: "eth_signTypedData_v4",
    params: [session.account, JSON.stringify(terms.typed_data)],
  })) as string;
  const permit = { kind, signature, nonce: terms.permit_nonce, deadline: terms.permit_deadline };
  // The signature is for the amount that the quote sells, whichever amount was typed.
  const exact: PriceRequest = { ...request, side: "SELL", amount: soldIn(quote, request) };
  const next = await fetchQuote({ request: exact, taker: session.account, permit }, plan.signal);
  if (BigInt(next.amount_out_total) < BigInt(quote.amount_out_total)) return { kind: "worse", quote: next };
  return swap(plan, next, report);
}

const APPROVAL_UNDONE: WalletFault = {
  kind: "failed",
  text: "The token's contract refused the approval. Nothing was swapped; you paid only gas.",
};

async function withApproval(plan: Plan, report: (step: Step) => void): Promise<End> {
  const { session, quote, request } = plan;
  const approvals = await approvalsOf(plan);
  if (await takesBatches(session)) {
    report({ kind: "confirm" });
    const swapCall: Call = { to: quote.to, data: quote.calldata, value: quote.value };
    const sent = await sendBatch(session, [...approvals, swapCall], plan);
    report({ kind: "pending", hash: undefined });
    return ended(await sent.fate, quote, sent.id);
  }
  let block = 0;
  for (const [index, approval] of approvals.entries()) {
    report({ kind: "approve", number: index + 1, of: approvals.length });
    const hash = await send(session.wallet.provider, session.account, approval);
    report({ kind: "approving", hash });
    const fate = await fateOf(hash, waitingOf(plan));
    if (fate.kind !== "mined") return { kind: fate.kind, hash };
    if (!succeeded(fate.receipt)) return { kind: "refused", fault: APPROVAL_UNDONE };
    block = Number(fate.receipt.blockNumber);
  }
  const next = await fetchQuote({ request, taker: session.account, minBlock: block }, plan.signal);
  if (isWorse(quote, next, request)) return { kind: "worse", quote: next };
  return swap(plan, next, report);
}

/** The service knows which tokens want a reset first; without its word a standing allowance is reset before. */
async function approvalsOf({ quote, request }: Plan): Promise<readonly Call[]> {
  const calls = quote.calls ?? [];
  if (calls.length > 1) return calls.slice(0, -1);
  return [await fetchApproval(request.chainId, request.tokenIn, BigInt(quote.approve_amount))];
}

async function swap(plan: Plan, quote: Quote, report: (step: Step) => void): Promise<End> {
  const { session } = plan;
  report({ kind: "confirm" });
  const call = { to: quote.to, data: quote.calldata, value: quote.value };
  const hash = await send(session.wallet.provider, session.account, call);
  report({ kind: "pending", hash });
  return ended(await fateOf(hash, waitingOf(plan)), quote, hash);
}

function ended(fate: Fate, quote: Quote, hash: string): End {
  if (fate.kind !== "mined") return { kind: fate.kind, hash };
  return { kind: succeeded(fate.receipt) ? "mined" : "reverted", receipt: fate.receipt, quote };
}

function succeeded({ status }: Receipt): boolean {
  return BigInt(status) === 1n;
}

function waitingOf({ session, pollMs, signal }: Plan): Waiting {
  return { provider: session.wallet.provider, account: session.account, pollMs, patience: PATIENCE, signal };
}
