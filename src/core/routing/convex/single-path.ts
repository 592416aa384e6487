import { slopeAt } from "../curves/segments.ts";
import { deliver, indexByTail, type PrimalFlow } from "./primal-flow.ts";
import type { Problem } from "./problem.ts";

/**
 * Solves a problem whose edges are one path: the whole supply takes it. Newton's method may not come into balance there,
 * because a straight edge sells nothing on one side of its price and everything on the other.
 *
 * Leaves the flow in `primalFlow`, which keeps none if the path cannot take the supply, and in `problem` what each edge
 * sells and the prices after the sale: that of a token is the marginal price of its edge, times the price that it leads to.
 *
 * @param problem all its edges and nodes lie on paths from the source to the sink
 * @returns false if the edges are no single path; nothing is changed then
 */
export function solvePath(problem: Problem, primalFlow: PrimalFlow): boolean {
  const { edges, nodes, sold, tail, head, price, ref, curves } = problem;
  // Each of the nodes but the sink has an edge that leaves it, so with so many edges each has one.
  if (edges === 0 || edges !== nodes - 1) return false;
  sold.fill(1, 0, edges);
  indexByTail(primalFlow, problem);
  if (deliver(primalFlow, problem) < 0) return true;
  const { order, start, list, sent } = primalFlow;
  for (let k = nodes - 2; k >= 0; k--) {
    const e = list[start[order[k]!]!]!;
    sold[e] = sent[e]!;
    const paid = slopeAt(curves, e, sent[e]!) * price[head[e]!]! * ref[head[e]!]!;
    price[tail[e]!] = paid / ref[tail[e]!]!;
  }
  return true;
}
