import { leastInput } from "../../core/math/least-input.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import type { State } from "./state.ts";
import { type Asked, swap, type Work } from "./swap.ts";

/** The router pays all of an input although the pool asks for less, up to this part of it: 2^-10. */
const UNASKED_BITS = 10n;

/**
 * Gas units through the router, measured on the package's bytecode: of a swap within a point, of a price that moves to another
 * point, which is written for the pool's oracle, of an endpoint crossed, of a limit order filled, and of a word of the bitmap
 * passed with and without liquidity.
 */
const SWAP_GAS = 106_000;
const MOVED_GAS = 10_000;
const CROSSED_GAS = 31_000;
const ORDER_GAS = 45_000;
const WORD_GAS = 17_000;
const GAP_GAS = 8_300;

/** Gas units of a fill. */
export function gasOf({ crossed, orders, words, gaps }: Work, moves: boolean): number {
  const passed = CROSSED_GAS * crossed + WORD_GAS * words + GAP_GAS * gaps;
  return SWAP_GAS + ORDER_GAS * orders + passed + (moves ? MOVED_GAS : 0);
}

/**
 * Where a swap must end at the latest: behind the last mark, since nothing is sold beyond. Without a limit, a pool that has run
 * out looks for liquidity to its last point.
 */
export function limitOf({ marks, point }: State, sellsX: boolean): number {
  const last = (sellsX ? marks[0] : marks[marks.length - 1])?.point ?? point;
  return sellsX ? Math.min(last, point) - 1 : Math.max(last, point) + 1;
}

const askedOf = (state: State, sellsX: boolean, isOutput: boolean, amount: bigint): Asked => ({
  ...{ sellsX, isOutput, amount, limit: limitOf(state, sellsX) },
});

/**
 * The exact sale of `amount` of token `i`. A pool leaves grains unasked that are less than a unit of its liquidity or of the
 * output; the router pays them too.
 *
 * @returns undefined if the pool runs out, pays nothing, or leaves more unasked than the router pays
 */
function sell(state: State, i: number, amount: bigint): Trade<State> | undefined {
  const done = swap(state, askedOf(state, i === 0, false, amount));
  if (!done?.isDone || amount - done.taken > amount >> UNASKED_BITS) return undefined;
  return {
    amountIn: amount,
    amountOut: done.paid,
    gas: gasOf(done.work, done.next.point !== state.point),
    next: done.next,
  };
}

/**
 * Sells to or buys from the pool. An output is bought by the least input that pays it, since the router only sells.
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (side === "in") return sell(state, i, amount);
  const bought = swap(state, askedOf(state, i === 0, true, amount));
  if (!bought?.isDone) return undefined;
  const sold = leastInput((amountIn) => sell(state, i, amountIn)?.amountOut, amount, bought.taken);
  const fill = sold === undefined ? undefined : sell(state, i, sold);
  return fill && { ...fill, amountOut: amount };
}
