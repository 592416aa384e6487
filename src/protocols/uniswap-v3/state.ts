import {
  type Concentrated,
  type ConcentratedSwap,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/concentrated/tick-table.ts";
import type { Address } from "../../core/types.ts";
import type { Order, Trade } from "../own-state.ts";

/** Where a fee comes from that is not the pool's for good, and when it was asked, in Unix seconds. */
export type FeeSource = { readonly module: Address; readonly readAt: number };

/** A pool with its ticks; the arrays are never changed in place, so states after swaps share them. */
export type State = Concentrated &
  LiveTickTable & {
    /** Where the fee comes from, where it is not the pool's for good. */
    readonly fees?: FeeSource;
  };

/** Gas units through the router; the only figures of this folder. */
const SWAP_GAS = 59_000;
const TICK_GAS = 28_000;
const WORD_GAS = 8_000;

/** Gas units of a fill that crosses so many initialised ticks, and looks for them in so many more bitmap words. */
export function gasOf(crossed: number, words = 0): number {
  return SWAP_GAS + TICK_GAS * crossed + WORD_GAS * words;
}

/**
 * Sells to or buys from the pool, at any price that it has.
 *
 * @returns undefined when the pool would revert, pay nothing, or not take or deliver all: a swap up to the last price
 *          that stops early is refused, because the router's would be too
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const zeroForOne = i === 0;
  const limit = zeroForOne ? LIMIT_DOWN : LIMIT_UP;
  const done = swap(state, zeroForOne, side === "in" ? amount : -amount, limit);
  if (done === undefined || done.unfilled !== 0n || done.amountIn <= 0n || done.amountOut <= 0n)
    return undefined;
  return {
    amountIn: done.amountIn,
    amountOut: done.amountOut,
    gas: gasOf(done.crossed, done.words),
    next: afterSwap(state, done),
  };
}

/** The state that the pool's Swap event will report. */
function afterSwap(state: State, done: ConcentratedSwap): State {
  return { ...state, sqrtPriceX96: done.sqrtPriceX96, tick: done.tick, liquidity: done.liquidity };
}
