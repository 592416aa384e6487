import { untilAborted } from "../abort.ts";
import { formatAmount } from "../amount.ts";
import type { Braid } from "../client.ts";
import { refuse } from "../error.ts";
import { sendsTogether, sendTogether } from "../fate/batch.ts";
import { callsMined } from "../fate/receipt.ts";
import type { QuoteAnswer } from "../generated/api.ts";
import { NATIVE, sameAddress } from "../hex.ts";
import { untilKnown } from "../pause.ts";
import {
  balanceOf,
  chainOf,
  chainTime,
  gasPaid,
  hasCode,
  type Receipt,
  received,
  requireChain,
} from "../wallet/chain.ts";
import { inTurn } from "../wallet/in-turn.ts";
import { endingWith, toWallet, type Wallet } from "../wallet/wallet.ts";
import { approvalsFor, approved, isAllowed } from "./approval.ts";
import { gasLimit } from "./gas.ts";
import { payBySignature } from "./permit.ts";
import {
  quoteFor,
  type Run,
  refuseReverting,
  type SwapRequest,
  type SwapResult,
  send,
  succeeded,
} from "./run.ts";

type Paid = { readonly quote: QuoteAnswer; readonly allowedBy: SwapResult["allowedBy"] };
type Sent = Paid & { readonly receipt: Receipt };

const SLIPPAGE_PERCENT = 0.5;
const DEADLINE_SECONDS = 1_200;
const PERMILLE_PER_PERCENT = 10;

/**
 * Executes a swap. Everything that is signed or sent is first checked against the request, see `checkQuote`.
 *
 * @throws BraidError with a reason of `ClientReason` or of the service
 */
export async function runSwap(
  braid: Braid,
  request: SwapRequest,
  clientSignal: AbortSignal | undefined,
): Promise<SwapResult> {
  const signals = [clientSignal, request.signal].filter((each) => each !== undefined);
  const wallet = endingWith(signals, await untilAborted(signals, () => toWallet(request.wallet)));
  const terms = await termsOf(wallet, request);
  const run: Run = { braid, wallet, request, terms, signals, tell: (step) => request.onStep?.(step) };
  // An owner who never answers one swap must not keep the next one waiting.
  if (!wallet.holdsKey || sameAddress(terms.fromTokenAddress, NATIVE)) return quotedSwap(run);
  // Two swaps of one token at once share the nonce of a permit, or the later approval replaces the earlier one.
  const key = `${terms.chainID} ${terms.fromTokenAddress} ${wallet.address}`;
  // Its deadline is counted from its turn on.
  const later = { ...request, chainID: terms.chainID };
  const work = async () => quotedSwap({ ...run, terms: await termsOf(wallet, later) });
  return untilAborted(signals, () => inTurn(key, work));
}

async function quotedSwap(run: Run): Promise<SwapResult> {
  const { braid, request, terms, signals } = run;
  const quote = await quoteFor(run);
  run.tell({ stage: "quoted", quote });
  await requireBalance(run, quote);
  refuseReverting(quote);
  if ((await untilAborted(signals, () => request.confirm?.(quote))) === false)
    throw refuse("WALLET_REFUSED", "The quote was not confirmed.");
  const { receipt, ...paid } = await paySend(run, quote);
  braid.sawBlock(terms.chainID, Number(receipt.blockNumber));
  return resultOf(run, paid, receipt);
}

async function termsOf(wallet: Wallet, request: SwapRequest): Promise<Run["terms"]> {
  const chainID = request.chainID ?? (await chainOf(wallet));
  const [now] = await Promise.all([chainTime(wallet), requireChain(wallet, chainID)]);
  const { sell, buy, amount, side, recipient, fee, slippagePercent = SLIPPAGE_PERCENT } = request;
  return {
    chainID,
    fromTokenAddress: sell,
    toTokenAddress: buy,
    amount,
    side: side ?? "SELL",
    // Rounds away floating-point errors such as 2.9999999999999996.
    slippage: Number((slippagePercent * PERMILLE_PER_PERCENT).toFixed(6)),
    takerAddress: wallet.address,
    recipientAddress: recipient,
    feeRecipient: fee?.recipient,
    sellTokenPercentageFee: fee?.sellPermille,
    buyTokenPercentageFee: fee?.buyPermille,
    withGas: request.withGas ?? true,
    includeAggregator: request.includeAggregator,
    excludeAggregator: request.excludeAggregator,
    deadline: now + (request.deadlineSeconds ?? DEADLINE_SECONDS),
  };
}

