import { untilAborted } from "../abort.ts";
import type { Braid } from "../client.ts";
import { BraidError, refuse } from "../error.ts";
import { mined } from "../fate/receipt.ts";
import type { QuoteAnswer, QuoteParameters } from "../generated/api.ts";
import type { Hex } from "../hex.ts";
import type { Limits } from "../quote/bounds.ts";
import { withMinimum } from "../quote/calldata.ts";
import type { PermitKind } from "../quote/typed-data.ts";
import { blockOf, type Receipt, requireChain } from "../wallet/chain.ts";
import { type AnyWallet, requireHash, type Transaction, type Wallet } from "../wallet/wallet.ts";
import { type Reverted, revertedError } from "./undone.ts";

export type SwapRequest = Limits & {
  /** An EIP-1193 provider, a viem WalletClient with an account, or an ethers Signer with a provider. */
  readonly wallet: AnyWallet;
  /** Token addresses; `NATIVE` for the native coin. */
  readonly sell: string;
  readonly buy: string;
  /** Smallest units of `sell`; with side "BUY" of `buy`. */
  readonly amount: bigint;
  readonly side?: "SELL" | "BUY" | undefined;
  /** The swap is refused where the wallet is on another chain; default: the wallet's chain. */
  readonly chainID?: number | undefined;
  /** In percent; default 0.5. */
  readonly slippagePercent?: number | undefined;
  /** Receives the tokens bought; default: the wallet. */
  readonly recipient?: string | undefined;
  /** Fees in thousandths of the amounts sold and bought, paid to `recipient`. */
  readonly fee?:
    | {
        readonly recipient: string;
        readonly sellPermille?: number | undefined;
        readonly buyPermille?: number | undefined;
      }
    | undefined;
  /** Whether routes are compared net of gas; default true, since the wallet pays the gas. */
  readonly withGas?: boolean | undefined;
  /** The only sources to use, or sources not to use. */
  readonly includeAggregator?: readonly string[] | undefined;
  readonly excludeAggregator?: readonly string[] | undefined;
  /** Seconds from the newest block until the transaction expires; default 1,200. */
  readonly deadlineSeconds?: number | undefined;
  /**
   * How the router gets an allowance where it has too little. "auto": an atomic batch where the wallet supports it,
   * else a signature where the token or Permit2 accepts one, else an approval of the exact amount. "signature" also
   * accepts DAI's own permit, which allows the router any amount.
   */
  readonly approval?: "auto" | "approve" | "signature" | undefined;
  /** Called before anything is signed or sent; false ends the swap with WALLET_REFUSED. */
  readonly confirm?: ((quote: QuoteAnswer) => boolean | Promise<boolean>) | undefined;
  /** Called at each stage of the swap. */
  readonly onStep?: ((step: SwapStage) => void) | undefined;
  /**
   * Ends the swap with the signal's reason; nothing is signed or sent from then on. What the wallet was asked to send
   * before may still be sent, and `onStep` is told of it.
   */
  readonly signal?: AbortSignal | undefined;
};

export type SwapStage =
  | { readonly stage: "quoted"; readonly quote: QuoteAnswer }
  | { readonly stage: "signing"; readonly kind: PermitKind }
  | { readonly stage: "approving"; readonly amount: bigint }
  | { readonly stage: "sending" }
  /** The wallet took the calls as one batch, to send them; wallet_getCallsStatus with the id reports on them. */
  | { readonly stage: "batched"; readonly id: string }
  | { readonly stage: "sent"; readonly hash: Hex };

export type SwapResult = {
  readonly hash: Hex;
  readonly blockNumber: number;
  /** Amount that the wallet paid, in smallest units of the token sold. */
  readonly amountIn: bigint;
  /**
   * Amount that the recipient received, in smallest units of the token bought: at least `minimumOut`. undefined where
   * the wallet's node cannot report it.
   */
  readonly amountOut: bigint | undefined;
  /** Amount of the executed quote, and its minimum below which the transaction would have reverted. */
  readonly quotedOut: bigint;
  readonly minimumOut: bigint;
  readonly gasUsed: bigint;
  /** Fee of the swap's transaction in wei, without that of an approval. */
  readonly gasPaid: bigint;
  /** How the router was allowed to take the token sold. */
  readonly allowedBy: "native" | "allowance" | "approval" | "batch" | PermitKind;
  readonly quote: QuoteAnswer;
};

/** State that the stages of a swap share. */
export type Run = {
  readonly braid: Braid;
  readonly wallet: Wallet;
  readonly request: SwapRequest;
  readonly terms: QuoteParameters & { readonly deadline: number };
  readonly signals: readonly AbortSignal[];
  readonly tell: (step: SwapStage) => void;
};
/** Parameters of a quote with a signed permit. */
export type SignedTerms = Pick<
  QuoteParameters,
  "permit_kind" | "permit_signature" | "permit_nonce" | "permit_deadline"
>;

