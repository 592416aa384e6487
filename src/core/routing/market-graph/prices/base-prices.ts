import { grown } from "../../../math/rows.ts";
import { zeroOf } from "../../../math/zero.ts";
import { type Response, respondAt } from "../../curves/response.ts";
import { spotSlope } from "../../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../graph.ts";
import type { BasePrices } from "./prices.ts";
import { opposite } from "./reference-prices.ts";

/**
 * Base prices: token prices at which the pools of a block agree as well as they can.
 *
 * In: the market of one block. Out: by node, ν⁰ in wei of the native coin per smallest unit, near the minimum of
 *
 *   Σ_e φ(E_e(ν)),   φ(E) = E²/4θ  up to E = 2θ,  E - θ  beyond
 *
 * over ν of the native coin = 1, where E_e is the most that one direction of a pool earns and θ what a crossing costs at
 * `REFERENCE_GAS_WEI`. φ is convex, smooth and within θ of (E - θ)₊: gains that no searcher would take hardly count, and the sum is
 * the arbitrage that the market holds. If no cycle of pools is profitable it is 0, and every price lies inside its pools' bands.
 *
 * Method: coordinate descent from the prices of the value tree. The derivative by the logarithm of one price is monotone and
 * a sum over the token's own pools, so its zero is found by secants. A smooth convex sum has no stationary points but its minimum.
 * A change queues the tokens of the changed pools. A token with one neighbour follows that one's price and moves no other.
 * Components without the native coin have a numeraire of their own.
 */

/** Price of gas for base prices: between those of roll-ups and of busy days on mainnet. */
const REFERENCE_GAS_WEI = 1e9;
/** Visits a token, on average, at most. Stopping early only makes bounds looser. */
const MOST_VISITS = 60;
/** A relative move of a price below this does not queue its neighbours. */
const STILL = 1e-6;
/** How far into its band a price is moved, as a share of the band's width, and how near to an end it may stay. */
const INSIDE = 0.25;
const EDGE = 2e-4;
/** Precision of the best price, as a logarithm. */
const CLOSE = 5e-7;
/** Half-width of the first interval in which edges are listed, as a logarithm: most prices move by less in a block. */
const WINDOW = 1e-4;
/** Half-width of the next interval, as a multiple of the distance from the guess of the step that left the last one. */
const WIDER = 16;

/** Brings base prices up to the newest block: O(what changed). */
export function refreshBasePrices(graph: Graph): BasePrices {
  const { base } = graph;
  if (base.outdated) beginPrices(graph);
  if (base.changed.size === 0) return base;
  const queue = [...base.changed];
  base.changed.clear();
  base.version++;
  settle(graph, queue);
  return base;
}

/** Starts from the mid prices along the value tree, with every token in the queue. */
function beginPrices(graph: Graph): void {
  const { base, tokens, values } = graph;
  base.outdated = false;
  base.changed.clear();
  base.price = grown(base.price, tokens.length).fill(0);
  for (let node = 0; node < tokens.length; node++) treePrice(graph, node);
  const widest = [...tokens.keys()].sort((a, b) => values.width[b]! - values.width[a]!);
  for (const node of widest) base.changed.add(node);
}

function treePrice(graph: Graph, node: number): number {
  const { base, values } = graph;
  const chain: number[] = [];
  let at = node;
  while (base.price[at] === 0 && values.ref[at]! > 0 && values.parent[at]! >= 0) {
    chain.push(at);
    at = graph.head[values.parent[at]!]!;
    if (chain.length > graph.tokens.length) return 0;
  }
  if (base.price[at] === 0) base.price[at] = values.ref[at]!;
  for (let k = chain.length - 1; k >= 0; k--) {
    const edge = values.parent[chain[k]!]!;
    base.price[chain[k]!] = middlePrice(graph, edge) * base.price[graph.head[edge]!]!;
  }
  return base.price[node]!;
}

function middlePrice(graph: Graph, edge: number): number {
  const there = spotSlope(graph.curves, edge);
  const back = spotSlope(graph.curves, opposite(graph, edge));
  return back > 0 ? Math.sqrt(there / back) : there;
}

