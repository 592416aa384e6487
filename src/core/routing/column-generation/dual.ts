import type { Graph } from "../market-graph/graph.ts";
import type { Workshop } from "../workspace.ts";

/** Keeps the prices of the convex problem, in units of the token bought, in place of those before. */
export function keepDual({ values }: Graph, { problem, dual }: Workshop): void {
  dual.clear();
  const sink = problem.node[problem.sink]!;
  const unit = problem.price[problem.sink]! * values.ref[sink]!;
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    const price = (problem.price[n]! * values.ref[node]!) / unit;
    if (price > 0 && price < Infinity) dual.set(node, price);
  }
}
