import type { At, Pool, StateId } from "../core/types.ts";

/** A pool with its states at a time: the input of property tests, vectors and benchmarks. */
export type Subject = {
  readonly pool: Pool;
  readonly states: ReadonlyMap<StateId, unknown>;
  readonly at: At;
  /**
   * Number of times that a fill may round an amount of either token: once per step of the contract's loop. Mirrors do
   * not round, so they may differ by as many units.
   */
  readonly roundings: number;
  /**
   * Largest fraction of the output taken as a fee, 0 … 1; absent = none. Such a fee stays in the pool, so a second
   * trade regains a part of it; if it grows with the trade, a larger input may even pay less.
   */
  readonly outputFee?: number;
  /**
   * Largest fraction of the output by which the second of two swaps may pay more than as a part of one, since its fee is that of the
   * price after the first; absent = 0.
   */
  readonly falls?: number;
  /** Units of either token that a round trip may gain since the contract rounds in the trader's favour; absent = 0. */
  readonly favour?: number;
};