/** Visits queued tokens until no price moves, then sets the prices of tokens with one neighbour. */
function settle(graph: Graph, queue: number[]): void {
  const { tokens, base } = graph;
  base.price = grown(base.price, tokens.length);
  base.ratio = grown(base.ratio, tokens.length);
  const waiting = new Uint8Array(tokens.length);
  const followers: number[] = [];
  let used = 0;
  for (const node of queue) {
    if (isFollower(graph, node)) followers.push(node);
    else {
      queue[used++] = node;
      waiting[node] = 1;
    }
  }
  queue.length = used;
  const most = MOST_VISITS * tokens.length;
  for (let at = 0; at < queue.length && at < most; at++) {
    waiting[queue[at]!] = 0;
    visit(graph, queue, waiting, queue[at]!);
  }
  for (const node of followers) {
    visit(graph, NOBODY, waiting, node);
    base.ratio[node] = base.price[node]! / base.price[neighbourOf(graph, node)]! || 0;
  }
  for (let node = 0; node < tokens.length; node++)
    if (isFollower(graph, node)) base.price[node] = base.ratio[node]! * base.price[neighbourOf(graph, node)]!;
}

const NOBODY: number[] = [];

/** Whether a token has one neighbour only and is no numeraire: its price is a constant multiple of that one's. */
export function isFollower(graph: Graph, node: number): boolean {
  return graph.pairs.degree[node] === 1 && !isRoot(graph, node);
}

/** Whether a token is the numeraire of its component: the native coin, or the first token of a component without it. */
function isRoot({ values }: Graph, node: number): boolean {
  return node === NATIVE_NODE || (values.ref[node]! > 0 && values.parent[node]! < 0);
}

function neighbourOf({ pairs }: Graph, node: number): number {
  return pairs.tail[pairs.outgoing.data[pairs.outgoing.start[node]!]! ^ 1]!;
}

/** Moves one price to its best value, the others held, and queues the neighbours that this affects. */
function visit(graph: Graph, queue: number[], waiting: Uint8Array, node: number): void {
  if (isRoot(graph, node)) return;
  const { price } = graph.base;
  const before = price[node]!;
  const after = bestPrice(graph, node, price);
  if (!(Math.abs(after - before) > STILL * before)) return;
  if (queue !== NOBODY) queueConcerned(graph, { node, before, after }, queue, waiting);
  price[node] = after;
}

/** Queues the neighbours over pairs that earn at the price before or after. */
function queueConcerned(
  graph: Graph,
  { node, before, after }: { readonly node: number; readonly before: number; readonly after: number },
  queue: number[],
  waiting: Uint8Array,
): void {
  const { pairs, base, values } = graph;
  const { start, length, data } = pairs.outgoing;
  const least = Math.min(before, after);
  const most = Math.max(before, after);
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
    const pair = data[k]!;
    const other = pairs.tail[pair ^ 1]!;
    if (waiting[other] === 1 || isFollower(graph, other)) continue;
    const unit = (base.price[other]! * values.ref[node]!) / values.ref[other]!;
    const earns = pairs.spot[pair]! * unit > least || pairs.spot[pair ^ 1]! * most > unit;
    if (!earns) continue;
    waiting[other] = 1;
    queue.push(other);
  }
}

/**
 * The price of one token at which its pools earn least together, the other prices held. If there are prices at which none earns,
 * the present price if it is one of them, otherwise a price a quarter of the way into that band.
 *
 * @param price of every node; 0 = none
 */
export function bestPrice(graph: Graph, node: number, price: ArrayLike<number>): number {
  const band = bandOf(graph, node, price);
  const now = price[node]!;
  if (!(band.low > 0)) return now > 0 || band.high === Infinity ? now : band.high;
  if (band.low > band.high) return balanced(graph, node, price, band);
  if (band.high === Infinity) return Math.max(now, band.low * (1 + EDGE));
  const width = Math.log(band.high / band.low);
  const edge = Math.min(EDGE, INSIDE * width);
  if (now >= band.low * Math.exp(edge) && now <= band.high * Math.exp(-edge)) return now;
  return now < Math.sqrt(band.low * band.high)
    ? band.low * Math.exp(INSIDE * width)
    : band.high * Math.exp(-INSIDE * width);
}

/** Prices of a token: above `low` nobody gains by selling it to a pool, below `high` nobody gains by buying it from one. */
type Band = { low: number; high: number };

function bandOf(graph: Graph, node: number, price: ArrayLike<number>): Band {
  const { pairs, values } = graph;
  const { start, length, data } = pairs.outgoing;
  const band = { low: 0, high: Infinity };
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
    const pair = data[k]!;
    const other = pairs.tail[pair ^ 1]!;
    if (!(price[other]! > 0) || (isFollower(graph, other) && !isFollower(graph, node))) continue;
    const unit = (price[other]! * values.ref[node]!) / values.ref[other]!;
    band.low = Math.max(band.low, pairs.spot[pair]! * unit || 0);
    if (pairs.spot[pair ^ 1]! > 0) band.high = Math.min(band.high, unit / pairs.spot[pair ^ 1]! || Infinity);
  }
  return band;
}

