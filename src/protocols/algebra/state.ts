import { type Concentrated, LIMIT_DOWN, LIMIT_UP, swap } from "../../core/math/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/tick-table.ts";
import type { Order, Trade } from "../own-state.ts";

/** A pool with its ticks; the arrays are never changed in place. `feePpm` is that of selling token 0. */
export type State = Concentrated &
  LiveTickTable & {
    /** Fee of selling token 1 in parts per million: another one only where the pool tells directions apart. */
    readonly feeOneToZeroPpm: number;
  };

/** Gas units through the router; the only figures of this folder. A swap also writes a timepoint or asks a plugin. */
const SWAP_GAS = 110_000;
const TICK_GAS = 22_000;
const WORD_GAS = 8_000;

/** Gas units of a fill that crosses so many initialised ticks, and looks for them in so many more bitmap words. */
export function gasOf(crossed: number, words = 0): number {
  return SWAP_GAS + TICK_GAS * crossed + WORD_GAS * words;
}

/** The pool as a swap in one direction sees it. */
export function withFee<S extends Concentrated & { readonly feeOneToZeroPpm: number }>(
  pool: S,
  zeroForOne: boolean,
): Concentrated {
  return zeroForOne || pool.feePpm === pool.feeOneToZeroPpm
    ? pool
    : { ...pool, feePpm: pool.feeOneToZeroPpm };
}

/**
 * Sells to or buys from the pool, at any price that it has.
 *
 * @returns undefined when the pool would revert, pay nothing, or not take or deliver all
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const zeroForOne = i === 0;
  const limit = zeroForOne ? LIMIT_DOWN : LIMIT_UP;
  const done = swap(withFee(state, zeroForOne), zeroForOne, side === "in" ? amount : -amount, limit);
  if (done === undefined || done.unfilled !== 0n || done.amountIn <= 0n || done.amountOut <= 0n)
    return undefined;
  const { amountIn, amountOut, sqrtPriceX96, tick, liquidity, crossed, words } = done;
  return {
    amountIn,
    amountOut,
    gas: gasOf(crossed, words),
    next: { ...state, sqrtPriceX96, tick, liquidity },
  };
}
