/**
 * What a route of limited length gains at given prices.
 *
 * In: for every group of pools g its earning E_g ≥ 0 at the prices, and the least θ_g that one crossing of it costs.
 * Out: the most that at most K crossings gain, without and with their costs.
 *
 *   gross:  max over sets G of at most K groups of  Σ E_g
 *   net:    max over sets G of at most K groups of  Σ (E_g - θ_g) - max(0, d - |G|)·θ_min
 *
 * A route crosses at least d pools, where d is the distance of its ends. Further crossings of a group gain nothing more
 * and cost at least θ_min each, so a set of fewer than d groups also pays for d - |G| crossings that gain nothing. One
 * crossing sells the order's token and one pays the token bought; these are two crossings where d > 1. Where no group
 * that trades the token of an end gains after its cost, the best such group, or a crossing that gains nothing, is
 * counted all the same, with its loss. O(n log n).
 */

/** A group of pools at given prices: the most that trades with it gain, and the least that one crossing of it costs. */
export type Earner = { readonly earned: number; readonly cost: number };

/**
 * One end of an order: the least cost of a crossing that trades the end's token, and whether the group at a place of
 * the list of earners trades it.
 */
export type End = { readonly leastCost: number; readonly isAt: (place: number) => boolean };

/** The least and the largest number of crossings of a route, the least cost of any crossing, and the order's ends. */
export type Lengths = {
  /** Number of crossings of a route: at least `fewest` (d), at most `most` (K; Infinity without a cap). */
  readonly fewest: number;
  readonly most: number;
  readonly leastCost: number;
  readonly ends?: readonly End[];
};

/** The most that at most `most` crossings gain, their costs not counted. */
export function grossGain(earners: readonly Earner[], most: number): number {
  if (earners.length <= most) return earners.reduce((sum, { earned }) => sum + earned, 0);
  const sorted = new Float64Array(earners.length);
  for (let k = 0; k < earners.length; k++) sorted[k] = earners[k]!.earned;
  sorted.sort();
  let sum = 0;
  for (let k = sorted.length - 1; k >= sorted.length - most; k--) sum += sorted[k]!;
  return sum;
}

/**
 * The most that the crossings of a route gain after their costs; below 0 where every route costs more than it gains.
 */
export function netGain(earners: readonly Earner[], lengths: Lengths): number {
  const { fewest, most, leastCost } = lengths;
  const left = new Float64Array(earners.length);
  for (let k = 0; k < earners.length; k++) left[k] = earners[k]!.earned - earners[k]!.cost;
  const forced = forcedAt(left, lengths);
  for (const { place } of forced) if (place >= 0) left[place] = -Infinity;
  left.sort();
  let used = forced.length;
  let sum = forced.reduce((gains, { gain }) => gains + gain, (used - fewest) * leastCost);
  for (let k = left.length - 1; k >= 0 && used < most; k--, used++) {
    // Among the first `fewest` crossings a group replaces one that gains nothing and costs `leastCost`.
    const gain = left[k]! + (used < fewest ? leastCost : 0);
    if (!(gain > 0)) break;
    sum += gain;
  }
  return sum;
}

/** A crossing that a route needs although it loses; place -1 stands for one that gains nothing. */
type Forced = { readonly gain: number; readonly place: number };

/**
 * The crossings that the ends need where none of theirs gains: one for each such end where a route has at least two
 * crossings, otherwise the one that loses more.
 */
function forcedAt(left: Float64Array, { fewest, ends = [] }: Lengths): Forced[] {
  const losing = ends
    .map((end) => ({ end, ...bestAt(left, end) }))
    .filter(({ gain }) => !(gain > 0))
    .sort((a, b) => a.gain - b.gain)
    .slice(0, fewest);
  const [one, other] = losing;
  if (other === undefined || one!.place !== other.place) return losing;
  // One group serves both ends, but its gain counts once: the other end needs the crossing that loses least besides it.
  const second = losing.map(({ end, place }) => bestAt(left, end, place));
  return [one!, second.reduce((a, b) => (b.gain > a.gain ? b : a))];
}

/** The crossing at an end that loses least or gains most, other than the group at place `taken`. */
function bestAt(left: Float64Array, { leastCost, isAt }: End, taken = -1): Forced {
  let best: Forced = { gain: -leastCost, place: -1 };
  for (let k = 0; k < left.length; k++)
    if (left[k]! > best.gain && k !== taken && isAt(k)) best = { gain: left[k]!, place: k };
  return best;
}
