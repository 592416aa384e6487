import { barOf } from "../../math/nth-largest.ts";
import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import type { Graph } from "../market-graph/graph.ts";
import { bestEdge } from "../market-graph/prices/pair-prices.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** Edges admitted in a round. A problem with more edges takes as many as it has, up to a limit, so that it needs few rounds. */
const COLUMNS = 400;
const MOST_COLUMNS = 1500;
/** If candidates would earn more than this share of the order, the problem's prices are wrong; then only a few edges are admitted. */
export const OFF = 0.01;
const FEW_COLUMNS = 100;
/** Most edges of a path to an edge, or from it, that is admitted with it. */
const LONGEST = 32;
/** Candidates that would together earn less than this share of the order are not admitted. */
const LEAST_SHARE = 2e-7;

/** The result of a pricing step: what all candidates would earn together, and the value of the trade after which pools were priced. */
export type Found = { readonly gain: number; readonly size: number };

/** Puts the best-ranked candidates into the problem, each with a path of the pools that are best after a trade of that size. */
export function admit(graph: Graph, workspace: ColumnWorkspace, demand: Demand, { gain, size }: Found): void {
  const { problem, candidates, scratch } = workspace;
  const { count, edge, rank } = candidates;
  const many = Math.min(Math.max(COLUMNS, problem.edges), MOST_COLUMNS);
  const most = gain > OFF * problem.supply ? FEW_COLUMNS : many;
  const least = barOf(rank.subarray(0, count), most, (LEAST_SHARE * problem.supply) / count);
  const priceOf = (node: number) => scratch.worth[node]!;
  const best = bestEdges(graph, scratch, demand, size);
  for (let k = 0; k < count; k++) {
    if (rank[k]! < least) continue;
    for (const one of pathOver(graph, scratch, best, { edge: edge[k]!, longest: LONGEST }))
      addEdgeWithEnds(problem, graph, scratch, { edge: one, priceOf });
  }
}

/**
 * The best open edge of a pair after a trade of the value `size`, -1 if there is none. Each pair is looked at once: paths to many edges
 * pass over the same few pairs, of which one may have hundreds of pools. What is added to the problem meanwhile stays open.
 */
export function bestEdges(
  graph: Graph,
  scratch: Scratch,
  demand: Demand,
  size: number,
): (pair: number) => number {
  const isOpen = openTo(scratch, demand);
  const known = new Map<number, number>();
  return (pair) => {
    const kept = known.get(pair);
    if (kept !== undefined) return kept;
    const best = bestEdge(graph, pair, size, isOpen);
    known.set(pair, best);
    return best;
  };
}

type Over = { readonly edge: number; readonly longest: number };

/**
 * An edge with the cheapest path to it and the best path from it, each of at most `longest` edges, so that flow is possible, over the
 * best pools of their pairs; [] if there is no such path.
 */
export function pathOver(
  graph: Graph,
  scratch: Scratch,
  best: (pair: number) => number,
  { edge, longest }: Over,
): readonly number[] {
  const { local, next, prior, buyPrices, sellPrices } = scratch;
  const path = [edge];
  const extend = (ends: Int32Array, ways: Int32Array, isKnown: (n: number) => boolean) => {
    for (let n = ends[edge]!, k = 0; local[n] === 0; k++) {
      const one = isKnown(n) && k < longest ? best(ways[n]!) : -1;
      if (one < 0) return false;
      path.push(one);
      n = ends[one]!;
    }
    return true;
  };
  const isPath =
    extend(graph.tail, prior, (n) => buyPrices[n]! < Infinity) &&
    extend(graph.head, next, (n) => sellPrices[n]! > 0);
  return isPath ? path : [];
}

/** Whether an edge is allowed and not barred from the problem. */
export function openTo({ inProblem }: Scratch, { allowed }: Demand): (edge: number) => boolean {
  return (edge) => inProblem[edge]! >= 0 && allowed(edge);
}
