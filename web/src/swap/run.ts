import { BraidError } from "../../../packages/sdk/src/error.ts";
import {
  type CallsFate,
  callsFate,
  sendsTogether,
  sendTogether,
} from "../../../packages/sdk/src/fate/batch.ts";
import { type Following, fateOf } from "../../../packages/sdk/src/fate/fate.ts";
import { ROUTER } from "../../../packages/sdk/src/generated/router.ts";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import { pause } from "../../../packages/sdk/src/pause.ts";
import { expectedTypedData } from "../../../packages/sdk/src/quote/typed-data.ts";
import { approvalsFor } from "../../../packages/sdk/src/swap/approval.ts";
import { refuseReverting } from "../../../packages/sdk/src/swap/run.ts";
import { approvedBy, type Receipt, requireChain } from "../../../packages/sdk/src/wallet/chain.ts";
import {
  fromProvider,
  requireHash,
  signatureOf,
  type Transaction,
  type Wallet,
} from "../../../packages/sdk/src/wallet/wallet.ts";
import { ApiFailure, type PriceRequest } from "../api.ts";
import { type WalletFault, walletFault } from "../wallet/provider.ts";
import type { Session } from "../wallet/session.ts";
import { requireFunds } from "./funds.ts";
import { gasLimit } from "./gas.ts";
import type { Way } from "./pay.ts";
import { fetchAgain, keptPromise } from "./promise.ts";
import { isQuoteFailure, type Quote, type QuoteWish, type SignedPermit } from "./quote.ts";

/** A step of a swap: a request to the user's wallet, or a transaction that is waited for. */
export type Step =
  | { readonly kind: "prepare" }
  | { readonly kind: "approve"; readonly number: number; readonly of: number }
  | { readonly kind: "approving"; readonly hash: string }
  | { readonly kind: "sign" }
  /** The service is asked for the quote that is sent. */
  | { readonly kind: "quote" }
  | { readonly kind: "confirm" }
  | { readonly kind: "pending"; readonly hash: string | undefined };

/** How a swap ended. */
export type End =
  | { readonly kind: "mined" | "reverted"; readonly receipt: Receipt }
  | { readonly kind: "replaced" | "dropped"; readonly hash: string }
  /** After an approval or a signature, the new quote breaks the promise of the accepted one. */
  | { readonly kind: "worse" }
  | { readonly kind: "refused"; readonly fault: WalletFault };

export type Plan = {
  readonly session: Session;
  readonly request: PriceRequest;
  /** The quote that the user saw when confirming. */
  readonly quote: Quote;
  /** The quote whose promise is kept by every newer one. */
  readonly accepted: Quote;
  readonly way: Way;
  readonly pollMs: number;
  readonly signal: AbortSignal;
};

/** Interval at which the state of a transaction is polled. */
export const POLL_MS = 1000;
/** Consecutive polls in which the node does not know a transaction before it counts as dropped. */
export const PATIENCE = 40;

type Run = Plan & { readonly signer: Wallet; readonly report: (step: Step) => void };

/**
 * Executes a quote: approves or signs where needed, sends the swap and waits for its result.
 *
 * @param report called before each step
 * @throws the abort error where `signal` is aborted
 */
export async function runSwap(plan: Plan, report: (step: Step) => void): Promise<End> {
  const { session, quote, way } = plan;
  try {
    const wallet = await fromProvider(session.wallet.provider, session.account as Hex);
    const run = { ...plan, signer: onChain(wallet, plan.request.chainId), report };
    if (way === "none") return await swap(run, quote);
    return await (way === "approval" ? withApproval(run) : withSignature(run, way));
  } catch (error) {
    if ((error as Error)?.name === "AbortError") throw error;
    const { kind, text } = isQuoteFailure(error)
      ? ({ kind: "failed", text: error.message } as const)
      : walletFault(error);
    if (mayHaveSent(error)) return { kind: "refused", fault: { kind, text: MAY_HAVE_SENT } };
    return { kind: "refused", fault: { kind, text: `${text} Nothing was swapped.` } };
  }
}

const MAY_HAVE_SENT =
  "Your wallet did not say which transaction it sent. It may have sent one: look there before you try again.";

function mayHaveSent(error: unknown): boolean {
  return error instanceof BraidError && error.details.some(({ field }) => field === "transaction");
}

/** The wallet, which is asked for no signature and no transaction while it is on another chain. */
function onChain(wallet: Wallet, chainId: number): Wallet {
  const text = "Your wallet is on another chain now. Switch it back, then try again.";
  const check = () => requireChain(wallet, chainId, text);
  return {
    ...wallet,
    sign: async (data) => {
      await check();
      return wallet.sign(data);
    },
    send: async (transaction) => {
      await check();
      return requireHash(await wallet.send(transaction));
    },
  };
}

async function withSignature(run: Run, kind: SignedPermit["kind"]): Promise<End> {
  const { session, quote, request, signer, report } = run;
  const { permit, amount_in: amount, valid_until: deadline } = quote.terms;
  const offered = permit?.[kind];
  if (offered === undefined) return withApproval(run);
  report({ kind: "sign" });
  const nonce = offered.permit_nonce;
  const { chainId: chainID, tokenIn: token } = request;
  const signing = { chainID, owner: session.account, token, amount, nonce, deadline };
  const signature = await signatureOf(signer, expectedTypedData(kind, offered, signing));
  if (signature === undefined) return { kind: "refused", fault: NOT_SIGNED };
  // The signature is for the exact amount sold, so the signed request is always SELL.
  const exact: PriceRequest = { ...request, side: "SELL", amount };
  const signed = { kind, signature, nonce, deadline };
  return swapAnew(run, { request: exact, taker: session.account, permit: signed });
}

