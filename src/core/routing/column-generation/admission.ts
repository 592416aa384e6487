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
  for (let k = 0; k < count; k++) {
    if (rank[k]! < least) continue;
    for (const one of pathOver(graph, scratch, demand, { edge: edge[k]!, size, longest: LONGEST }))
      addEdgeWithEnds(problem, graph, scratch, { edge: one, priceOf });
  }
}

type Over = { readonly edge: number; readonly size: number; readonly longest: number };

/**
 * An edge with the cheapest path to it and the best path from it, each of at most `longest` edges, so that flow is possible, over the
 * pools that are best after a trade of the value `size`; [] if there is no such path.
 */
export function pathOver(
  graph: Graph,
  scratch: Scratch,
  demand: Demand,
  { edge, size, longest }: Over,
): readonly number[] {
  const { local, next, prior, buyPrices, sellPrices } = scratch;
  const isOpen = openTo(scratch, demand);
  const path = [edge];
  const extend = (ends: Int32Array, ways: Int32Array, isKnown: (n: number) => boolean) => {
    for (let n = ends[edge]!, k = 0; local[n] === 0; k++) {
      const one = isKnown(n) && k < longest ? bestEdge(graph, ways[n]!, size, isOpen) : -1;
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
