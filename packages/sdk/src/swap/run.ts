import type { Braid } from "../client.ts";
import { refuse } from "../error.ts";
import type { QuoteAnswer, QuoteParameters } from "../generated/api.ts";
import type { Hex } from "../hex.ts";
import type { Limits } from "../quote/bounds.ts";
import type { PermitKind } from "../quote/typed-data.ts";
import type { Receipt } from "./chain.ts";
import { mined } from "./receipt.ts";
import { type Reverted, revertedError } from "./undone.ts";
import type { AnyWallet, Transaction, Wallet } from "./wallet.ts";

export type SwapRequest = Limits & {
  /** An EIP-1193 provider, a viem WalletClient with an account, or an ethers Signer with a provider. */
  readonly wallet: AnyWallet;
  /** Addresses of the tokens; `NATIVE` for the native coin. */
  readonly sell: string;
  readonly buy: string;
  /** Smallest units: of `sell`, or of `buy` with side "BUY". */
  readonly amount: bigint;
  readonly side?: "SELL" | "BUY" | undefined;
  /** Refused where the wallet is on another chain; default: the wallet's chain. */
  readonly chainID?: number | undefined;
  /** In percent; default 0.5. */
  readonly slippagePercent?: number | undefined;
  /** Who gets the tokens bought; default: the wallet. */
  readonly recipient?: string | undefined;
  /** In thousandths of the amounts, paid to `recipient`. */
  readonly fee?: {
    readonly recipient: string;
    readonly sellPermille?: number;
    readonly buyPermille?: number;
  };
  /** Choose the route net of gas. */
  readonly withGas?: boolean | undefined;
  /** The only sources to use, or those not to use. */
  readonly includeAggregator?: readonly string[] | undefined;
  readonly excludeAggregator?: readonly string[] | undefined;
  /** How long after the newest block the transaction may be mined; default 1,200. */
  readonly deadlineSeconds?: number | undefined;
  /**
   * How the router gets its allowance where it has none. "auto": in one batch where the wallet sends batches, else by a
   * signature where the token or Permit2 takes one, else by an approval of the exact amount. "signature" includes DAI's
   * own permit, which allows the router any amount.
   */
  readonly approval?: "auto" | "approve" | "signature" | undefined;
  /** Asked before anything is signed or sent; false ends the swap. */
  readonly confirm?: ((quote: QuoteAnswer) => boolean | Promise<boolean>) | undefined;
  /** Told what happens next. */
  readonly onStep?: ((step: SwapStage) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type SwapStage =
  | { readonly stage: "quoted"; readonly quote: QuoteAnswer }
  | { readonly stage: "signing"; readonly kind: PermitKind }
  | { readonly stage: "approving"; readonly amount: bigint }
  | { readonly stage: "sending" }
  | { readonly stage: "sent"; readonly hash: Hex };

export type SwapResult = {
  readonly hash: Hex;
  readonly blockNumber: number;
  /** What the wallet paid, to the unit: the router takes exactly this. */
  readonly amountIn: bigint;
  /** What the recipient got. */
  readonly amountOut: bigint;
  /** What the quote that was sent promised, and the least that the chain would have let through. */
  readonly quotedOut: bigint;
  readonly minimumOut: bigint;
  readonly gasUsed: bigint;
  /** WEI of the native coin that the swap's own transaction cost. */
  readonly gasPaid: bigint;
  /** How the router was allowed to take the token sold. */
  readonly allowedBy: "native" | "allowance" | "approval" | "batch" | PermitKind;
  readonly quote: QuoteAnswer;
};

/** What the stages of one swap share. */
export type Run = {
  readonly braid: Braid;
  readonly wallet: Wallet;
  readonly request: SwapRequest;
  readonly terms: QuoteParameters & { readonly deadline: number };
  readonly signals: readonly AbortSignal[];
  readonly tell: (step: SwapStage) => void;
};
/** What a signed permit adds to the terms of a quote. */
export type SignedTerms = Pick<
  QuoteParameters,
  "permit_kind" | "permit_signature" | "permit_nonce" | "permit_deadline"
>;

/** A checked quote; `more` is the signature that pays for it. */
export function quoteFor(run: Run, more: SignedTerms): Promise<QuoteAnswer> {
  const { minOut, maxIn, signal } = run.request;
  return run.braid.quote({ ...run.terms, ...more }, { minOut, maxIn, signal });
}

/**
 * Sends, and waits for the receipt.
 *
 * @param quotedOut of a swap
 * @throws BraidError REVERTED, REPLACED, DROPPED, NOT_MINED
 */
export async function send(
  { wallet, signals, tell }: Run,
  transaction: Transaction,
  quotedOut?: bigint,
): Promise<Receipt> {
  const hash = await wallet.send(transaction);
  tell({ stage: "sent", hash });
  return succeeded({ wallet, receipt: await mined(wallet, hash, signals), sent: transaction, quotedOut });
}

/** @throws BraidError REVERTED */
export async function succeeded(one: Reverted): Promise<Receipt> {
  if (BigInt(one.receipt.status) === 1n) return one.receipt;
  throw await revertedError(one);
}

/** @throws BraidError PRICE_MOVED where a later quote is worse than the agreed one allowed for */
export function moved(
  agreed: QuoteAnswer,
  later: QuoteAnswer,
  mostIn: bigint = agreed.amount_in,
): QuoteAnswer {
  if (later.amount_out_total >= agreed.min_amount_out && later.amount_in <= mostIn) return later;
  const text = `the quote was ${agreed.amount_out_total} for ${agreed.amount_in}, and is ${later.amount_out_total} for ${later.amount_in}`;
  throw refuse("PRICE_MOVED", `The price moved by more than the slippage: ${text}.`);
}
