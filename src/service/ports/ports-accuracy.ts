import type { Address, At, Head, Hex } from "../../core/types.ts";
import type { Summary } from "../accuracy/figures.ts";
import type { PairClass } from "../advice/slippage.ts";
import type { Offer } from "../pricing/offer.ts";

/** Whose quotes: those that the service makes of its own pairs, or those of callers. */
export type Source = "reference" | "callers";
export type Horizon = "block" | "10s";

/** Calldata that was run on the very block that it was quoted in. */
export type SameState = {
  readonly exact: number;
  readonly differs: number;
  readonly reverted: number;
  /** Basis points of the amount quoted. */
  readonly mostBps: number;
};

/** Quotes that were settled again on later states. Losses in basis points; below 0 is a gain. */
export type Replays = {
  readonly source: Source;
  readonly pairClass: PairClass;
  readonly horizon: Horizon;
  readonly count: number;
  /** Those that no longer could be filled at all; in `loss` as everything. */
  readonly unfilled: number;
  readonly loss: Summary;
};

/** A pair that the service quotes of its own accord. */
export type WatchedPair = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly samples: number;
  /** Loss within 10 s that few are above, basis points; undefined before there are enough. */
  readonly driftBps: number | undefined;
};

/** How offers of one chain turned out. */
export type AccuracyReport = {
  readonly sameState: Readonly<Record<Source | "executed" | "unvetted", SameState>>;
  readonly replays: readonly Replays[];
  /** Quotes that were found on the chain: clients asked about their hashes, or blocks were read. */
  readonly executed: {
    readonly succeeded: number;
    /** Those of them of which it cannot be told what they paid. */
    readonly untold: number;
    readonly reverted: number;
    /** Those that nobody asked about before they were found in a block. */
    readonly found: number;
    readonly loss: Summary | undefined;
    /** Of those that were found in the very block after the one that they were quoted in. */
    readonly nextBlockLoss: Summary | undefined;
  };
  /** Blocks whose transactions were read, those that were left out because too many waited, and the newest that was read. */
  readonly blocks: { readonly read: number; readonly skipped: number; readonly newest: number | undefined };
  readonly pairs: readonly WatchedPair[];
};

/** A quote that may be executed. */
export type Quoted = {
  readonly chainId: number;
  readonly calldataHash: Hex;
  readonly amountOut: bigint;
  /** The block that it was made in, and the one that was expected to execute it. */
  readonly head: Head;
  readonly at: At;
  /** Who alone may fill makers' orders in it; undefined = whoever sends it. */
  readonly taker: Address | undefined;
};

/** What running a quote's calldata on its own block came to. */
export type Run = {
  readonly status: "exact" | "differs" | "reverted";
  readonly amountOut: bigint | undefined;
};

/** A swap of the router that was mined. */
export type Executed = {
  readonly hash: Hex;
  readonly calldataHash: Hex;
  readonly succeeded: boolean;
  /** undefined where it reverted, and where it cannot be told. */
  readonly received: bigint | undefined;
  /** undefined where its block was not read. */
  readonly placed?: Placed | undefined;
};

/** Where in the chain a quote was executed. */
export type Placed = {
  /** In the block after the one that it was quoted in. */
  readonly isNextBlock: boolean;
  /** On the very state that it was quoted in: before all else in that block, at the time that was expected; what it paid is beyond doubt. */
  readonly isSameState: boolean;
  /** Whether the tokens sold and bought are. */
  readonly isVetted: boolean;
};

/** How offers turn out: those of callers, some of which are settled again later, and the service's own. */
export interface AccuracyPort {
  /** An offer of a caller. @param buyPermille its fee on the token bought */
  offered(offer: Offer, buyPermille: number, caller: string): void;
  /** A caller's calldata that was run on the state that it was quoted in. */
  proved(offer: Offer, run: Run): void;
  quoted(quoted: Quoted): void;
  /** @returns undefined where nobody was quoted this calldata, or it is forgotten */
  quotedAs(chainId: number, calldataHash: Hex): Quoted | undefined;
  executed(chainId: number, swap: Executed): void;
  report(chainId: number): AccuracyReport;
  /** Parts per million that the pair loses within 10 s at most, but for one time in fifty; undefined where it is not known. */
  driftPpm(chainId: number, tokenIn: Address, tokenOut: Address): number | undefined;
}