/**
 * Requests the first quote and checks it, also against the limits of the caller.
 *
 * @throws BraidError as `Braid.quote`
 */
export function quoteFor({ braid, request, terms, wallet }: Run): Promise<QuoteAnswer> {
  const { minOut, maxIn, signal } = request;
  return onNewestBlock(wallet, (more) => braid.quote({ ...terms, ...more }, { minOut, maxIn, signal }));
}

/**
 * Requests a quote, and where it reverts once more from the newest block of the wallet's node on: the wallet may have
 * approved or received in it what the swap needs.
 *
 * @returns the first quote where there is no second one
 */
async function onNewestBlock(
  wallet: Wallet,
  quote: (more: Pick<QuoteParameters, "min_block">) => Promise<QuoteAnswer>,
): Promise<QuoteAnswer> {
  const first = await quote({});
  if (revertOf(first) === undefined) return first;
  return blockOf(wallet)
    .then((min_block) => quote({ min_block }))
    .catch(() => first);
}

/** The notice of a quote whose transaction reverted when the service ran it with sufficient funds. */
export function revertOf(quote: QuoteAnswer): QuoteAnswer["notices"][number] | undefined {
  const { notices } = quote as { readonly notices?: unknown };
  const all: QuoteAnswer["notices"] = Array.isArray(notices) ? notices : [];
  return all.find((each) => each?.code === "REVERTS");
}

/** Code of the service's failure for a transaction that reverts in a simulation. */
const SIMULATION_FAILED = 2100;

/**
 * Refuses a quote whose transaction reverts: the wallet would pay for an approval and for gas in vain.
 *
 * @throws BraidError SIMULATION_FAILED
 */
export function refuseReverting(quote: QuoteAnswer): void {
  const revert = revertOf(quote);
  if (revert === undefined) return;
  throw new BraidError("SIMULATION_FAILED", String(revert.message), {
    code: SIMULATION_FAILED,
    details: [{ field: "calldata", reason: String(revert.details?.reason ?? revert.message) }],
  });
}

/**
 * Requests a quote after an approval or a signature and checks it. The caller's `minOut` is below the agreed minimum,
 * which `moved` keeps.
 *
 * @param more the signed permit, or {}
 * @param mostIn largest amount that may be sold
 * @throws BraidError PRICE_MOVED, SIMULATION_FAILED
 */
export async function quoteAgain(
  run: Run,
  agreed: QuoteAnswer,
  more: SignedTerms,
  mostIn: bigint = agreed.amount_in,
): Promise<QuoteAnswer> {
  const { braid, request, terms, wallet } = run;
  const { maxIn = mostIn, signal } = request;
  const later = await onNewestBlock(wallet, (newest) =>
    braid.quote({ ...terms, ...more, ...newest }, { signal }),
  );
  refuseReverting(later);
  return moved(agreed, later, maxIn < mostIn ? maxIn : mostIn);
}

/**
 * Sends a transaction and waits for its receipt.
 *
 * @param quotedOut for a swap, the amount bought by its quote
 * @throws BraidError WRONG_CHAIN, REVERTED, REPLACED, DROPPED, NOT_MINED
 */
export async function send(
  run: Run,
  transaction: Omit<Transaction, "chainID">,
  quotedOut?: bigint,
): Promise<Receipt> {
  const { wallet, terms, signals, tell } = run;
  await requireChain(wallet, terms.chainID);
  const hash = await untilAborted(signals, async () => {
    const given = requireHash(await wallet.send({ ...transaction, chainID: terms.chainID }));
    // Also told after an abort, because the wallet's owner may still have sent it.
    tell({ stage: "sent", hash: given });
    return given;
  });
  return succeeded({ wallet, receipt: await mined(run, hash), sent: transaction, quotedOut });
}

/** The receipt of a successful transaction. @throws BraidError REVERTED */
export async function succeeded(one: Reverted): Promise<Receipt> {
  if (BigInt(one.receipt.status) === 1n) return one.receipt;
  throw await revertedError(one);
}

/**
 * Returns a later quote that is within the limits of the agreed one: it promises at least the agreed minimum, for at most
 * `mostIn`. The transaction keeps the agreed minimum, since the slippage would otherwise be allowed twice.
 *
 * @throws BraidError PRICE_MOVED
 */
export function moved(
  agreed: QuoteAnswer,
  later: QuoteAnswer,
  mostIn: bigint = agreed.amount_in,
): QuoteAnswer {
  const minimum = agreed.min_amount_out;
  if (later.amount_out_total >= minimum && later.amount_in <= mostIn) {
    if (later.min_amount_out >= minimum) return later;
    return { ...later, min_amount_out: minimum, calldata: withMinimum(later.calldata, minimum) };
  }
  const text = `the quote was ${agreed.amount_out_total} for ${agreed.amount_in}, and is ${later.amount_out_total} for ${later.amount_in}`;
  throw refuse("PRICE_MOVED", `The price moved by more than the slippage: ${text}.`);
}
