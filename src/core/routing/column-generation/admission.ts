import { barOf } from "../../math/nth-largest.ts";
import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds } from "../convex/problem.ts";
import { slopeAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** Edges admitted in a round; a large problem takes as many as it has, up to a limit, so that few rounds see it. */
const COLUMNS = 400;
const MOST_COLUMNS = 1500;
/** Share of the order above which what pools promise says that the problem's prices are off, and edges admitted then. */
export const OFF = 0.01;
const FEW_COLUMNS = 100;
/** Edges of a path that is admitted together. */
const LONGEST = 32;
/** Candidates that together promise less than this share of the order are left. */
const LEAST_SHARE = 2e-7;

/** What a pricing step found: what all candidates promise together, and the value of the trade after which pools were priced. */
export type Found = { readonly gain: number; readonly size: number };

/** Puts the edges that promise most into the problem, each on a path of the pools that are best after such a trade. */
export function admit(graph: Graph, workspace: ColumnWorkspace, demand: Demand, { gain, size }: Found): void {
  const { problem, candidates, scratch } = workspace;
  const { inProblem } = scratch;
  const { count, edge, rank } = candidates;
  const many = Math.min(Math.max(COLUMNS, problem.edges), MOST_COLUMNS);
  const most = gain > OFF * problem.supply ? FEW_COLUMNS : many;
  const least = barOf(rank.subarray(0, count), most, (LEAST_SHARE * problem.supply) / count);
  const best = (pair: number) => bestEdge(graph, { demand, inProblem }, pair, size);
  for (let k = 0; k < count; k++) {
    if (rank[k]! >= least) admitPath(graph, workspace, edge[k]!, best);
  }
}

/** Admits an edge with the cheapest way to it and the best way on, so that something can flow; nothing where no way is open. */
function admitPath(
  graph: Graph,
  { problem, scratch }: ColumnWorkspace,
  edge: number,
  best: (pair: number) => number,
): void {
  const { local, next, prior, buyPrices, sellPrices } = scratch;
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
  if (!extend(tail, prior, (n) => buyPrices[n]! < Infinity) || !extend(head, next, (n) => sellPrices[n]! > 0))
    return;
  const priceOf = (node: number) => scratch.worth[node]!;
  for (const one of path) addEdgeWithEnds(problem, graph, scratch, { edge: one, priceOf });
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
    if (spotSlope(curves, data[k]!) <= most) break;
    const free = inProblem[data[k]!]! >= 0 && demand.allowed(data[k]!);
    const price = free ? slopeAt(curves, data[k]!, x) : 0;
    if (!(price > most)) continue;
    best = data[k]!;
    most = price;
  }
  return best;
}
