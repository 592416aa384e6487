import type { At, Pool, StateId } from "../core/types.ts";

/** A pool with its states, at a time: what properties, vectors and benchmarks put to a protocol. */
export type Subject = {
  readonly pool: Pool;
  readonly states: ReadonlyMap<StateId, unknown>;
  readonly at: At;
  /**
   * How often a fill of this pool may round an amount of either token: once a step of the contract's own loop.
   * Mirrors do not round, so they may differ by so many units.
   */
  readonly roundings: number;
  /**
   * Largest share of the output that is taken as a fee, 0 … 1; none where absent. Such a fee stays in the pool, so that
   * a second trade wins a part of it back, and where it grows with the trade, more in may even be less out.
   */
  readonly outputFee?: number;
  /** Units of either token that a round trip may win because the contract rounds in the trader's favour; 0 where absent. */
  readonly favour?: number;
};
