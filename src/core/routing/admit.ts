import { slopeAt } from "./curves.ts";
import type { Demand } from "./demand.ts";
import type { Graph } from "./graph.ts";
import { addProblemEdge, addProblemNode } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/** Edges admitted in a round. */
const MOST_COLUMNS = 400;
/** Share of the order above which what pools promise says that the problem's prices are off, and edges admitted then. */
export const OFF = 0.01;
const FEW_COLUMNS = 100;
/** Edges of a path that is admitted together. */
const LONGEST = 32;
/** Candidates that together promise less than this share of the order are left. */
const LEAST_SHARE = 2e-7;

/** Puts the edges that promise most into the problem. @param gain what they promise together */
export function admit(graph: Graph, shop: Workshop, best: (pair: number) => number, gain: number): void {
  const { problem, window } = shop;
  const off = gain > OFF * problem.supply;
  const { count, edge, rank } = window;
  const least = barOf(
    rank.subarray(0, count),
    (LEAST_SHARE * problem.supply) / count,
    off ? FEW_COLUMNS : MOST_COLUMNS,
  );
  for (let k = 0; k < count; k++) {
    if (rank[k]! >= least) admitPath(graph, shop, edge[k]!, best);
  }
}

/** Admits an edge with the cheapest way to it and the best way on, so that something can flow; nothing where no way is open. */
function admitPath(
  graph: Graph,
  { problem, scratch }: Workshop,
  edge: number,
  best: (pair: number) => number,
): void {
  const { local, next, prior, low, high } = scratch;
  const { tail, head } = graph;
  const path = [edge];
  const extend = (ends: Int32Array, ways: Int32Array, isKnown: (n: number) => boolean) => {
    for (let n = ends[edge]!; local[n] === 0 && isKnown(n) && path.length < LONGEST; ) {
      const one = best(ways[n]!);
      if (one < 0) return false;
      path.push(one);
      n = ends[one]!;
    }
    return true;
  };
  if (!extend(tail, prior, (n) => low[n]! < Infinity) || !extend(head, next, (n) => high[n]! > 0)) return;
  for (const one of path) {
    for (const node of [tail[one]!, head[one]!]) {
      addProblemNode(problem, graph, scratch, { node, price: scratch.worth[node]! });
    }
    addProblemEdge(problem, graph, scratch, one);
  }
}

/** The parallel pool of a pair that may be used with the best price after a trade of the value `size`; -1 for none. */
export function bestEdge(
  { pairs, curves, values }: Graph,
  { demand, inProblem }: { readonly demand: Demand; readonly inProblem: Int32Array },
  pair: number,
  size: number,
): number {
  const { start, length, data } = pairs.edges;
  const x = size / values.ref[pairs.tail[pair]!]!;
  let best = -1;
  let most = 0;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const free = inProblem[data[k]!]! >= 0 && demand.allowed(data[k]!);
    const price = free ? slopeAt(curves, data[k]!, x) : 0;
    if (!(price > most)) continue;
    best = data[k]!;
    most = price;
  }
  return best;
}

/** The rank that about `most` candidates reach, and none below `least`. */
function barOf(rank: Float64Array, least: number, most: number): number {
  const good = rank.filter((value) => value > least);
  if (good.length <= most) return least;
  return good.sort()[good.length - most]!;
}
