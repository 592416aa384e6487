/**
 * What a route of limited length gains at given prices.
 *
 * In: for every group of pools g its earning E_g ≥ 0 at the prices, and the least θ_g that one crossing of it costs.
 * Out: the most that at most K crossings gain, without and with their costs.
 *
 *   gross:  max over sets G of at most K groups of  Σ E_g
 *   net:    max over sets G of at most K groups of  Σ (E_g - θ_g) - max(0, d - |G|)·θ_min
 *
 * A route crosses at least d pools, the distance of its ends. Crossings beyond one a group gain nothing more and cost at
 * least θ_min each, so a set of fewer than d groups pays for d - |G| more. One crossing sells the order's token and one pays the
 * token bought, two where d > 1: where no group of an end gains after its cost, the best of it, or a crossing that gains
 * nothing, is crossed nonetheless. O(n log n).
 */

/** A group of pools at given prices: the most that it gains, and the least that one of its crossings costs. */
export type Earner = { readonly earned: number; readonly cost: number };

/** One end of an order: the least that a crossing costs that trades its token, and whether a group, by its place, has one. */
export type End = { readonly leastCost: number; readonly isAt: (place: number) => boolean };

/** The bounds of a route's length, and the least that any crossing costs. */
export type Lengths = {
  /** Crossings that a route has at least, and at most (Infinity without a cap). */
  readonly fewest: number;
  readonly most: number;
  readonly leastCost: number;
  readonly ends?: readonly End[];
};

/** The most that `most` crossings gain without their costs. */
export function grossGain(earners: readonly Earner[], most: number): number {
  if (earners.length <= most) return earners.reduce((sum, { earned }) => sum + earned, 0);
  const sorted = Float64Array.from(earners, ({ earned }) => earned).sort();
  let sum = 0;
  for (let k = sorted.length - 1; k >= sorted.length - most; k--) sum += sorted[k]!;
  return sum;
}

/** The most that crossings gain after their costs; below 0 where the shortest route costs more than it can gain. */
export function netGain(earners: readonly Earner[], lengths: Lengths): number {
  const { fewest, most, leastCost } = lengths;
  const left = Float64Array.from(earners, ({ earned, cost }) => earned - cost);
  const forced = forcedAt(left, lengths);
  for (const { place } of forced) if (place >= 0) left[place] = -Infinity;
  left.sort();
  let used = forced.length;
  let sum = forced.reduce((gains, { gain }) => gains + gain, (used - fewest) * leastCost);
  for (let k = left.length - 1; k >= 0 && used < most; k--, used++) {
    // Up to `fewest` a group takes the place of a crossing that would only cost.
    const gain = left[k]! + (used < fewest ? leastCost : 0);
    if (!(gain > 0)) break;
    sum += gain;
  }
  return sum;
}

/** A crossing that loses and is needed nonetheless; place -1 for one that gains nothing. */
type Forced = { readonly gain: number; readonly place: number };

/** The crossings at ends where none gains: of both ends where two are needed, and else the one that loses more. */
function forcedAt(left: Float64Array, { fewest, ends = [] }: Lengths): Forced[] {
  const losing = ends
    .map((end) => ({ end, ...bestAt(left, end) }))
    .filter(({ gain }) => !(gain > 0))
    .sort((a, b) => a.gain - b.gain)
    .slice(0, fewest);
  const [one, other] = losing;
  if (other === undefined || one!.place !== other.place) return losing;
  // A group that trades at both ends gains once, at either: the other end is reached by what loses least.
  const second = losing.map(({ end, place }) => bestAt(left, end, place));
  return [one!, second.reduce((a, b) => (b.gain > a.gain ? b : a))];
}

function bestAt(left: Float64Array, { leastCost, isAt }: End, taken = -1): Forced {
  let best: Forced = { gain: -leastCost, place: -1 };
  for (let k = 0; k < left.length; k++)
    if (left[k]! > best.gain && k !== taken && isAt(k)) best = { gain: left[k]!, place: k };
  return best;
}