async function requireBalance({ wallet, terms }: Run, quote: QuoteAnswer): Promise<void> {
  const { amount_in: needed } = quote;
  const actual = await balanceOf(wallet, terms.fromTokenAddress, wallet.address);
  if (actual >= needed) return;
  const values = { needed: String(needed), actual: String(actual), token: terms.fromTokenAddress };
  const details = [{ field: "amount", reason: "is more than the wallet holds", ...values }];
  const token = namedToken(quote, terms.fromTokenAddress);
  const told = (amount: bigint) =>
    token === undefined
      ? `${amount} smallest units of ${terms.fromTokenAddress}`
      : `${formatAmount(amount, token.decimals)} ${token.symbol}`;
  const text = `The wallet holds ${told(actual)}, the swap takes ${told(needed)}.`;
  throw refuse("INSUFFICIENT_BALANCE", text, { details });
}

/** The token as the quote's graph names it, which is not checked; undefined where it is of no use. */
function namedToken({ route_graph: graph }: QuoteAnswer, token: string) {
  const tokens: unknown = (graph as QuoteAnswer["route_graph"] | null | undefined)?.tokens;
  if (!Array.isArray(tokens)) return undefined;
  const found = tokens.find((each) => sameAddress(each?.address, token));
  return Number.isInteger(found?.decimals) && found.decimals >= 0 && found.decimals < 256 ? found : undefined;
}

async function paySend(run: Run, quote: QuoteAnswer): Promise<Sent> {
  const { wallet, terms, request } = run;
  const token = terms.fromTokenAddress;
  if (sameAddress(token, NATIVE)) return sent(run, { quote, allowedBy: "native" });
  if (await isAllowed(run, quote)) return sent(run, { quote, allowedBy: "allowance" });
  const approval = request.approval ?? "auto";
  const together = approval === "auto" ? await batched(run, quote) : undefined;
  if (together !== undefined) return together;
  if (approval !== "approve" && !(await hasCode(wallet))) {
    const signed = await payBySignature(run, quote, approval === "signature");
    if (signed !== undefined) return sent(run, signed, quote);
  }
  if (approval === "signature")
    throw refuse("WALLET_FAILED", "Nothing can be signed in the place of an approval of this token.");
  return sent(run, { quote: await approved(run, quote), allowedBy: "approval" }, quote);
}

/** @param agreed the quote that was confirmed, where the one that is sent is a later one */
async function sent(run: Run, paid: Paid, agreed: QuoteAnswer = paid.quote): Promise<Sent> {
  const { quote } = paid;
  const { calldata: data, to, value } = quote;
  const transaction = { to, data, value, gas: gasLimit(agreed, quote) };
  run.tell({ stage: "sending" });
  return { ...paid, receipt: await send(run, transaction, quote.amount_out_total) };
}

/** @returns undefined where the wallet sends no batches, or its owner does not let it, and nothing was sent */
async function batched(run: Run, quote: QuoteAnswer): Promise<Sent | undefined> {
  const { calldata: data, to, value } = quote;
  const { wallet, terms, signals } = run;
  if (!(await sendsTogether(wallet, terms.chainID, signals))) return undefined;
  const approvals = await approvalsFor(wallet, terms.fromTokenAddress, quote.amount_in);
  run.tell({ stage: "sending" });
  await requireChain(wallet, terms.chainID);
  const calls = [...approvals, { to, data, value }];
  const id = await untilAborted(signals, async () => {
    const given = await sendTogether(wallet, terms.chainID, calls);
    // Also told after an abort, because the wallet's owner may still have sent it.
    if (given !== undefined) run.tell({ stage: "batched", id: given });
    return given;
  });
  if (id === undefined) return undefined;
  const receipt = await callsMined(run, id);
  run.tell({ stage: "sent", hash: receipt.transactionHash });
  return { quote, allowedBy: "batch", receipt: await succeeded({ wallet, receipt }) };
}

/** Most reads of an amount, which take about ten seconds together. */
const READS = 20;

/**
 * The amount that a mined swap paid. A node that is behind has no state of the block yet, and some have none of the
 * block before.
 *
 * @returns undefined where the wallet's node cannot report it, or a signal ends the wait
 */
function realised(
  { wallet, signals }: Run,
  receipt: Receipt,
  paid: Parameters<typeof received>[2],
): Promise<bigint | undefined> {
  const read = () => received(wallet, receipt, paid).catch(() => undefined);
  return untilKnown(read, READS, signals).catch(() => undefined);
}

async function resultOf(run: Run, { quote, allowedBy }: Paid, receipt: Receipt): Promise<SwapResult> {
  const { wallet, terms } = run;
  const account = terms.recipientAddress ?? wallet.address;
  const least = quote.min_amount_out;
  return {
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    amountIn: quote.amount_in,
    amountOut: await realised(run, receipt, { token: terms.toTokenAddress, account, least }),
    quotedOut: quote.amount_out_total,
    minimumOut: least,
    gasUsed: BigInt(receipt.gasUsed),
    gasPaid: gasPaid(receipt),
    allowedBy,
    quote,
  };
}