const NOT_SIGNED: WalletFault = {
  kind: "unsupported",
  text: "Your wallet cannot sign this so that the token accepts it. Nothing was swapped. Try again, and choose to approve instead.",
};

const APPROVED_LESS: WalletFault = {
  kind: "failed",
  text: "The approval is for less than this swap takes. Nothing was swapped. Try again, and leave the amount in your wallet as it is.",
};

const APPROVAL_UNDONE: WalletFault = {
  kind: "failed",
  text: "The token's contract refused the approval. Nothing was swapped; you paid only gas.",
};

async function withApproval(run: Run): Promise<End> {
  const { session, quote, request, signer, report } = run;
  const approvals = await approvalsFor(signer, request.tokenIn, quote.terms.approve_amount);
  const together = await batched(run, approvals);
  if (together !== undefined) return together;
  let block = 0;
  let approved: bigint | undefined;
  for (const [index, approval] of approvals.entries()) {
    report({ kind: "approve", number: index + 1, of: approvals.length });
    const hash = await signer.send(approval);
    report({ kind: "approving", hash });
    const fate = await fateOf(hash, followingOf(run));
    if (fate.kind !== "mined") return { kind: fate.kind, hash };
    if (!succeeded(fate.receipt)) return { kind: "refused", fault: APPROVAL_UNDONE };
    block = Number(fate.receipt.blockNumber);
    approved = approvedBy(fate.receipt, { token: request.tokenIn, owner: session.account, spender: ROUTER });
  }
  if (approved !== undefined && approved < quote.terms.approve_amount)
    return { kind: "refused", fault: APPROVED_LESS };
  return swapAnew(run, { request, taker: session.account, minBlock: block });
}

/**
 * Sends the approvals and the swap as one batch.
 *
 * @returns undefined where the wallet sends none, or its owner rejects the upgrade that it needs
 */
async function batched(run: Run, approvals: readonly Transaction[]): Promise<End | undefined> {
  const { quote, request, signer, report, signal } = run;
  if (!(await sendsTogether(signer, request.chainId, [signal]))) return undefined;
  report({ kind: "confirm" });
  const calls = [...approvals, callOf(quote)];
  const id = await sendTogether(signer, request.chainId, calls);
  if (id === undefined) return undefined;
  report({ kind: "pending", hash: undefined });
  return ended(await callsFate(id, followingOf(run)), id);
}

/**
 * Sends a new quote, where it keeps the promise of the accepted one.
 *
 * @throws BraidError SIMULATION_FAILED where it reverts when the service runs it: the user would pay its gas in vain
 */
async function swapAnew(run: Run, wish: QuoteWish): Promise<End> {
  run.report({ kind: "quote" });
  const fetched = await fetchPatiently(run, wish);
  refuseReverting(fetched.terms);
  const next = keptPromise(run, fetched);
  return next === undefined ? { kind: "worse" } : swap(run, next);
}

/** Most requests for the quote that is sent, and longest Retry-After that is waited for. */
const REQUESTS = 3;
const LONGEST_WAIT_SECONDS = 30;

/**
 * Requests the quote that is sent, again where the service says when to: the wallet's node may be some blocks ahead of
 * it, and an approval that was paid for would otherwise have been for nothing.
 */
async function fetchPatiently(run: Run, wish: QuoteWish): Promise<Quote> {
  for (let left = REQUESTS - 1; ; left--) {
    try {
      return await fetchAgain(run, wish, run.signal);
    } catch (error) {
      const seconds = error instanceof ApiFailure && error.passing ? error.retryAfterSeconds : undefined;
      if (left === 0 || seconds === undefined || seconds > LONGEST_WAIT_SECONDS) throw error;
      await pause(seconds * 1000, [run.signal]);
    }
  }
}

async function swap(run: Run, quote: Quote): Promise<End> {
  await requireFunds(run.signer, {
    token: run.request.tokenIn,
    amount: quote.terms.amount_in,
    isAllowed: (run.way === "none" || run.way === "approval") && quote.terms.approve_amount > 0n,
    isNew: run.way !== "none",
    signal: run.signal,
  });
  run.report({ kind: "confirm" });
  const call = callOf(quote);
  const hash = await run.signer.send({ ...call, gas: await gasLimit(run.signer, call) });
  run.report({ kind: "pending", hash });
  return ended(await fateOf(hash, followingOf(run)), hash);
}

/** The transaction of a quote, whose gas the wallet estimates. */
function callOf({ terms: { to, calldata, value } }: Quote): Transaction {
  return { to, data: calldata, value, gas: undefined };
}

function ended(fate: CallsFate, hash: string): End {
  if (fate.kind === "failed") return { kind: "dropped", hash };
  if (fate.kind !== "mined") return { kind: fate.kind, hash };
  return { kind: succeeded(fate.receipt) ? "mined" : "reverted", receipt: fate.receipt };
}

export function succeeded({ status }: Receipt): boolean {
  return BigInt(status) === 1n;
}

function followingOf({ signer: wallet, request, pollMs, signal }: Run): Following {
  return { wallet, chainID: request.chainId, pollMs, patience: PATIENCE, signals: [signal] };
}
