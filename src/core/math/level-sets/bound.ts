import { goldenSection, type Placed } from "../golden-section.ts";
import { cheapestOn, type Level } from "./level.ts";

/** An upper bound on the gain of trades, in the unit of the prices, and the balances at which no trade would gain. */
export type LevelGain = {
  readonly gain: number;
  readonly balances: Float64Array;
  /** The part of `gain` that is made by others that trade the pool's shares. */
  readonly others: number;
};

/** Also the cost of the level's cheapest point at the prices used, and a bound on the error of that cost. */
export type Tried = LevelGain & { readonly cost: number; readonly slack: number };

/**
 * The bound at a place. A place is the logarithm of the price of a unit of the level function: it gives each coin the
 * price unit·slope, clamped to the prices that fees allow.
 */
export type Try = (place: number) => Tried | undefined;

/**
 * Bounds as a function of the place. The cost of the level rises with the place; it is constant below `low` and above
 * `high`.
 */
export type Bounds = {
  readonly at: Try;
  readonly low: number;
  readonly high: number;
};

/** The least bound, and the interval of places at which it is attained. */
export type Best = { readonly found: Tried; readonly from: number; readonly to: number };

/** Number of places evaluated in a search: the last two differ by about a hundredth of the interval. */
const PLACES = 12;
/** Relative rounding error of sums of balances. */
export const ROUNDING = 1e-15;
/**
 * The least bound between two places, by golden-section search. A place without a bound counts as Infinity, which
 * directs the search to larger places.
 */
export function leastBetween(at: Try, from: number, to: number, places = PLACES): Placed<Tried> | undefined {
  const gainOf = (found: Tried | undefined) => found?.gain ?? Number.POSITIVE_INFINITY;
  const { place, found } = goldenSection(at, gainOf, { from, to, places });
  return found && { place, found };
}

/**
 * Upper bound on the gain of trades without fees at these prices: the worth of the present balances less that of the
 * cheapest point of the level.
 *
 * @param start balances from which the cheapest ones are searched
 * @returns undefined if the search does not converge
 */
export function gainWithoutFees(level: Level, prices: Float64Array, start: Float64Array): Tried | undefined {
  const found = cheapestOn(level, prices, start);
  if (found === undefined) return undefined;
  const { balances, off } = found;
  let gain = 0;
  let cost = 0;
  for (let k = 0; k < prices.length; k++) {
    gain += prices[k]! * (level.held[k]! - balances[k]!);
    cost += prices[k]! * balances[k]!;
  }
  // Both the plane's normal and its point have a relative error of `off`.
  const slack = (2 * off + ROUNDING) * cost;
  return { gain: Math.max(0, gain) + slack, balances, others: 0, cost, slack };
}
