import type { Placed } from "../golden-section.ts";
import { type Best, type Bounds, leastBetween, type Tried } from "./bound.ts";

/**
 * A pool whose shares are traded as well. Its level grows with their number, so what backs them may cost no less than what they are worth
 * after fees, or there is no end to what is gained; and what it costs above that is gained.
 *
 * What the shares are worth need not be known: others that trade them gain more or less by it, and any worth bounds what all gain.
 */
export type Shares = TradedShares & {
  /** What fees take of shares on their way in, and again on their way out. */
  readonly taken: number;
};

/** What all shares of a pool may be worth, and what that means to others. */
export type TradedShares = {
  /** They are worth no less and no more. */
  readonly least: number;
  readonly most: number;
  /** Others gain least where they are worth something between these, which lie between those. */
  readonly from: number;
  readonly to: number;
  /** What others gain; falls with the distance to these two. */
  readonly othersGain: (worth: number) => number;
};

/** Shares whose worth is known. */
export function sharesWorth(worth: number): TradedShares {
  return { least: worth, most: worth, from: worth, to: worth, othersGain: () => 0 };
}

/** Places that are tried: what shares cost is held against a pool's whole worth, so that a hundredth of the way is a lot. */
export const SHARED_PLACES = 22;

/**
 * The least bound on what a pool and others that trade its shares gain together. The pool gains least at some places, the others at worths
 * that other places allow: the sum is least at a place between the two.
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

/** What shares are worth between which trades of them gain nothing. */
const leastWorth = ({ cost, slack }: Tried, { taken }: Shares) => (cost + slack) * (1 - taken);
const mostWorth = ({ cost, slack }: Tried, { taken }: Shares) => (cost - slack) / (1 - taken);

/** A bound with shares and others, at the best worth that it allows; undefined where it allows none. */
function shared(found: Tried | undefined, shares: Shares): Tried | undefined {
  if (found === undefined) return undefined;
  const { least, most, from, taken, othersGain } = shares;
  const worth = Math.min(most, mostWorth(found, shares), Math.max(least, from, leastWorth(found, shares)));
  if (worth < least) return undefined;
  const others = othersGain(worth);
  const above = Math.max(0, found.cost + found.slack - worth / (1 - taken));
  return { ...found, gain: found.gain + above + others, others };
}

/** Steps at most to a place where a logarithm is zero, how near to zero that has to be, and what is surely no less than one. */
const MOST_STEPS = 60;
const MET = 1e-13;
const ENOUGH = 1 + 4 * MET;

type Wanted = { readonly low: number; readonly high: number; readonly of: (found: Tried) => number };

/**
 * The place where a logarithm that rises with the place is zero; an end where it is more or less everywhere. By secants; where two in a
 * row leave the same end as it was the middle follows.
 */
function meeting(at: Bounds["at"], { low, high, of }: Wanted): number {
  const asked = (place: number): Placed<number> => {
    const found = at(place);
    return { place, found: found === undefined ? Number.NaN : of(found) };
  };
  let [below, above] = [asked(low), asked(high)];
  if (!(below.found < 0)) return low;
  if (!(above.found > 0)) return high;
  // How often in a row the last ones have left the upper end as it was, below zero the lower one.
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
