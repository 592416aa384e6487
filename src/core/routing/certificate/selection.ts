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
 * least θ_min each, so a set of fewer than d groups pays for d - |G| more. O(n log n).
 */

/** A group of pools at given prices: the most that it gains, and the least that one of its crossings costs. */
export type Earner = { readonly earned: number; readonly cost: number };

/** The bounds of a route's length, and the least that any crossing costs. */
export type Lengths = {
  /** Crossings that a route has at least, and at most (Infinity without a cap). */
  readonly fewest: number;
  readonly most: number;
  readonly leastCost: number;
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
export function netGain(earners: readonly Earner[], { fewest, most, leastCost }: Lengths): number {
  const left = Float64Array.from(earners, ({ earned, cost }) => earned - cost).sort();
  let sum = -fewest * leastCost;
  let used = 0;
  for (let k = left.length - 1; k >= 0 && used < most; k--, used++) {
    // Up to `fewest` a group takes the place of a crossing that would only cost.
    const gain = left[k]! + (used < fewest ? leastCost : 0);
    if (!(gain > 0)) break;
    sum += gain;
  }
  return sum;
}
