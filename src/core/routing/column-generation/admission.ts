import { barOf } from "../../math/nth-largest.ts";
import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds } from "../convex/problem.ts";
import { slopeAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** Edges admitted in a round. A problem with more edges takes as many as it has, up to a limit, so that it needs few rounds. */
const COLUMNS = 400;
const MOST_COLUMNS = 1500;
/** If candidates would earn more than this share of the order, the problem's prices are wrong; then only a few edges are admitted. */
export const OFF = 0.01;
const FEW_COLUMNS = 100;
/** Most edges of a path that is admitted together. */
const LONGEST = 32;
/** Candidates that would together earn less than this share of the order are not admitted. */
const LEAST_SHARE = 2e-7;

/** The result of a pricing step: what all candidates would earn together, and the value of the trade after which pools were priced. */
export type Found = { readonly gain: number; readonly size: number };

/** Puts the best-ranked candidates into the problem, each with a path of the pools that are best after a trade of that size. */
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

/** Admits an edge with the cheapest path to it and the best path from it, so that flow is possible; nothing if there is no such path. */
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

/** Of the parallel pools of a pair that may be used, the one with the best price after a trade of the value `size`; -1 if there is none. */
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
