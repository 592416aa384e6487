import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import type { Demand } from "../convex/problem.ts";
import { addProblemEdge } from "../convex/problem.ts";
import { outputAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { findPair } from "../market-graph/pair-index.ts";

/** Shares of the order at which the pools of a pair are compared. */
const COMPARED = [1, 0.25];
/** Share of its value at best sell prices that a part of the order may lose in a pool, gas included. */
const MOST_LOST = 0.2;
/** A token through which more than this share of the order flows in the optimum is busy. */
const BUSY = 0.05;

type Carried = { readonly edge: number; readonly value: number };

/**
 * Adds to the problem, for each pair of busy tokens, the pools that pay most after their own gas: a ranking by price
 * misses pools that pay slightly less and cost much less gas. Needs the best sell prices of tokens in `scratch.back`.
 *
 * @param carried flows of the optimum, in value
 * @param perGas value of one unit of gas
 */
export function addFrugal(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { carried, perGas }: { readonly carried: readonly Carried[]; readonly perGas: number },
): void {
  const { problem, scratch } = workspace;
  for (const pair of pairsBetween(graph, busyTokens(graph, carried, BUSY * problem.supply))) {
    for (const part of COMPARED) {
      const edge = bestFor(graph, workspace, demand, { pair, size: part * problem.supply, perGas });
      if (edge >= 0) addProblemEdge(problem, graph, scratch, edge);
    }
  }
}

/** The tokens with an inflow or an outflow of more than `least`, in value. */
function busyTokens({ tail, head }: Graph, carried: readonly Carried[], least: number): number[] {
  const [left, entered] = [new Map<number, number>(), new Map<number, number>()];
  for (const { edge, value } of carried) {
    left.set(tail[edge]!, (left.get(tail[edge]!) ?? 0) + value);
    entered.set(head[edge]!, (entered.get(head[edge]!) ?? 0) + value);
  }
  return [...new Set([...left, ...entered].filter(([, value]) => value > least).map(([node]) => node))];
}

function pairsBetween({ pairs }: Graph, nodes: readonly number[]): number[] {
  return nodes
    .flatMap((tail) => nodes.map((head) => (tail === head ? -1 : findPair(pairs, tail, head))))
    .filter((pair) => pair >= 0);
}

type Part = {
  readonly pair: number;
  /** Value sold. */
  readonly size: number;
  readonly perGas: number;
};

/** The edge of a pair that nets most after gas for a part of the order; -1 if all lose more than `MOST_LOST`. */
function bestFor(
  { pairs, gas, curves, values }: Graph,
  { scratch }: ColumnWorkspace,
  { allowed }: Demand,
  { pair, size, perGas }: Part,
): number {
  const { start, length, data } = pairs.edges;
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair ^ 1]!;
  const unit = values.ref[head]! * scratch.back[head]!;
  const sold = size / values.ref[tail]!;
  let most = (1 - MOST_LOST) * size * scratch.back[tail]!;
  let best = -1;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (spotSlope(curves, edge) * sold * unit <= most) break;
    const net = outputAt(curves, edge, sold) * unit - gas[edge]! * perGas;
    if (!(net > most) || !allowed(edge)) continue;
    most = net;
    best = edge;
  }
  return best;
}
