import type { Address, Hex } from "../../core/types.ts";
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
  readonly sameState: Readonly<Record<Source | "unvetted", SameState>>;
  readonly replays: readonly Replays[];
  /** Swaps whose hashes clients asked about. */
  readonly executed: {
    readonly succeeded: number;
    readonly reverted: number;
    readonly loss: Summary | undefined;
  };
  readonly pairs: readonly WatchedPair[];
};

/** A quote that may be executed. */
export type Quoted = { readonly chainId: number; readonly calldataHash: Hex; readonly amountOut: bigint };

/** What running a quote's calldata on its own block came to. */
export type Run = {
  readonly status: "exact" | "differs" | "reverted";
  readonly amountOut: bigint | undefined;
};

/** A swap of the router that was mined. */
export type Executed = {
  readonly hash: Hex;
  readonly calldataHash: Hex;
  /** undefined where it reverted. */
  readonly received: bigint | undefined;
};

/** How offers turn out: those of callers, some of which are settled again later, and the service's own. */
export interface AccuracyPort {
  /** An offer of a caller. @param buyPermille its fee on the token bought */
  offered(offer: Offer, buyPermille: number, caller: string): void;
  /** A caller's calldata that was run on the state that it was quoted in. */
  proved(offer: Offer, run: Run): void;
  quoted(quoted: Quoted): void;
  executed(chainId: number, swap: Executed): void;
  report(chainId: number): AccuracyReport;
  /** Parts per million that the pair loses within 10 s at most, but for one time in fifty; undefined where it is not known. */
  driftPpm(chainId: number, tokenIn: Address, tokenOut: Address): number | undefined;
}
