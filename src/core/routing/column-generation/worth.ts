import type { Demand } from "../convex/demand.ts";
import type { Problem } from "../convex/problem.ts";
import { forgetLabels, label, type Scratch } from "../convex/workspace.ts";
import type { Graph } from "../market-graph/graph.ts";
import { findPair, type Prices } from "../market-graph/pair-index.ts";

/** A solved problem whose prices say what all other tokens are worth. */
export type Worth = {
  readonly graph: Graph;
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly demand: Demand;
  /** Normalised prices of all pairs, at spot or at a trade size. */
  readonly prices: Prices;
};

/** A price is better only by more than the rounding of its product. */
export const MARGIN = 1 + 1e-11;
/** Tokens that are looked at between two looks at the clock. */
export const BETWEEN_CLOCKS = 256;

/** Neighbours from which on a token's row is longer than the problem. */
const HUB = 64;

/** Calls `visit` with every pair of two tokens of the problem. */
export function forEachInside({ graph, scratch, problem }: Worth, visit: (pair: number) => void): void {
  const { onward, degree } = graph.pairs;
  const { start, length, data } = onward;
  const hubs: number[] = [];
  for (let n = 0; n < problem.nodes; n++) {
    const token = problem.node[n]!;
    if (degree[token]! > HUB) {
      hubs.push(token);
      continue;
    }
    const last = start[token]! + length[token]!;
    for (let k = start[token]!; k < last; k += 2) {
      const far = data[k + 1]!;
      if (scratch.local[far] === 0) continue;
      visit(data[k]!);
      if (degree[token] === 1 || degree[far]! > HUB) visit(data[k]! ^ 1);
    }
  }
  visitHubs(graph, hubs, visit);
  visitLeaves(graph, problem, visit);
}

function visitHubs({ pairs }: Graph, hubs: readonly number[], visit: (pair: number) => void): void {
  for (const tail of hubs) {
    for (const head of hubs) {
      const pair = tail === head ? -1 : findPair(pairs, tail, head);
      if (pair >= 0) visit(pair);
    }
  }
}

/** Tokens of one neighbour are in no row: two of them know only each other. */
function visitLeaves({ pairs }: Graph, { node, source, sink }: Problem, visit: (pair: number) => void): void {
  const [from, to] = [node[source]!, node[sink]!];
  const pair = pairs.degree[from] === 1 && pairs.degree[to] === 1 ? findPair(pairs, from, to) : -1;
  if (pair >= 0) visit(pair);
}

/** A token of the problem costs and fetches its price; nothing is known of all others. */
export function beginWorth({ scratch, problem }: Worth): void {
  const { low, high, worth } = scratch;
  forgetLabels(scratch);
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    label(scratch, node);
    low[node] = high[node] = worth[node] = problem.price[n]!;
  }
}
