/**
 * The arbitrage that an order can take along.
 *
 * In:  the optimum of the market without arbitrage with its prices ν, and the edges that gain at base prices.
 * Out: what each of these gains at ν after its gas, and a problem over the optimum's edges, those that gain most, and the ways between
 *      them, all with their real curves. A way that gains is simple, so the flows left in the primalFlow close no circle (`convex/acyclic.ts`).
 * It costs O(pairs) for the ways to and from all tokens, and is done only where an order may gain by it.
 */
import { solveAcyclic } from "../convex/acyclic.ts";
import { keepBest } from "../convex/primal-flow.ts";
import { addEdgeWithEnds, beginProblem, type Demand, dropDeadEnds } from "../convex/problem.ts";
import { profitAt, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { levelOf, pricesAt, sizeOfLevel } from "../market-graph/pair-index.ts";
import { bestEdge } from "./admission.ts";
import { settleEverywhere } from "./labels/labels.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** What an order can gain by arbitrage. */
export type Arbitrage = {
  /** The most that the market holds for it, as a share of what the optimum delivers. */
  readonly share: number;
  /** What is left of that share once it is known what the ways to each edge and on from it cost; all of it where legs are free. */
  readonly reachable: number;
  /** The edges that it may gain by. */
  readonly edges: readonly number[];
};

export const NO_ARBITRAGE: Arbitrage = { share: 0, reachable: 0, edges: [] };

/** Share of what the optimum delivers that arbitrage has to gain to be looked for. */
const WORTHWHILE = 2e-6;
/** Edges that gain which come into the problem, and edges of a way to one or on from it. */
const MOST = 64;
const LONGEST = 4;
/** Edges of the optimum's problem up to which all of them stay, and not only those that carry something. */
const FEW = 300;
/** Times what an edge gains that the trade which gains it is taken to be worth. */
const TRADED = 10;
/** Share that an edge between tokens of the problem must leave of what it takes. */
const LEAVES = 0.99;

export type Weighed = {
  /** Value of one unit of gas, and the legs that are allowed. */
  readonly perGas: number;
  readonly cap: number;
  /** What the optimum delivers, in value. */
  readonly delivered: number;
  /** Units of the token bought a wei, by which base prices are told; undefined where no token has both prices. */
  readonly scale: number | undefined;
};

/** Puts the edges by which the order may gain into the problem, and leaves better flows in the primalFlow where there are any. */
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
  // Where nothing is delivered there is nothing to compare with.
  if (!(share >= WORTHWHILE) || demand.late()) return { share, reachable: share, edges: [] };
  const size = priceWays(taking, gains[0]!.gain);
  // Free legs reach around many corners: any small gain may fit into a route.
  const reachable = perGas > 0 ? shareOf(reachedOf(taking, gains, perGas)) : share;
  const edges = edgesAround(taking, gains.slice(0, MOST), size);
  solveAlong(taking, edges);
  return { share, reachable, edges };
}

type Taking = {
  readonly graph: Graph;
  /** The same without arbitrage. */
  readonly market: Graph;
  readonly workspace: ColumnWorkspace;
  readonly demand: Demand;
  /** Value of a smallest unit by node, at the optimum's prices, or else at base prices. */
  readonly worthOf: (node: number) => number;
};

/** An edge, and what it gains after its gas, in value. */
type Gain = { readonly edge: number; readonly gain: number };

/** The edges that gain, that which gains most first. */
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

/** Works out what the ways to all tokens and on from them cost, after a trade that gains so much. @returns its value */
function priceWays({ graph, market, workspace, demand }: Taking, gain: number): number {
  const { problem, scratch } = workspace;
  const supply = demand.amount * graph.values.ref[demand.from]!;
  const level = levelOf(Math.min(supply, TRADED * gain));
  settleEverywhere({ graph: market, scratch, problem, demand, prices: pricesAt(market.pairs, level) });
  return sizeOfLevel(level);
}

/**
 * What edges gain where their ends are worth what the ways to them cost and on from them fetch, the most first, without those that no
 * route can cross, as they close a circle with these ways and the flows of the optimum.
 */
