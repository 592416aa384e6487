import { barOf } from "../../../math/nth-largest.ts";
import { FARTHEST } from "../distance.ts";
import type { Earner } from "../selection.ts";

/**
 * How many earners a bound counts (0 = all), what a unit of gas costs in the unit of earnings, and the least gas of a
 * crossing.
 */
export type Counting = { readonly most: number; readonly perGas: number; readonly leastGas: number };

/**
 * What further pools may earn each, at most, without a change to the bounds of `selection.ts`.
 *
 * Gross, they earn no more than the least of those that count. Net, they do not gain after their gas, nor take the
 * place of one of those that count although they lose, which are no more than the distance of the order's ends.
 *
 * @returns 0 where all count, or where fewer are known than count
 */
export function displaced(earners: readonly Earner[], { most, perGas, leastGas }: Counting): number {
  if (most === 0) return 0;
  const gross = barOf(
    Float64Array.from(earners, ({ earned }) => earned),
    most,
  );
  const leastCost = leastGas * perGas;
  if (!(leastCost > 0)) return gross;
  const net = Float64Array.from(earners, ({ earned, cost }) => earned - cost * perGas + leastCost);
  return Math.min(gross, leastCost, barOf(net, FARTHEST));
}
