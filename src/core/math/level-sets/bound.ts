import { goldenSection, type Placed } from "../golden-section.ts";
import { cheapestOn, type Level } from "./level.ts";

/** No less than what trades gain, in the unit of the prices, and the balances where no trade would gain. */
export type LevelGain = {
  readonly gain: number;
  readonly balances: Float64Array;
  /** What of it others gain that trade the pool's shares. */
  readonly others: number;
};

/** With what the level costs at the prices that bound it, and how far that may be off. */
export type Tried = LevelGain & { readonly cost: number; readonly slack: number };

/** The bound at a place: the logarithm of what a unit of the level costs, over its slopes. */
export type Try = (place: number) => Tried | undefined;

/** Bounds by their place. What the level costs rises with the place; below `low` and above `high` all is as there. */
export type Bounds = {
  readonly at: Try;
  readonly low: number;
  readonly high: number;
};

/** The least bound, and the places where it is. */
export type Best = { readonly found: Tried; readonly from: number; readonly to: number };

/** Places that are tried between two; the last of them are a hundredth of the way from each other. */
const PLACES = 12;
/** Digits of a balance that sums lose. */
export const ROUNDING = 1e-15;
/** The least bound between two places; where a place gives nothing a larger one may. */
export function leastBetween(at: Try, from: number, to: number, places = PLACES): Placed<Tried> | undefined {
  const gainOf = (found: Tried | undefined) => found?.gain ?? Number.POSITIVE_INFINITY;
  const { place, found } = goldenSection(at, gainOf, { from, to, places });
  return found && { place, found };
}

/**
 * What trades without fees gain at most at these prices, at what the level costs, the balances where it does, and how far that may be off.
 *
 * @param start balances from which the cheapest ones are looked for
 * @returns undefined where they are not found
 */
export function gainWithoutFees(level: Level, prices: Float64Array, start: Float64Array): Tried | undefined {
  const found = cheapestOn(level, prices, start);
  if (found === undefined) return undefined;
  const { balances, off } = found;
  let [gain, cost] = [0, 0];
  for (let k = 0; k < prices.length; k++) {
    gain += prices[k]! * (level.held[k]! - balances[k]!);
    cost += prices[k]! * balances[k]!;
  }
  // A plane that is off by so much, through a point that is off by as much.
  const slack = (2 * off + ROUNDING) * cost;
  return { gain: Math.max(0, gain) + slack, balances, others: 0, cost, slack };
}
