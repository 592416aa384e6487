/**
 * The arbitrage that an order can take along.
 *
 * In:  the optimum of the market without arbitrage with its prices ν, and the edges that gain at base prices.
 * Out: what each of these gains at ν after its gas, and a problem over the optimum's edges, those that gain most, and
 *      the paths between them, all with their real curves. A route is a simple path, so cycles of the best flows are
 *      cut (`convex/acyclic.ts`).
 * It costs O(pairs) for the paths to and from all tokens, and is done only if the order may gain by it.
 */
import { solveAcyclic } from "../convex/acyclic.ts";
import { keepBest } from "../convex/primal-flow.ts";
import { addEdgeWithEnds, beginProblem, type Demand, dropDeadEnds } from "../convex/problem.ts";
import { profitAt, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { levelOf, pricesAt, sizeOfLevel } from "../market-graph/pair-index.ts";
import { bestEdge } from "../market-graph/prices/pair-prices.ts";
import { bestEdges, openTo, pathOver } from "./admission.ts";
import { settleEverywhere } from "./labels/labels.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** What an order can gain by arbitrage. */
export type Arbitrage = {
  /**
   * Sum of the largest gains, as many as legs are allowed, as a share of what the optimum delivers: if legs cost gas,
   * after the cost of the paths to and from each edge.
   */
  readonly reachable: number;
  /** The edges of the problem that was solved to take it; none if it was not worth solving. */
  readonly edges: readonly number[];
};

export const NO_ARBITRAGE: Arbitrage = { reachable: 0, edges: [] };

/** Share of what the optimum delivers that arbitrage must gain to be considered. */
const WORTHWHILE = 2e-6;
/** Most edges that gain in the problem, and most edges of a path to or from one of them. */
const MOST = 64;
const LONGEST = 4;
/** Number of edges of the optimum's problem below which all of them stay, and not only those that carry flow. */
const FEW = 300;
/** Assumed value of the trade that gains, as a multiple of the gain. */
const TRADED = 10;
/** Share of its input's value that a link between two tokens of the problem must pay. */
const LEAVES = 0.99;

export type Weighed = {
  /** Value of one unit of gas, and the cap on the number of legs. */
  readonly perGas: number;
  readonly cap: number;
  /** What the optimum delivers, in value. */
  readonly delivered: number;
  /** Units of the token bought per wei, which scales base prices; undefined if no token has both prices. */
  readonly scale: number | undefined;
};

/** Puts the edges by which the order may gain into the problem, solves it, and keeps its flow if it delivers more. */
export function takeArbitrage(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { perGas, cap, delivered, scale }: Weighed,
): Arbitrage {
  const { arbitrageFree, values } = graph;
  if (arbitrageFree.market === undefined || scale === undefined) return NO_ARBITRAGE;
  const unit = values.ref[demand.to]!;
  const worthOf = (node: number) => (workspace.dual.get(node) ?? graph.base.price[node]! * scale) * unit;
  const taking: Taking = { graph, market: arbitrageFree.market, workspace, demand, worthOf };
  const gains = gainsOf(taking, perGas);
  const shareOf = (some: readonly Gain[]) =>
    some.slice(0, cap).reduce((sum, { gain }) => sum + gain, 0) / delivered;
  const share = shareOf(gains);
  // Without a flow `delivered` is -1, and the share is not positive.
  if (!(share >= WORTHWHILE) || demand.late()) return { reachable: share, edges: [] };
  const size = pricePaths(taking, gains[0]!.gain);
  // If legs are free, any small gain may fit into a long route.
  const reachable = perGas > 0 ? shareOf(reachedOf(taking, gains, perGas)) : share;
  const edges = edgesAround(taking, gains.slice(0, MOST), size);
  solveAlong(taking, edges);
  return { reachable, edges };
}

type Taking = {
  readonly graph: Graph;
  /** The market without its arbitrage. */
  readonly market: Graph;
  readonly workspace: ColumnWorkspace;
  readonly demand: Demand;
  /** Value of a smallest unit by node, at the optimum's prices, or else at base prices. */
  readonly worthOf: (node: number) => number;
};

/** An edge, and what it gains after its gas, in value. */
type Gain = { readonly edge: number; readonly gain: number };

/** The edges that gain after their gas, in descending order of gain. */
function gainsOf({ graph, demand, worthOf }: Taking, perGas: number): Gain[] {
  const { arbitrageFree, tail, head, curves, gas } = graph;
  const gains: Gain[] = [];
  for (const edge of arbitrageFree.gainers) {
    const bought = worthOf(head[edge]!);
    const gain = bought * profitAt(curves, edge, worthOf(tail[edge]!) / bought) - gas[edge]! * perGas;
    if (gain > 0 && gain < Infinity && demand.allowed(edge)) gains.push({ edge, gain });
  }
  return gains.sort((a, b) => b.gain - a.gain || a.edge - b.edge);
}

/** Labels all tokens with buy and sell prices after a trade that gains `gain`. @returns the value of that trade */
function pricePaths({ graph, market, workspace, demand }: Taking, gain: number): number {
  const { problem, scratch } = workspace;
  const supply = demand.amount * graph.values.ref[demand.from]!;
  const level = levelOf(Math.min(supply, TRADED * gain));
  settleEverywhere({ graph: market, scratch, problem, demand, prices: pricesAt(market.pairs, level) });
  return sizeOfLevel(level);
}

/**
 * What edges gain if the token sold is valued at its buy price and the token bought at its sell price, in descending order.
 * Edges that close a cycle with these paths and the flows of the optimum are left out, as no route crosses them.
 */
function reachedOf({ graph, workspace }: Taking, gains: readonly Gain[], perGas: number): Gain[] {
  const { buyPrices, sellPrices } = workspace.scratch;
  const { curves, tail, head, gas, values } = graph;
  const closesCycle = cyclesOf(graph, workspace);
  const reached: Gain[] = [];
  for (const { edge } of gains) {
    const u = tail[edge]!;
    const v = head[edge]!;
    const cost = buyPrices[u]! * values.ref[u]!;
    const sellPrice = sellPrices[v]! * values.ref[v]!;
    if (!(cost > 0 && cost < Infinity && sellPrice > 0)) continue;
    const gain = sellPrice * profitAt(curves, edge, cost / sellPrice) - gas[edge]! * perGas;
    if (gain > 0 && gain < Infinity && !closesCycle(edge)) reached.push({ edge, gain });
  }
  return reached.sort((a, b) => b.gain - a.gain || a.edge - b.edge);
}

/** Whether an edge, the cheapest path to it, the best path from it and the flows of the optimum form a cycle. */
function cyclesOf(graph: Graph, { primalFlow, scratch }: ColumnWorkspace): (edge: number) => boolean {
  const { tail, head, pairs } = graph;
  const { local, next, prior } = scratch;
  const ahead = aheadOf(graph, primalFlow.flows.keys());
  return (edge) => {
    const passed = new Set([tail[edge]!, head[edge]!]);
    if (passed.size === 1) return true;
    /** The token of the problem at which a path ends; -1 if the path meets itself. */
    const endOf = (first: number, ways: Int32Array, far: 0 | 1) => {
      let node = first;
      while (local[node] === 0) {
        node = pairs.tail[ways[node]! ^ far]!;
        if (passed.has(node)) return -1;
        passed.add(node);
      }
      return node;
    };
    const begin = endOf(tail[edge]!, prior, 0);
    const end = begin < 0 ? -1 : endOf(head[edge]!, next, 1);
    return end < 0 || ahead(end).has(begin);
  };
}

/** The tokens that flows lead to from a token, including itself. */
function aheadOf({ tail, head }: Graph, edges: Iterable<number>): (node: number) => ReadonlySet<number> {
  const heads = new Map<number, number[]>();
  for (const edge of edges) {
    const known = heads.get(tail[edge]!);
    if (known === undefined) heads.set(tail[edge]!, [head[edge]!]);
    else known.push(head[edge]!);
  }
  const known = new Map<number, ReadonlySet<number>>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const found = new Set([node]);
    // The loop also visits nodes that are added during it.
    for (const one of found) for (const far of heads.get(one) ?? []) found.add(far);
    known.set(node, found);
    return found;
  };
}

