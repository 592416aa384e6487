import { profitAt, spotSlope } from "../../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../../market-graph/graph.ts";
import { isFollower } from "../../market-graph/prices/base-prices.ts";
import type { CertifiedOrder } from "../certify.ts";

/**
 * The part of the market over which an order's bound is minimised.
 *
 * In: prices of some tokens, and which of them are variables. Out: the edges around these that earn about as much as a crossing
 * costs. A token that is no variable keeps its price relative to the hub, the variable of most neighbours: its edges count as edges
 * of the hub, scaled. The token bought has the price 1. Pools of constant price, which have no depth, are left out.
 */
export type DualProblem = {
  /** Graph node of each variable; the first one is the token bought, whose price is fixed. */
  readonly nodes: number[];
  readonly placeOf: Map<number, number>;
  /** Price of each variable, in units of the token bought. */
  readonly price: number[];
  /** Place of the variable that tokens outside the problem follow. */
  readonly hub: number;
  /** Price of the hub to begin with, and of any node. */
  readonly hubReference: number;
  readonly reference: (node: number) => number;
  readonly edges: DualEdge[];
  /** Prices at which the edges were listed. */
  readonly listed: number[];
};

/** An edge between two variables, or between one and a token that follows the hub. */
export type DualEdge = {
  readonly edge: number;
  /** Places of the variables that stand for its ends, and the prices of the ends by theirs. */
  readonly tail: number;
  readonly head: number;
  readonly tailScale: number;
  readonly headScale: number;
  /** Least gas of a crossing, in units of the token bought. */
  readonly cost: number;
};

/** Where the bound is minimised from. */
export type DualStart = {
  /** Prices to begin with, in units of the token bought. */
  readonly prices: ReadonlyMap<number, number>;
  /** The tokens that are variables. */
  readonly variables: Iterable<number>;
  /** Settled base prices in wei. */
  readonly settled: ReadonlyMap<number, number>;
  /** At the prices to begin with, what a crossing costs beyond its gas as it takes the place of another, in units of the token bought. */
  readonly shadow: number;
};

/** Variables of a problem at most: a step of Newton's method costs their number to the power of three. */
const MOST_NODES = 120;
const MOST_EDGES = 3000;
/** Share by which a price may move before edges are listed again: of a token of few neighbours, and of many. */
const AHEAD = 3e-2;
const AHEAD_OF_MANY = 3e-3;
const MANY = 64;
/** Share of what a crossing costs that an edge must earn, with its price that much better, to be listed. */
const WORTH_LISTING = 0.05;
/** The same of what a crossing costs beyond its gas, as it takes the place of another. */
const WORTH_A_PLACE = 0.5;

/** @returns undefined where a variable has no price */
export function beginDual(graph: Graph, order: CertifiedOrder, start: DualStart): DualProblem | undefined {
  const nodes = [...new Set([order.to, order.from, ...start.variables, NATIVE_NODE])].slice(0, MOST_NODES);
  const { degree } = graph.pairs;
  const hubNode = nodes.reduce((most, node) => (degree[node]! > degree[most]! ? node : most));
  const baseOf = (node: number) => start.settled.get(node) ?? graph.base.price[node]!;
  const known = new Map(start.prices).set(order.to, 1);
  const perWei = (known.get(hubNode) ?? 0) / baseOf(hubNode);
  if (!(perWei > 0 && perWei < Infinity)) return undefined;
  const reference = (node: number) => known.get(node) ?? perWei * baseOf(node);
  const price = nodes.map(reference);
  if (!price.every((one) => one > 0 && one < Infinity)) return undefined;
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  const hub = placeOf.get(hubNode)!;
  return { nodes, placeOf, price, hub, hubReference: price[hub]!, reference, edges: [], listed: [] };
}

/** Price of any node of the graph; 0 where it has none. */
export function priceIn(problem: DualProblem, node: number): number {
  const place = problem.placeOf.get(node);
  if (place !== undefined) return problem.price[place]!;
  return (problem.reference(node) * problem.price[problem.hub]!) / problem.hubReference;
}

