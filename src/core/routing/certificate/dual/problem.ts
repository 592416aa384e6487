import { profitAt, spotSlope } from "../../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../../market-graph/graph.ts";
import { HUB } from "../../market-graph/pair-index.ts";
import { mostByDepth, NEAR as OF_DEPTH } from "../../market-graph/prices/pair-prices.ts";
import { isFollower } from "../../market-graph/prices/roots.ts";
import type { CertifiedOrder } from "../certify.ts";

/**
 * The part of the market over which an order's bound is minimised.
 *
 * In: prices of some tokens, and which of them are variables. Out: the edges around these that earn about as much as a
 * crossing costs, or more. A token that is no variable keeps its price relative to the hub, the variable of most
 * neighbours: an edge to such a token becomes an edge to the hub, with a scaled price. The token bought has the price
 * 1. Pools of constant price, which have no depth, are left out.
 */
export type DualProblem = {
  /** Graph node of each variable; the first one is the token bought, whose price is fixed. */
  readonly nodes: number[];
  /** By graph node, its place among the variables, counted from 1; 0 for other tokens. */
  readonly placeOf: Int32Array;
  /** Price of each variable, in units of the token bought. */
  readonly price: number[];
  /** Place of the variable that tokens outside the problem follow. */
  readonly hub: number;
  /** Initial price of the hub, and by graph node the initial price, in units of the token bought; 0 without one. */
  readonly hubReference: number;
  readonly reference: Float64Array;
  readonly edges: DualEdge[];
  /** Prices of the variables when the edges were last listed. */
  readonly listed: number[];
};

/** An edge between two variables, or between a variable and a token whose price is fixed relative to the hub's. */
export type DualEdge = {
  readonly edge: number;
  /** Places of the variables that stand for its ends, and the ratio of each end's price to its variable's. */
  readonly tail: number;
  readonly head: number;
  readonly tailScale: number;
  readonly headScale: number;
  /** Cost of the least gas of a crossing, in units of the token bought. */
  readonly cost: number;
};

/** The starting point of a minimisation. */
export type DualStart = {
  /** Initial prices by node, in units of the token bought. */
  readonly prices: ReadonlyMap<number, number>;
  /** The tokens that are variables. */
  readonly variables: Iterable<number>;
  /** Base prices optimised for the price of gas (`settled.ts`), by node in wei per smallest unit. */
  readonly settled: ReadonlyMap<number, number>;
  /**
   * Shadow price of a crossing under the cap on legs at the initial prices, beyond its gas, in units of the token
   * bought.
   */
  readonly shadow: number;
};

/** Caps on the numbers of variables and of edges: a Newton step costs the cube of the number of variables. */
const MOST_NODES = 120;
const MOST_EDGES = 3000;
/**
 * Share by which a price may move relative to the hub's before edges are listed again: for a token of at most `HUB`
 * neighbours, and for one of more. A larger share lists more edges, a smaller one lists them more often.
 */
const AHEAD = 3e-2;
const AHEAD_OF_MANY = 3e-3;
/** Factor by which spot prices are raised here: more than their normalisation in doubles can lose. */
const SPOT_ROUNDING = 1 + 1e-9;
/** Share of its gas that an edge must earn to be listed, its price improved by the share by which prices may move. */
const WORTH_LISTING = 0.05;
/**
 * Share of the shadow price of a crossing that an edge must earn, on top of `WORTH_LISTING` of its gas, to be listed.
 */
const WORTH_A_PLACE = 0.5;

/** Makes the problem of an order, without edges. @returns undefined where a variable has no price */
export function beginDual(graph: Graph, order: CertifiedOrder, start: DualStart): DualProblem | undefined {
  const nodes = [...new Set([order.to, order.from, ...start.variables, NATIVE_NODE])].slice(0, MOST_NODES);
  const { degree } = graph.pairs;
  const hubNode = nodes.reduce((most, node) => (degree[node]! > degree[most]! ? node : most));
  const known = new Map(start.prices).set(order.to, 1);
  // Initial prices that leave the hub at its base price are in proportion to that of the token bought.
  const anchor = known.has(hubNode) ? hubNode : order.to;
  const perWei = known.get(anchor)! / (start.settled.get(anchor) ?? graph.base.price[anchor]!);
  if (!(perWei > 0 && perWei < Infinity)) return undefined;
  const reference = graph.base.price.map((price) => perWei * price);
  for (const [node, price] of start.settled) reference[node] = perWei * price;
  for (const [node, price] of known) reference[node] = price;
  const price = nodes.map((node) => reference[node]!);
  if (!price.every((one) => one > 0 && one < Infinity)) return undefined;
  const placeOf = new Int32Array(reference.length);
  for (const [place, node] of nodes.entries()) placeOf[node] = place + 1;
  const hub = nodes.indexOf(hubNode);
  return { nodes, placeOf, price, hub, hubReference: price[hub]!, reference, edges: [], listed: [] };
}

/** Current price of any node, in units of the token bought; 0 where it has none. */
export function priceIn(problem: DualProblem, node: number): number {
  const place = problem.placeOf[node]!;
  if (place > 0) return problem.price[place - 1]!;
  return (problem.reference[node]! * problem.price[problem.hub]!) / problem.hubReference;
}

/** Makes a token a variable at its current price, unless the cap is reached or it has no price. */
export function addVariable(problem: DualProblem, node: number): void {
  const { nodes, placeOf, price } = problem;
  if (placeOf[node]! > 0 || nodes.length >= MOST_NODES) return;
  const now = priceIn(problem, node);
  if (!(now > 0 && now < Infinity)) return;
  placeOf[node] = nodes.push(node);
  price.push(now);
}

