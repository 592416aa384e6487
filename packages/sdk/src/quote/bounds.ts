import { type BraidError, type ErrorDetail, refuse } from "../error.ts";
import type { QuoteAnswer, QuoteParameters } from "../generated/api.ts";
import { permitKinds, ROUTER } from "../generated/router.ts";
import { type Hex, NATIVE, PERMIT2, sameAddress } from "../hex.ts";
import { type DecodedSwap, decodeSwap, encodeApprove, type SwapStep } from "./calldata.ts";
import { type PermitKind, permitFaults } from "./typed-data.ts";

/** The request: all terms that a quote is checked against. */
export type Asked = QuoteParameters & {
  /** Unix time in seconds. */
  readonly deadline: number;
};

/** Limits of the caller. Without them, a quote is only checked against its own price. */
export type Limits = {
  /** The quote's minimum must be at least this, in smallest units of the token bought. */
  readonly minOut?: bigint | undefined;
  /** The amount sold must be at most this, in smallest units of the token sold; for side=BUY. */
  readonly maxIn?: bigint | undefined;
};

/** Records a difference, if there is one. */
type Note = (field: string, got: unknown, wanted: unknown) => void;
type Case = {
  readonly asked: Asked;
  readonly quote: QuoteAnswer;
  readonly call: DecodedSwap;
  readonly note: Note;
};

const BPS_PER_PERMILLE = 10;
const PPM = 1_000_000n;

/**
 * Checks a quote against the request: the contract that is called and the value; in the calldata the tokens, amount,
 * minimum, recipient, fees, deadline and signature; and all permits and calls that the answer offers. The route is not
 * checked, because the router pays at least the minimum or reverts. The quality of the price cannot be seen in a quote:
 * use `limits` for it.
 *
 * @throws BraidError QUOTE_MISMATCH with every difference in `details`
 */
export function checkQuote(asked: Asked, quote: QuoteAnswer, limits: Limits = {}): void {
  const faults = quoteFaults(asked, quote, limits);
  if (faults.length === 0) return;
  throw mismatch(faults);
}

function mismatch(details: readonly ErrorDetail[]): BraidError {
  const text = details.map(({ field, reason }) => `${field} ${reason}`).join("; ");
  return refuse("QUOTE_MISMATCH", `The quote is not what was asked for: ${text}.`, { details });
}

/** All differences between a quote and the request; see `checkQuote`. */
export function quoteFaults(asked: Asked, quote: QuoteAnswer, limits: Limits = {}): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const note: Note = (field, got, wanted) => {
    if (got !== wanted)
      faults.push({ field, reason: `is ${String(got)}, not ${String(wanted)}`, value: String(got) });
  };
  const call = typeof quote.calldata === "string" ? decodeSwap(quote.calldata) : undefined;
  if (call === undefined) return [{ field: "calldata", reason: "is no call of the router" }];
  const one: Case = { asked, quote, call, note };
  checkTarget(one);
  checkAmounts(one, limits);
  checkParties(one);
  checkSignature(one);
  checkOffered(one);
  checkBeside(one);
  return faults;
}

function checkTarget({ asked, quote, call, note }: Case): void {
  note("to", lower(quote.to), ROUTER);
  note("token_in", lower(quote.token_in), lower(asked.fromTokenAddress));
  note("token_out", lower(quote.token_out), lower(asked.toTokenAddress));
  note("calldata token sold", call.tokens[0], lower(asked.fromTokenAddress));
  note("calldata token bought", call.tokens.at(-1), lower(asked.toTokenAddress));
  note("value", quote.value, isNative(asked.fromTokenAddress) ? call.amountIn : 0n);
}

function checkAmounts({ asked, quote, call, note }: Case, { minOut, maxIn }: Limits): void {
  const side = asked.side ?? "SELL";
  note("side", quote.side, side);
  note("amount_in", quote.amount_in, side === "SELL" ? asked.amount : call.amountIn);
  note("calldata amount sold", call.amountIn, quote.amount_in);
  const { amount_out_total: total, estimate_gas_total: gas } = quote;
  if (typeof gas !== "bigint" || gas < 0n) note("estimate_gas_total", gas, "an amount of gas");
  if (side === "BUY" && !(total >= asked.amount))
    note("amount_out_total", total, `an amount bought of at least ${asked.amount}`);
  note("min_amount_out", quote.min_amount_out, minimumOf(quote.amount_out_total, asked.slippage));
  note("calldata minimum", call.minimumOut, quote.min_amount_out);
  if (minOut !== undefined && call.minimumOut < minOut)
    note("calldata minimum", call.minimumOut, `a minimum of at least ${minOut}`);
  if (maxIn !== undefined && call.amountIn > maxIn)
    note("calldata amount sold", call.amountIn, `an amount sold of at most ${maxIn}`);
}

/** The minimum of a quote: max(1, floor(total·(10^6 - ppm) / 10^6)); undefined for an invalid total. */
function minimumOf(total: bigint, slippagePermille: number): bigint | undefined {
  if (typeof total !== "bigint" || total < 1n) return undefined;
  const least = (total * (PPM - BigInt(Math.round(slippagePermille * 1000)))) / PPM;
  return least > 0n ? least : 1n;
}