function reachedOf({ graph, workspace }: Taking, gains: readonly Gain[], perGas: number): Gain[] {
  const { buyPrices, sellPrices } = workspace.scratch;
  const { curves, tail, head, gas, values } = graph;
  const closesCircle = circlesOf(graph, workspace);
  const reached: Gain[] = [];
  for (const { edge } of gains) {
    const [u, v] = [tail[edge]!, head[edge]!];
    const [cost, sellPrice] = [buyPrices[u]! * values.ref[u]!, sellPrices[v]! * values.ref[v]!];
    if (!(cost > 0 && cost < Infinity && sellPrice > 0)) continue;
    const gain = sellPrice * profitAt(curves, edge, cost / sellPrice) - gas[edge]! * perGas;
    if (gain > 0 && gain < Infinity && !closesCircle(edge)) reached.push({ edge, gain });
  }
  return reached.sort((a, b) => b.gain - a.gain || a.edge - b.edge);
}

/** Whether an edge, the cheapest way to it, the best way on and the flows of the optimum make a circle. */
function circlesOf(graph: Graph, { primalFlow, scratch }: ColumnWorkspace): (edge: number) => boolean {
  const { tail, head, pairs } = graph;
  const { local, next, prior } = scratch;
  const ahead = aheadOf(graph, primalFlow.flows.keys());
  return (edge) => {
    const passed = new Set([tail[edge]!, head[edge]!]);
    if (passed.size === 1) return true;
    /** The token of the problem that a way ends at; -1 where it meets itself. */
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

/** The tokens that flows lead to from a token, itself among them. */
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
    // Nodes that are added meanwhile are gone through as well.
    for (const one of found) for (const far of heads.get(one) ?? []) found.add(far);
    known.set(node, found);
    return found;
  };
}

/** The edges given, the best ways to them and on, those between all tokens on these, and those of the optimum's problem. */
function edgesAround(taking: Taking, gains: readonly Gain[], size: number): readonly number[] {
  const { graph, workspace } = taking;
  const { problem, primalFlow } = workspace;
  const edges = new Set(gains.flatMap(({ edge }) => wayOver(taking, edge, size)));
  const nodes = new Set(problem.node.subarray(0, problem.nodes));
  for (const edge of edges) for (const node of [graph.tail[edge]!, graph.head[edge]!]) nodes.add(node);
  for (const edge of linksBetween(taking, nodes, size)) edges.add(edge);
  for (let e = 0; e < problem.edges && problem.edges < FEW; e++) edges.add(problem.edge[e]!);
  for (const edge of primalFlow.flows.keys()) edges.add(edge);
  // Edges of joint nodes belong to no pair.
  return [...edges].filter((edge) => graph.pair[edge]! >= 0);
}

/** An edge with the cheapest way to it and the best way on; [] where one is missing. */
function wayOver({ market, workspace, demand }: Taking, edge: number, size: number): number[] {
  const { local, next, prior, buyPrices, sellPrices, inProblem } = workspace.scratch;
  const way = [edge];
  const extend = (ends: Int32Array, ways: Int32Array, isKnown: (n: number) => boolean) => {
    for (let n = ends[edge]!, k = 0; local[n] === 0; k++) {
      const one = isKnown(n) && k < LONGEST ? bestEdge(market, { demand, inProblem }, ways[n]!, size) : -1;
      if (one < 0) return false;
      way.push(one);
      n = ends[one]!;
    }
    return true;
  };
  const isWay =
    extend(market.tail, prior, (n) => buyPrices[n]! < Infinity) &&
    extend(market.head, next, (n) => sellPrices[n]! > 0);
  return isWay ? way : [];
}

/** The best edge of every pair of these tokens that loses little after a trade of the value `size`. */
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

/** The best edge of a pair; -1 where it loses much. */
function linkOver({ market, workspace, demand, worthOf }: Taking, pair: number, size: number): number {
  const { tail, head, curves, values } = market;
  const edge = bestEdge(market, { demand, inProblem: workspace.scratch.inProblem }, pair, size);
  if (edge < 0) return -1;
  const slope = slopeAt(curves, edge, size / values.ref[tail[edge]!]!);
  return slope * worthOf(head[edge]!) > LEAVES * worthOf(tail[edge]!) ? edge : -1;
}

/** Solves the order over these edges. */
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
