import { shareCurve } from "../curves/segments.ts";
import { growEdges, growNodes, type Problem } from "./problem.ts";

/**
 * Makes `small` the problem over some edges of `whole`, at the same prices.
 *
 * @param chosen local numbers of edges; they become 0, 1, … in the order given
 */
export function subProblem(small: Problem, whole: Problem, chosen: readonly number[]): void {
  small.supply = whole.supply;
  small.nodes = 0;
  small.edges = 0;
  growEdges(small, chosen.length);
  const place = new Map<number, number>();
  small.source = copyNode(small, whole, place, whole.source);
  small.sink = copyNode(small, whole, place, whole.sink);
  small.curves.lanes = whole.curves.lanes;
  for (const e of chosen) {
    const local = small.edges++;
    shareCurve(small.curves, local, whole.curves, e);
    small.edge[local] = whole.edge[e]!;
    small.tail[local] = copyNode(small, whole, place, whole.tail[e]!);
    small.head[local] = copyNode(small, whole, place, whole.head[e]!);
    small.lane[local] = whole.lane[e]!;
    small.sold[local] = 0;
  }
}

function copyNode(small: Problem, whole: Problem, place: Map<number, number>, n: number): number {
  const known = place.get(n);
  if (known !== undefined) return known;
  const local = small.nodes++;
  growNodes(small, local + 1);
  place.set(n, local);
  small.node[local] = whole.node[n]!;
  small.ref[local] = whole.ref[n]!;
  small.price[local] = whole.price[n]!;
  small.free[local] = whole.free[n]!;
  return local;
}
