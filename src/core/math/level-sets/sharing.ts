import type { Placed } from "../golden-section.ts";
import { type Best, type Bounds, leastBetween, type Tried } from "./bound.ts";

/**
 * Bounds the gain of trades with a pool and with its shares.
 *
 * The level grows with the supply of shares. Let C be the cost of the level, W the worth of all shares, and f the fee
 * taken of shares each way. If W > C/(1 - f), minting shares gains without limit. If W < C·(1 - f), redeeming them
 * gains the difference.
 *
 * W need not be known: others that trade the shares gain more or less depending on it, and every W gives a valid
 * bound on the gain of all together.
 */
export type Shares = TradedShares & {
  /** Fraction of shares taken by fees, both when they are minted and when they are redeemed. */
  readonly taken: number;
};

/** The possible worth of all shares of a pool, and the gain of others that trade them as a function of it. */
export type TradedShares = {
  /** Bounds on the worth. */
  readonly least: number;
  readonly most: number;
  /** The interval, inside these bounds, at which others gain least. */
  readonly from: number;
  readonly to: number;
  /** Gain of others at a worth; grows with the distance from the interval. */
  readonly othersGain: (worth: number) => number;
};

/** Shares of known worth. */
export function sharesWorth(worth: number): TradedShares {
  return { least: worth, most: worth, from: worth, to: worth, othersGain: () => 0 };
}

/**
 * Number of places evaluated if shares are traded: their cost is compared with the pool's whole worth, so places must
 * be finer.
 */
export const SHARED_PLACES = 22;

/**
 * The least bound on the joint gain of a pool and others that trade its shares. The pool's bound is least at some
 * places, the bound of the others at worths that other places allow; the sum is least at a place in between.
 */
export function sharingGain(bounds: Bounds, best: Best, shares: Shares): Tried | undefined {
  const { low, high } = bounds;
  const at = (place: number) => shared(bounds.at(place), shares);
  const dear = (found: Tried) => Math.log(leastWorth(found, shares) / shares.to);
  const cheap = (found: Tried) => Math.log(mostWorth(found, shares) / (shares.from * ENOUGH));
  if (dear(best.found) > 0) {
    const met = meeting(bounds.at, { low, high: best.from, of: dear });
    return least(
      at(met),
      shares.most === shares.to ? undefined : leastBetween(at, met, best.from, SHARED_PLACES)?.found,
    );
  }
  if (cheap(best.found) >= 0) return shared(best.found, shares);
  const met = meeting(bounds.at, { low: best.from, high, of: cheap });
  const isBeside = met > best.to && shares.least !== shares.from;
  return least(at(met), isBeside ? leastBetween(at, best.to, met, SHARED_PLACES)?.found : undefined);
}

function least(one: Tried | undefined, other: Tried | undefined): Tried | undefined {
  return one === undefined || (other !== undefined && other.gain < one.gain) ? other : one;
}

/** The interval of the shares' worth in which minting or redeeming them gains nothing. */
const leastWorth = ({ cost, slack }: Tried, { taken }: Shares) => (cost + slack) * (1 - taken);
const mostWorth = ({ cost, slack }: Tried, { taken }: Shares) => (cost - slack) / (1 - taken);

/** A bound that includes shares and others, at the best worth that it allows; undefined if it allows none. */
function shared(found: Tried | undefined, shares: Shares): Tried | undefined {
  if (found === undefined) return undefined;
  const { least, most, from, taken, othersGain } = shares;
  const worth = Math.min(most, mostWorth(found, shares), Math.max(least, from, leastWorth(found, shares)));
  if (worth < least) return undefined;
  const others = othersGain(worth);
  const above = Math.max(0, found.cost + found.slack - worth / (1 - taken));
  return { ...found, gain: found.gain + above + others, others };
}

/** Cap on steps to a zero, the absolute tolerance at the zero, and a factor above one by more than that tolerance. */
const MOST_STEPS = 60;
const MET = 1e-13;
const ENOUGH = 1 + 4 * MET;

type Wanted = { readonly low: number; readonly high: number; readonly of: (found: Tried) => number };

/**
 * The place at which `of`, which rises with the place, is zero; an end of the interval if there is no zero. By regula
 * falsi, with a bisection after two steps that kept the same end.
 */
function meeting(at: Bounds["at"], { low, high, of }: Wanted): number {
  const asked = (place: number): Placed<number> => {
    const found = at(place);
    return { place, found: found === undefined ? Number.NaN : of(found) };
  };
  let below = asked(low);
  let above = asked(high);
  if (!(below.found < 0)) return low;
  if (!(above.found > 0)) return high;
  // Number of steps in a row that kept the upper end; negative for the lower end.
  let row = 0;
  for (let k = 0; k < MOST_STEPS; k++) {
    const part = Math.abs(row) < 2 ? below.found / (below.found - above.found) : 1 / 2;
    const next = asked(below.place + part * (above.place - below.place));
    if (Math.abs(next.found) <= MET) return next.place;
    if (next.found < 0) [below, row] = [next, Math.max(1, row + 1)];
    else [above, row] = [next, Math.min(-1, row - 1)];
  }
  return above.place;
}
