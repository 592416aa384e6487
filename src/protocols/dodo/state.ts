import type { Pmm } from "../../core/math/pairs/dodo-math.ts";

/** State of a pool as its contract stores it. Targets and side are the stored ones, which every trade first updates. */
export type State = Pmm & {
  readonly kind: Kind;
  /** Fee on the output that stays in the pool, 18 decimals. */
  readonly lpFee: bigint;
  /** Fee on the output that leaves the pool, 18 decimals. */
  readonly mtFee: bigint;
  /** Largest balances of base and of quote. */
  readonly limits: readonly [bigint, bigint];
  /** False if the owner has disabled trading, or sales of base to a classical pool. */
  readonly open: boolean;
  readonly readFor: number;
  /** Unix second of the read. */
  readonly readAt: number;
};

/** Vending machine, private pool and stable pool of v2; "classical" is v1. */
export type Kind = "dvm" | "dpp" | "dsp" | "classical";

/** Largest reserve that v2 stores. */
export const MAX_RESERVE = 2n ** 112n - 1n;
