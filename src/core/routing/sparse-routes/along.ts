import type { Problem } from "../convex/problem.ts";
import type { Scratch } from "../convex/workspace.ts";
import { slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Flow } from "../settlement/layout.ts";

/**
 * What the tokens of flows are worth by the best way on over them, at what their pools pay then: where prices contradict each
 * other, those of the problem say little of what such flows pay.
 *
 * @returns by node of the problem; 0 for tokens that the flows do not meet
 */
export function pricesAlong(
  { curves, tail, head }: Graph,
  { nodes, sink, ref }: Problem,
  { local }: Scratch,
  flows: readonly Flow[],
): Float64Array {
  const prices = new Float64Array(nodes);
  prices[sink] = 1;
  for (let round = 0, moved = true; round < flows.length && moved; round++) {
    moved = false;
    for (const { edge, amount } of flows) {
      const [u, v] = [local[tail[edge]!]! - 1, local[head[edge]!]! - 1];
      if (u < 0 || v < 0 || u === sink) continue;
      const price = (slopeAt(curves, edge, amount) * prices[v]! * ref[v]!) / ref[u]!;
      if (!(price > prices[u]!)) continue;
      prices[u] = price;
      moved = true;
    }
  }
  return prices;
}