function checkParties({ asked, quote, call, note }: Case): void {
  const sell = asked.sellTokenPercentageFee ?? 0;
  const buy = asked.buyTokenPercentageFee ?? 0;
  note("calldata sell fee in bps", call.sellFeeBps, sell * BPS_PER_PERMILLE);
  note("calldata buy fee in bps", call.buyFeeBps, buy * BPS_PER_PERMILLE);
  note("calldata fee recipient", call.feeRecipient, sell + buy > 0 ? lower(asked.feeRecipient) : undefined);
  const sender = lower(asked.takerAddress);
  const wanted = lower(asked.recipientAddress) ?? sender;
  // Without a recipient in the calldata, the router pays the sender.
  note("calldata recipient", call.recipient ?? sender, wanted);
  note("calldata deadline", call.deadline, BigInt(asked.deadline));
  note("valid_until", quote.valid_until, asked.deadline);
}

/** A given permit must be the first step and the only one with a signature; without one, no step may have any. */
function checkSignature({ asked, call, note }: Case): void {
  const steps = call.steps.filter(({ kind }) => kind === permitKinds.permit || kind === permitKinds.permit2);
  const given = asked.permit_kind !== undefined;
  note("signatures in the calldata", steps.length, given ? 1 : 0);
  if (!given || steps.length !== 1) return;
  note("the first step's kind", call.steps[0]?.kind, steps[0]!.kind);
  note("the signature's step", signatureText(steps[0]!), expectedSignature(asked, call.amountIn));
}

const signatureText = ({ kind, flags, src, dst, share, target, extra }: SwapStep) =>
  [kind, flags, src, dst, share, target, extra].join(" ");

function expectedSignature(asked: Asked, amountIn: bigint): string {
  const { permit_kind: kind, permit_signature: signature = "" } = asked;
  const nonce = asked.permit_nonce ?? 0n;
  const word = kind === "eip2612" ? amountIn : nonce;
  const digits = signature.toLowerCase().slice(2);
  const last = Number.parseInt(digits.slice(-2), 16);
  // Some signers return v as 0 or 1; contracts expect 27 or 28.
  const v = (last < 27 ? last + 27 : last).toString(16).padStart(2, "0");
  const extra: Hex = `0x${hex(word, 32)}${hex(BigInt(asked.permit_deadline ?? 0), 5)}${digits.slice(0, -2)}${v}`;
  const isPermit2 = kind === "permit2";
  return signatureText({
    kind: isPermit2 ? permitKinds.permit2 : permitKinds.permit,
    flags: kind === "dai" ? 1 : 0,
    src: 0,
    dst: 1,
    share: 0,
    target: `0x${"0".repeat(40)}`,
    extra,
  });
}

const hex = (value: bigint, bytes: number) => value.toString(16).padStart(bytes * 2, "0");

/** Checks the permits that the quote offers for signing. */
function checkOffered({ asked, quote, call, note }: Case): void {
  for (const [kind, offered] of Object.entries(quote.permit ?? {})) {
    if (offered === undefined || offered === null) continue;
    note(`permit.${kind}, for a quote without takerAddress`, asked.takerAddress === undefined, false);
    const signing = {
      chainID: asked.chainID,
      owner: asked.takerAddress ?? "",
      token: asked.fromTokenAddress,
      amount: call.amountIn,
      deadline: asked.deadline,
    };
    const isKnown = ["eip2612", "dai", "permit2"].includes(kind);
    const faults = isKnown ? permitFaults(kind as PermitKind, offered, signing) : ["kind"];
    for (const fault of faults) note(`permit.${kind}.${fault}`, "another", "what was asked for");
  }
}

/** Fields that not every service sends. They must name the same contracts and amounts. */
type Beside = {
  readonly calls?: readonly ({ to?: unknown; data?: unknown; value?: unknown } | null)[] | null;
  readonly issues?: { readonly allowance?: { readonly spender?: unknown } | null } | null;
};

/** The calls must be approvals, then the swap once: a second swap would sell the amount again. */
function checkBeside({ asked, quote, call, note }: Case): void {
  const needsNone = isNative(asked.fromTokenAddress) || asked.permit_kind !== undefined;
  note("approve_amount", quote.approve_amount, needsNone ? 0n : call.amountIn);
  const { calls, issues } = quote as unknown as Beside;
  const spender = issues?.allowance?.spender;
  if (spender !== undefined) note("issues.allowance.spender", lower(spender), ROUTER);
  if (!Array.isArray(calls)) return;
  const approvals = [ROUTER, PERMIT2].flatMap((each) =>
    [0n, call.amountIn].map((n) => encodeApprove(each, n)),
  );
  calls.forEach((each: NonNullable<Beside["calls"]>[number], index) => {
    const isLast = index === calls.length - 1;
    const isSwap = sameAddress(each?.to, quote.to) && each?.data === quote.calldata;
    const isApproval =
      sameAddress(each?.to, asked.fromTokenAddress) && approvals.includes(each?.data as never);
    if (isLast ? !isSwap : !isApproval)
      note(`calls[${index}]`, "another call", isLast ? "the swap" : "an approval for it");
    note(`calls[${index}].value`, String(each?.value), String(isLast ? quote.value : 0n));
  });
}

const isNative = (token: string) => sameAddress(token, NATIVE);

function lower(address: unknown): string | undefined {
  return typeof address === "string" ? address.toLowerCase() : undefined;
}
