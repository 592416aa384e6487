import { barOf } from "../../../math/nth-largest.ts";
import type { Earner } from "../selection.ts";

/**
 * Number of earners that a bound counts (0 = all), cost of a unit of gas in the unit of earnings, and the least gas of a
 * crossing.
 */
export type Counting = { readonly most: number; readonly perGas: number; readonly leastGas: number };

/**
 * The largest earning of a further pool that cannot change the gains of `selection.ts`: gross, no more than the least of
 * those that count; net, no more than its gas.
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
  return leastCost > 0 ? Math.min(gross, leastCost) : gross;
}