/** The `count` edges of one token that earn somewhere in a band, whether each sells the token, and the price at its other end. */
type Rivals = {
  count: number;
  readonly edges: number[];
  readonly selling: boolean[];
  readonly others: number[];
};

/** Working memory for the token that is priced: a hub has thousands of edges and is visited often. */
const rivals: Rivals = { count: 0, edges: [], selling: [], others: [] };

/**
 * The zero of the derivative between the ends of a band whose ends contradict each other (`low` above `high`). The present price
 * is usually near it. Nearly every pool of a hub earns somewhere between the ends and few do near the price, so only those that
 * earn in an interval around it are listed, and a wider one if a step leaves it: the others contribute nothing.
 */
function balanced(graph: Graph, node: number, price: ArrayLike<number>, { low, high }: Band): number {
  const first = Math.log(high);
  const last = Math.log(low);
  const known = price[node]! > 0 ? Math.log(price[node]!) : first;
  const guess = Math.min(Math.max(known, first), last);
  let from = Infinity;
  let to = -Infinity;
  const slopeAt = (at: number) => {
    if (at < from || at > to) {
      const reach = Math.max(WINDOW, WIDER * Math.abs(at - guess));
      [from, to] = [Math.max(first, guess - reach), Math.min(last, guess + reach)];
      listRivals(graph, node, price, { low: Math.exp(from), high: Math.exp(to) });
    }
    return slopeOf(graph, Math.exp(at));
  };
  return Math.exp(zeroOf(slopeAt, { first, last, guess, close: CLOSE }));
}

/** Lists the edges that earn in a band in `rivals`. The edges of a pair are sorted by price, so these are its first ones. */
function listRivals(graph: Graph, node: number, price: ArrayLike<number>, { low, high }: Band): void {
  const { pairs, values } = graph;
  const { start, length, data } = pairs.outgoing;
  const follows = isFollower(graph, node);
  rivals.count = 0;
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
    const pair = data[k]!;
    const next = pairs.tail[pair ^ 1]!;
    const other = price[next]!;
    if (!(other > 0) || (!follows && isFollower(graph, next))) continue;
    const unit = (other * values.ref[node]!) / values.ref[next]!;
    if (pairs.spot[pair]! * unit > low) listSellers(graph, pair, other, low);
    if (pairs.spot[pair ^ 1]! * high > unit) listBuyers(graph, pair ^ 1, other, high);
  }
}

function listSellers({ pairs: { edges }, curves }: Graph, pair: number, other: number, low: number): void {
  const last = edges.start[pair]! + edges.length[pair]!;
  for (let k = edges.start[pair]!; k < last && spotSlope(curves, edges.data[k]!) * other > low; k++)
    addRival(edges.data[k]!, true, other);
}

function listBuyers({ pairs: { edges }, curves }: Graph, pair: number, other: number, high: number): void {
  const last = edges.start[pair]! + edges.length[pair]!;
  for (let k = edges.start[pair]!; k < last && spotSlope(curves, edges.data[k]!) * high > other; k++)
    addRival(edges.data[k]!, false, other);
}

function addRival(edge: number, selling: boolean, other: number): void {
  const at = rivals.count++;
  rivals.edges[at] = edge;
  rivals.selling[at] = selling;
  rivals.others[at] = other;
}

const response: Response = { sold: 0, bought: 0 };

/** The derivative of the sum of φ over `rivals` by the logarithm of the price. */
function slopeOf({ curves, gas }: Graph, price: number): number {
  const { count, edges, selling, others } = rivals;
  let slope = 0;
  for (let k = 0; k < count; k++) {
    const edge = edges[k]!;
    const [tail, head] = selling[k] ? [price, others[k]!] : [others[k]!, price];
    const least = tail / head;
    respondAt(curves, edge, least, response);
    const earned = head * (response.bought - least * response.sold);
    if (!(earned > 0)) continue;
    const weight = Math.min(1, earned / (2 * REFERENCE_GAS_WEI * gas[edge]!));
    slope += weight * (selling[k] ? -tail * response.sold : head * response.bought);
  }
  return slope;
}

/** Notes that a pool of these two tokens changed. */
export function noteChange({ base }: Graph, tail: number, head: number): void {
  base.changed.add(tail);
  base.changed.add(head);
}