/** What decides which edges are listed. */
export type Listing = {
  readonly order: CertifiedOrder;
  /** Earnings up to this are negligible, in units of the token bought. */
  readonly least: number;
  /** Shadow price of a crossing: its cost beyond its gas, in units of the token bought. */
  readonly shadow: number;
};

/** Lists the edges around the variables again, at their current prices. O(pairs of the variables). */
export function listEdges(graph: Graph, problem: DualProblem, listing: Listing): void {
  problem.edges.length = 0;
  problem.listed.splice(0, problem.listed.length, ...problem.price);
  const { tail } = graph.pairs;
  const { start, length, data } = graph.pairs.outgoing;
  const most = worthListing(listing, graph.leastGas);
  for (const [place, node] of problem.nodes.entries()) {
    for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
      const pair = data[k]!;
      if (!isListedFrom(graph, problem, place, tail[pair ^ 1]!)) continue;
      if (mayEarn(graph, problem, pair, most)) listPair(graph, problem, listing, pair);
      if (mayEarn(graph, problem, pair ^ 1, most)) listPair(graph, problem, listing, pair ^ 1);
    }
  }
}

/**
 * Whether a pair with the token `other` is listed from the variable at `place`. A pair of two variables is listed from
 * the one of lower place. Other tokens keep their price relative to the hub, so their pairs with the hub are left out; a
 * token of a single neighbour keeps its price relative to that neighbour when the bound is computed
 * (`local/moves.ts`), so its pair is too.
 */
function isListedFrom(graph: Graph, { placeOf, hub }: DualProblem, place: number, other: number): boolean {
  const there = placeOf[other]! - 1;
  return there < 0 ? place !== hub && !isFollower(graph, other) : there > place;
}

/** What an edge whose crossing takes so much gas must earn to be listed, in units of the token bought. */
function worthListing({ order, least, shadow }: Listing, gas: number): number {
  return Math.max(least, WORTH_LISTING * gas * order.outPerGas + WORTH_A_PLACE * shadow);
}

/**
 * Whether the pools of a pair may earn more than `least` in units of the token bought, by the depth of the pair. Most pairs end
 * here, without a read of their edges.
 */
function mayEarn(graph: Graph, problem: DualProblem, pair: number, least: number): boolean {
  const { pairs, values } = graph;
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair ^ 1]!;
  const bought = priceIn(problem, head);
  const asked = askedOf(graph, problem, tail, head);
  if (!(asked > 0 && bought > 0)) return false;
  const share = ((pairs.spot[pair]! * values.ref[tail]!) / (values.ref[head]! * asked)) * SPOT_ROUNDING - 1;
  if (!(share < OF_DEPTH)) return true;
  return share > 0 && bought * mostByDepth(pairs, pair, share, values.ref) > least;
}

/** Units of `head` that a unit of `tail` has to bring if prices move by as much as they may before edges are listed again. */
function askedOf(graph: Graph, problem: DualProblem, tail: number, head: number): number {
  const ahead = Math.max(aheadOf(graph, problem, tail), aheadOf(graph, problem, head));
  return priceIn(problem, tail) / (priceIn(problem, head) * (1 + ahead));
}

/** Lists the edges of one direction of a pair that may earn enough; they are in descending order of spot price. */
function listPair(graph: Graph, problem: DualProblem, listing: Listing, pair: number): void {
  const { pairs, curves } = graph;
  const { order } = listing;
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair ^ 1]!;
  const bought = priceIn(problem, head);
  const asked = askedOf(graph, problem, tail, head);
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]! && problem.edges.length < MOST_EDGES; k++) {
    const edge = data[k]!;
    if (!(spotSlope(curves, edge) > asked)) return;
    const gas = graph.gas[edge]!;
    const isConstant = curves.lanes[curves.at[edge]! + 3] === 0;
    if (isConstant || !(bought * profitAt(curves, edge, asked) > worthListing(listing, gas))) continue;
    const cost = gas * order.outPerGas;
    if (order.allowed(edge)) problem.edges.push({ edge, cost, ...placed(problem, tail, head) });
  }
}

/** The variables that stand for the ends of a pair, and the price ratios of the ends to these. */
function placed(problem: DualProblem, tail: number, head: number) {
  const { placeOf, hub, price } = problem;
  const scale = (node: number) => (placeOf[node]! > 0 ? 1 : priceIn(problem, node) / price[hub]!);
  const place = (node: number) => (placeOf[node]! > 0 ? placeOf[node]! - 1 : hub);
  return {
    tail: place(tail),
    head: place(head),
    tailScale: scale(tail),
    headScale: scale(head),
  };
}

/**
 * Share by which a node's price may move relative to the hub's before edges are listed again; 0 where it cannot move.
 */
function aheadOf({ pairs }: Graph, { placeOf, nodes, hub }: DualProblem, node: number): number {
  if (placeOf[node] === 0 || node === nodes[hub]) return 0;
  return pairs.degree[node]! > HUB ? AHEAD_OF_MANY : AHEAD;
}

/** Whether a price has moved so far, relative to the hub's, that edges which are not listed may earn. */
export function isFarFromListed(graph: Graph, problem: DualProblem): boolean {
  const { price, listed, hub, nodes } = problem;
  const scale = listed[hub]! / price[hub]!;
  return nodes.some((node, place) => {
    const moved = Math.abs((price[place]! * scale) / listed[place]! - 1);
    return place !== hub && moved > aheadOf(graph, problem, node);
  });
}
