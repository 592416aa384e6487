/**
 * What a route of limited length gains at given prices.
 *
 * In: for every group of pools g its earning E_g ≥ 0 at the prices, net that after the gas of segment boundaries, and the
 *     least θ_g that one crossing of it costs.
 * Out: the most that at most K crossings gain, without and with their costs.
 *
 *   gross:  max over sets G of at most K groups of  Σ E_g
 *   net:    max over sets G of at most K groups of  Σ (E_g - θ_g)  =  σ·K + Σ max(0, E_g - θ_g - σ)
 *
 * with σ, the shadow price of a crossing, the K-th largest of E_g - θ_g, or 0 where fewer gain. Further crossings of a
 * group gain nothing more. O(n log n).
 */

/** A group of pools at given prices: the most that trades with it gain, and the least that one crossing of it costs. */
export type Earner = {
  readonly earned: number;
  readonly cost: number;
  /** The most that trades gain less the gas of the segment boundaries that they pass; absent where that is `earned`. */
  readonly afterBoundaries?: number;
  /** The only edge on which trades gain; absent where there may be others. */
  readonly edge?: number;
};

/** What an earner gains before the gas of its crossing, but after that of segment boundaries. */
export const gainBeforeCrossing = ({ earned, afterBoundaries = earned }: Earner): number => afterBoundaries;

/** The most that at most `most` crossings gain, their costs not counted. */
export function grossGain(earners: readonly Earner[], most: number): number {
  if (earners.length <= most) return earners.reduce((sum, { earned }) => sum + earned, 0);
  return mostOf(
    Float64Array.from(earners, ({ earned }) => earned),
    most,
  ).gain;
}

/** Gains after costs: their sum, ≥ 0, and the shadow price of a crossing, ≥ 0. */
export type NetGain = {
  readonly gain: number;
  readonly shadow: number;
  /** The largest gain after costs; 0 where none is positive. */
  readonly largest: number;
};

/** The most that at most `most` crossings gain after their costs. */
export function netGain(earners: readonly Earner[], most: number): NetGain {
  return mostOf(
    Float64Array.from(earners, (one) => gainBeforeCrossing(one) - one.cost),
    most,
  );
}

/** The sum of the positive ones among the `most` largest, and the least of those if there are as many. Sorts the values. */
function mostOf(values: Float64Array, most: number): NetGain {
  values.sort();
  let gain = 0;
  const end = Math.max(0, values.length - most);
  for (let k = values.length - 1; k >= end && values[k]! > 0; k--) gain += values[k]!;
  const shadow = end > 0 || values.length === most ? Math.max(0, values[end] ?? 0) : 0;
  return { gain, shadow, largest: Math.max(0, values.at(-1) ?? 0) };
}
