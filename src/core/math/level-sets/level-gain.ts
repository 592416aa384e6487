import type { Placed } from "../golden-section.ts";
import {
  type Best,
  gainWithoutFees,
  type LevelGain,
  leastBetween,
  ROUNDING,
  type Tried,
  type Try,
} from "./bound.ts";
import type { Level } from "./level.ts";
import { SHARED_PLACES, type Shares, sharingGain } from "./sharing.ts";

/** The prices allowed for a bound: per smallest unit of each coin, in any one unit, > 0. */
export type GainAsked = {
  /** Interval of prices at which no trade with fees gains more than without; see `within`. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly shares?: Shares | undefined;
};

/**
 * The interval of prices allowed by fees that take at least the fraction `taken` of each coin, both when it is sold
 * to the pool and when it is bought.
 */
export function within(
  prices: readonly number[],
  taken: ArrayLike<number>,
): Pick<GainAsked, "least" | "most"> {
  return {
    least: Float64Array.from(prices, (price, k) => price * (1 - taken[k]!)),
    most: Float64Array.from(prices, (price, k) => price / (1 - taken[k]!)),
  };
}

/**
 * Fees that earlier trades leave in the pool may raise the gain of later ones: relatively by at most this multiple of
 * the fee.
 */
const LEFT_IN = 2;

/** A gain raised by the most that fees left in the pool may add. */
export function withFeesLeft(gain: number, fee: number): number {
  return gain * (1 + LEFT_IN * fee);
}

/**
 * The least upper bound on the joint gain of trades over any pairs of a pool.
 *
 * @returns undefined if none was found
 */
export function levelGain(level: Level, asked: GainAsked): LevelGain | undefined {
  const slopes = new Float64Array(level.held.length);
  level.slopes(level.held, slopes);
  let start = level.held;
  const at: Try = (place) => {
    const found = gainWithoutFees(level, pricesAt(slopes, asked, Math.exp(place)), start);
    if (found !== undefined) start = found.balances;
    return found;
  };
  // The places at which a coin's clamped price leaves its lower limit, and reaches its upper limit.
  const leaves = slopes.map((slope, k) => Math.log(asked.least[k]! / slope));
  const reaches = slopes.map((slope, k) => Math.log(asked.most[k]! / slope));
  const from = Math.max(...leaves);
  const to = Math.min(...reaches);
  const best =
    from <= to
      ? { from, to, found: idleAt(level, slopes, from) }
      : bestOf(leastBetween(at, to, from, asked.shares && SHARED_PLACES));
  if (best === undefined || asked.shares === undefined) return best?.found;
  return sharingGain({ at, low: Math.min(...leaves), high: Math.max(...reaches) }, best, asked.shares);
}

/** The bound at the pool's own marginal prices, at which nothing is gained. */
function idleAt({ held }: Level, slopes: Float64Array, place: number): Tried {
  const cost = Math.exp(place) * held.reduce((sum, balance, k) => sum + balance * slopes[k]!, 0);
  return { gain: 0, balances: held, others: 0, cost, slack: held.length * ROUNDING * cost };
}

const bestOf = (one: Placed<Tried> | undefined): Best | undefined =>
  one && { found: one.found, from: one.place, to: one.place };

/** The pool's marginal prices in units of `unit`, clamped to the prices allowed. */
function pricesAt(slopes: Float64Array, { least, most }: GainAsked, unit: number): Float64Array {
  return slopes.map((slope, k) => Math.min(most[k]!, Math.max(least[k]!, unit * slope)));
}
