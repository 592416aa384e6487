import type { Address, At, Head, Hex } from "../../core/types.ts";
import type { Summary } from "../accuracy/figures.ts";
import type { PairClass } from "../advice/slippage.ts";
import type { Offer } from "../pricing/offer.ts";

/** The origin of a quote: the service's own reference quotes, or the requests of callers. */
export type Source = "reference" | "callers";
export type Horizon = "block" | "10s";

/** Runs of calldata on the state of the block that it was quoted in, counted by outcome. */
export type SameState = {
  readonly exact: number;
  readonly differs: number;
  readonly reverted: number;
  /** Largest difference between the amounts paid and quoted, in basis points of the amount quoted. */
  readonly mostBps: number;
};

/** Quotes that were settled again on later states. Losses are in basis points; a negative loss is a gain. */
export type Replays = {
  readonly source: Source;
  readonly pairClass: PairClass;
  readonly horizon: Horizon;
  readonly count: number;
  /** Quotes that could no longer be filled; `loss` counts each as a loss of the whole amount. */
  readonly unfilled: number;
  readonly loss: Summary;
};

/** A pair that the service quotes regularly by itself. */
export type WatchedPair = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly samples: number;
  /** 98th percentile of the loss within 10 s, in basis points; undefined before there are enough samples. */
  readonly driftBps: number | undefined;
};

/** How the offers of one chain compare with what they paid afterwards. */
export type AccuracyReport = {
  readonly sameState: Readonly<Record<Source | "executed" | "unvetted", SameState>>;
  readonly replays: readonly Replays[];
  /** Quotes whose transactions were found: a client asked for the transaction hash, or the block was read. */
  readonly executed: {
    readonly succeeded: number;
    /** Those among `succeeded` whose amount received cannot be determined. */
    readonly untold: number;
    readonly reverted: number;
    /** Those that reading the blocks found before a client asked for their hashes. */
    readonly found: number;
    readonly loss: Summary | undefined;
    /** Loss of those that were executed in the block right after the one that they were quoted in. */
    readonly nextBlockLoss: Summary | undefined;
  };
  /** Blocks whose transactions were read, blocks skipped because too many were waiting, and the newest block read. */
  readonly blocks: { readonly read: number; readonly skipped: number; readonly newest: number | undefined };
  readonly pairs: readonly WatchedPair[];
};

/** A quote with calldata, kept so that its execution can be recognised. */
export type Quoted = {
  readonly chainId: number;
  readonly calldataHash: Hex;
  readonly amountOut: bigint;
  /** The block whose state was quoted, and the block that was expected to execute it. */
  readonly head: Head;
  readonly at: At;
  /** The only account that may fill the makers' orders in it; undefined = any sender. */
  readonly taker: Address | undefined;
};

/** Result of running a quote's calldata on the state of the block that it was quoted in. */
export type Run = {
  readonly status: "exact" | "differs" | "reverted";
  readonly amountOut: bigint | undefined;
};

/** A swap of the router that was mined. */
export type Executed = {
  readonly hash: Hex;
  readonly calldataHash: Hex;
  readonly succeeded: boolean;
  /** undefined where it reverted, and where the amount cannot be determined. */
  readonly received: bigint | undefined;
  /** Whether the tokens sold and bought are both vetted. Others may log any amount as a transfer. */
  readonly isVetted: boolean;
  /** undefined where its block was not read. */
  readonly placed?: Placed | undefined;
};

/** Where in the chain a quote was executed. */
export type Placed = {
  /** It was executed in the block right after the one that it was quoted in. */
  readonly isNextBlock: boolean;
  /**
   * It was executed on exactly the state that it was quoted on: first in the next block, at the expected timestamp. The
   * amount that it paid is also known without doubt.
   */
  readonly isSameState: boolean;
};

/**
 * Measures how offers turn out: the service's own reference offers, and those of callers, some of which are settled
 * again on later states.
 */
export interface AccuracyPort {
  /** Records an offer made to a caller. @param buyPermille its fee on the token bought */
  offered(offer: Offer, buyPermille: number, caller: string): void;
  /** Records a run of a caller's calldata on the state that it was quoted in. */
  proved(offer: Offer, run: Run): void;
  quoted(quoted: Quoted): void;
  /** @returns undefined where this calldata was never quoted, or its quote has been evicted */
  quotedAs(chainId: number, calldataHash: Hex): Quoted | undefined;
  executed(chainId: number, swap: Executed): void;
  report(chainId: number): AccuracyReport;
  /** The 98th percentile of the pair's loss within 10 s, in parts per million; undefined where it is not known. */
  driftPpm(chainId: number, tokenIn: Address, tokenOut: Address): number | undefined;
}
