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

/** Source of a changeable fee, and when it was read, in Unix seconds. */
export type FeeSource = { readonly module: Address; readonly readAt: number };

/** A pool with its ticks. The arrays are immutable, so states after swaps share them. */
export type State = Concentrated &
  LiveTickTable & {
    /** Source of the fee; absent if the fee is immutable. */
    readonly fees?: FeeSource;
  };

/** Gas units through the router. */
const SWAP_GAS = 59_000;
const TICK_GAS = 28_000;
const WORD_GAS = 8_000;

/** Gas units of a fill. @param crossed initialised ticks crossed; @param words further bitmap words read */
export function gasOf(crossed: number, words = 0): number {
  return SWAP_GAS + TICK_GAS * crossed + WORD_GAS * words;
}

/**
 * Sells to or buys from the pool without a price limit.
 *
 * @returns undefined if the pool would revert, pay nothing, or not take or deliver all. A swap that stops early at
 *   the last price is refused, since the router would revert.
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

/** The state after the pool's Swap event. */
function afterSwap(state: State, done: ConcentratedSwap): State {
  return { ...state, sqrtPriceX96: done.sqrtPriceX96, tick: done.tick, liquidity: done.liquidity };
}