/** Makes a token of the graph a variable, at the price that it has, where there is room for it. */
export function addVariable(problem: DualProblem, node: number): void {
  const { nodes, placeOf, price } = problem;
  if (placeOf.has(node) || nodes.length >= MOST_NODES) return;
  const now = priceIn(problem, node);
  if (!(now > 0 && now < Infinity)) return;
  placeOf.set(node, nodes.length);
  nodes.push(node);
  price.push(now);
}

/** What counts as an edge worth listing. */
export type Listing = {
  readonly order: CertifiedOrder;
  /** Earnings that are of no account, in units of the token bought. */
  readonly least: number;
  /** What a crossing costs beyond its gas, in units of the token bought. */
  readonly shadow: number;
};

/** Lists the edges around the variables anew. */
export function listEdges(graph: Graph, problem: DualProblem, listing: Listing): void {
  problem.edges.length = 0;
  problem.listed.splice(0, problem.listed.length, ...problem.price);
  const { start, length, data } = graph.pairs.outgoing;
  for (const [place, node] of problem.nodes.entries()) {
    for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
      if (!isListedFrom(graph, problem, place, data[k]!)) continue;
      listPair(graph, problem, listing, data[k]!);
      listPair(graph, problem, listing, data[k]! ^ 1);
    }
  }
}

/** Pairs of two variables are listed by the first. The hub has those with variables only: other tokens follow it. */
function isListedFrom(graph: Graph, { placeOf, hub }: DualProblem, place: number, pair: number): boolean {
  const other = graph.pairs.tail[pair ^ 1]!;
  const there = placeOf.get(other);
  return there === undefined ? place !== hub && !isFollower(graph, other) : there > place;
}

function listPair(graph: Graph, problem: DualProblem, { order, least, shadow }: Listing, pair: number): void {
  const { pairs, curves } = graph;
  const [tail, head] = [pairs.tail[pair]!, pairs.tail[pair ^ 1]!];
  const [sold, bought] = [priceIn(problem, tail), priceIn(problem, head)];
  if (!(sold > 0 && bought > 0)) return;
  const ahead = Math.max(aheadOf(graph, problem, tail), aheadOf(graph, problem, head));
  const asked = sold / (bought * (1 + ahead));
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]! && problem.edges.length < MOST_EDGES; k++) {
    const edge = data[k]!;
    if (!(spotSlope(curves, edge) > asked)) return;
    const cost = graph.gas[edge]! * order.outPerGas;
    const isConstant = curves.lanes[curves.at[edge]! + 3] === 0;
    const counts = Math.max(least, WORTH_LISTING * cost + WORTH_A_PLACE * shadow);
    if (isConstant || !(bought * profitAt(curves, edge, asked) > counts)) continue;
    if (order.allowed(edge)) problem.edges.push({ edge, cost, ...placed(problem, tail, head) });
  }
}

function placed(problem: DualProblem, tail: number, head: number) {
  const { placeOf, hub, price } = problem;
  const scale = (node: number) => (placeOf.has(node) ? 1 : priceIn(problem, node) / price[hub]!);
  return {
    tail: placeOf.get(tail) ?? hub,
    head: placeOf.get(head) ?? hub,
    tailScale: scale(tail),
    headScale: scale(head),
  };
}

/** Share by which a price may move, relative to the hub's, before edges are listed again. */
function aheadOf({ pairs }: Graph, { placeOf, nodes, hub }: DualProblem, node: number): number {
  if (!placeOf.has(node) || node === nodes[hub]) return 0;
  return pairs.degree[node]! > MANY ? AHEAD_OF_MANY : AHEAD;
}

/** Whether some price has moved so far that edges which are not listed may earn. */
export function isFarFromListed(graph: Graph, problem: DualProblem): boolean {
  const { price, listed, hub, nodes } = problem;
  const scale = listed[hub]! / price[hub]!;
  return nodes.some((node, place) => {
    const moved = Math.abs((price[place]! * scale) / listed[place]! - 1);
    return place !== hub && moved > aheadOf(graph, problem, node);
  });
}
