import type { Protocol } from "../../core/protocol.ts";
import type { At, Fill, Side, StateId } from "../../core/types.ts";

/** Arguments of `Protocol.quote`, as one object. */
export type Order = {
  readonly i: number;
  readonly j: number;
  readonly amount: bigint;
  readonly side: Side;
  readonly at: At;
};

/** A fill of a pool with a single, unshared state; `next` is the state after it. */
export type Trade<S> = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly gas: number;
  readonly next: S;
};

/**
 * `Protocol.quote` for a design whose pools share no state: reads the pool's state, and writes it under its first
 * state id.
 */
export function quoteOwnState<S>(trade: (state: S, order: Order) => Trade<S> | undefined): Protocol["quote"] {
  // biome-ignore lint/complexity/useMaxParams: a rest pattern costs as much as a tenth of a pair's quote
  return (view, pool, i, j, amount, side, at) => {
    const id = pool.stateIds[0];
    const done = trade(view.get(id) as S, { i, j, amount, side, at });
    return done === undefined ? undefined : new OwnFill(done, id);
  };
}

/** A fill that computes the pool's next state lazily, since most quotes only compare amounts. */
class OwnFill<S> implements Fill {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly gas: number;
  readonly #trade: Trade<S>;
  readonly #id: StateId;

  constructor(trade: Trade<S>, id: StateId) {
    this.amountIn = trade.amountIn;
    this.amountOut = trade.amountOut;
    this.gas = trade.gas;
    this.#trade = trade;
    this.#id = id;
  }

  get writes(): Fill["writes"] {
    return [[this.#id, this.#trade.next]];
  }
}
