import { slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";

/** One crossing of a route: its edge and the amount sold to it, in smallest units. */
export type Crossing = { readonly edge: number; readonly amount: number };

/**
 * Token prices that a route implies: what the last unit of each token brings along it, in units of the token bought.
 *
 * In: crossings in execution order. Out: by node, the mean over the crossings that sell its token, weighted by amount,
 * of the pool's marginal price after the trade times the price of the token that it pays. At an optimum these terms are
 * equal. O(crossings).
 *
 * @param slopeOf the price of a pool in place of its marginal price after the trade
 */
export function routePrices(
  { curves, tail, head }: Graph,
  to: number,
  crossings: readonly Crossing[],
  slopeOf: (crossing: Crossing) => number = ({ edge, amount }) => slopeAt(curves, edge, amount),
): Map<number, number> {
  const sums = new Map<number, { worth: number; amount: number }>();
  const priceOf = (node: number) => {
    const sum = sums.get(node);
    return node === to ? 1 : sum === undefined ? 0 : sum.worth / sum.amount;
  };
  for (let k = crossings.length - 1; k >= 0; k--) {
    const { edge, amount } = crossings[k]!;
    const price = slopeOf({ edge, amount }) * priceOf(head[edge]!);
    if (!(price > 0 && price < Infinity)) continue;
    const sum = sums.get(tail[edge]!) ?? { worth: 0, amount: 0 };
    sums.set(tail[edge]!, { worth: sum.worth + amount * price, amount: sum.amount + amount });
  }
  const prices = new Map([[to, 1]]);
  for (const node of sums.keys()) prices.set(node, priceOf(node));
  return prices;
}
