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

/** What is asked of a pool on a level: prices of a smallest unit of each coin, in any one unit, > 0. */
export type GainAsked = {
  /** Between these the prices lie at which no trade with fees gains more than without; see `within`. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly shares?: Shares | undefined;
};

/** Prices and what lies beside them where fees take at least these shares of each coin on its way in, and again on its way out. */
export function within(
  prices: readonly number[],
  taken: ArrayLike<number>,
): Pick<GainAsked, "least" | "most"> {
  return {
    least: Float64Array.from(prices, (price, k) => price * (1 - taken[k]!)),
    most: Float64Array.from(prices, (price, k) => price / (1 - taken[k]!)),
  };
}

/** What fees that earlier trades left in a pool may add to what later ones gain: as often as the fee. */
const LEFT_IN = 2;

/** A gain with what fees that stay in the pool may add to it. */
export function withFeesLeft(gain: number, fee: number): number {
  return gain * (1 + LEFT_IN * fee);
}

/**
 * The least bound on what trades over any pairs of a pool gain together.
 *
 * @returns undefined where none was found
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
  // Where a coin's price leaves the least that it may be, and where it reaches the most.
  const leaves = slopes.map((slope, k) => Math.log(asked.least[k]! / slope));
  const reaches = slopes.map((slope, k) => Math.log(asked.most[k]! / slope));
  const [from, to] = [Math.max(...leaves), Math.min(...reaches)];
  const best =
    from <= to
      ? { from, to, found: idleAt(level, slopes, from) }
      : bestOf(leastBetween(at, to, from, asked.shares && SHARED_PLACES));
  if (best === undefined || asked.shares === undefined) return best?.found;
  return sharingGain({ at, low: Math.min(...leaves), high: Math.max(...reaches) }, best, asked.shares);
}

/** At prices of the pool's own nothing is gained. */
function idleAt({ held }: Level, slopes: Float64Array, place: number): Tried {
  const cost = Math.exp(place) * held.reduce((sum, balance, k) => sum + balance * slopes[k]!, 0);
  return { gain: 0, balances: held, others: 0, cost, slack: held.length * ROUNDING * cost };
}

const bestOf = (one: Placed<Tried> | undefined): Best | undefined =>
  one && { found: one.found, from: one.place, to: one.place };

/** The pool's own prices, held within what fees leave between them and those asked. */
function pricesAt(slopes: Float64Array, { least, most }: GainAsked, unit: number): Float64Array {
  return slopes.map((slope, k) => Math.min(most[k]!, Math.max(least[k]!, unit * slope)));
}
