import type { Pmm } from "../../core/math/pairs/dodo-math.ts";

/** A pool as its contract stores it. Targets and side are as stored: every trade first brings the targets up to date. */
export type State = Pmm & {
  readonly kind: Kind;
  /** Of what is paid, 18 decimals; it stays in the pool. */
  readonly lpFee: bigint;
  /** Of what is paid, 18 decimals; it leaves the pool. */
  readonly mtFee: bigint;
  /** Most of base and of quote that the pool may hold. */
  readonly limits: readonly [bigint, bigint];
  /** False where its owner has stopped trading, or sales of base to a classical pool. */
  readonly open: boolean;
  readonly readFor: number;
};

/** Vending machine, private pool, stable pool; the classical pool is the first version. */
export type Kind = "dvm" | "dpp" | "dsp" | "classical";

/** Reserves of the second version are stored in so many bits. */
export const MAX_RESERVE = 2n ** 112n - 1n;