/** The edges that gain, the best paths to and from them, links between all tokens of these, and the edges of the optimum's problem. */
function edgesAround(taking: Taking, gains: readonly Gain[], size: number): readonly number[] {
  const { graph, workspace } = taking;
  const { problem, primalFlow } = workspace;
  const { market, demand } = taking;
  const best = bestEdges(market, workspace.scratch, demand, size);
  const edges = new Set(
    gains.flatMap(({ edge }) => pathOver(market, workspace.scratch, best, { edge, longest: LONGEST })),
  );
  const nodes = new Set(problem.node.subarray(0, problem.nodes));
  for (const edge of edges) for (const node of [graph.tail[edge]!, graph.head[edge]!]) nodes.add(node);
  for (const edge of linksBetween(taking, nodes, size)) edges.add(edge);
  for (let e = 0; e < problem.edges && problem.edges < FEW; e++) edges.add(problem.edge[e]!);
  for (const edge of primalFlow.flows.keys()) edges.add(edge);
  // Edges of joint nodes, which belong to no pair, are left out.
  return [...edges].filter((edge) => graph.pair[edge]! >= 0);
}

/** The best edge of each pair of these tokens, if it loses little after a trade of the value `size`. */
function linksBetween(taking: Taking, nodes: ReadonlySet<number>, size: number): number[] {
  const { from, to } = taking.demand;
  const { start, length, data } = taking.market.pairs.onward;
  const links: number[] = [];
  for (const node of nodes) {
    const last = node === to ? 0 : start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k += 2) {
      const edge = nodes.has(data[k + 1]!) && data[k + 1] !== from ? linkOver(taking, data[k]!, size) : -1;
      if (edge >= 0) links.push(edge);
    }
  }
  return links;
}

/** The best edge of a pair; -1 if it loses more than `LEAVES` allows. */
function linkOver({ market, workspace, demand, worthOf }: Taking, pair: number, size: number): number {
  const { tail, head, curves, values } = market;
  const edge = bestEdge(market, pair, size, openTo(workspace.scratch, demand));
  if (edge < 0) return -1;
  const slope = slopeAt(curves, edge, size / values.ref[tail[edge]!]!);
  return slope * worthOf(head[edge]!) > LEAVES * worthOf(tail[edge]!) ? edge : -1;
}

/** Solves the order over these edges without cycles, and keeps the flow if it delivers more than before. */
function solveAlong({ graph, workspace, demand, worthOf }: Taking, edges: readonly number[]): void {
  const { problem, scratch, primalFlow } = workspace;
  const { from, to, late } = demand;
  const { ref } = graph.values;
  const priceOf = (node: number) => worthOf(node) / ref[node]! || 1;
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * ref[from]! });
  for (const edge of edges) addEdgeWithEnds(problem, graph, scratch, { edge, priceOf });
  dropDeadEnds(problem, scratch);
  for (let n = 0; n < problem.nodes; n++) problem.price[n] = priceOf(problem.node[n]!);
  problem.price[problem.sink] = 1;
  solveAcyclic(problem, workspace, late);
  keepBest(primalFlow, problem);
}
