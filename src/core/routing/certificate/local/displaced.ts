import { barOf } from "../../../math/nth-largest.ts";
import { FARTHEST } from "../distance.ts";
import type { Earner } from "../selection.ts";

/**
 * Number of earners that a bound counts (0 = all), cost of a unit of gas in the unit of earnings, and the least gas of a
 * crossing.
 */
export type Counting = { readonly most: number; readonly perGas: number; readonly leastGas: number };

/**
 * The largest earning of a further pool that cannot change the bounds of `selection.ts`.
 *
 * Gross, they earn no more than the least of those that count. Net, they do not gain after their gas, nor take the
 * place of one of those that count although they lose, which are no more than the distance of the order's ends.
 *
 * @returns 0 if all count, or if fewer are known than count
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
