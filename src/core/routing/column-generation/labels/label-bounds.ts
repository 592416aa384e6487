import type { Demand, Problem } from "../../convex/problem.ts";
import { forgetLabels, label, type Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { classOf, ENDS, RATES } from "../../market-graph/hubs.ts";
import { findPair, HUB, type Prices } from "../../market-graph/pair-index.ts";

/**
 * Bounds on the labels of tokens outside the restricted problem. Let S(t) be the best sell price of token t in the native
 * coin, and B(t) the amount of t that one native coin buys. If no cycle of pools is profitable, a path from t to a token h
 * of known price brings at most `price(h) / S(h)` times S(t), and a path from h to t costs at least `price(h)·B(h)` over
 * B(t). `most` and `least` are the extremes of these factors over all known h.
 */
export type Bounds = { most: number; least: number };

/** Which tokens a pricing step visits. */
export type Reach = {
  /** Whether there are no bounds, so that all tokens are visited. */
  readonly anywhere: boolean;
  /** Bounds by the labels of hubs, which do not propagate to all of their neighbours because these are too many. */
  readonly byHubs: Bounds;
  /** Bounds by the labels of all tokens from which paths lead on. */
  readonly byAll: Bounds;
  /** The round in which the first token was queued. */
  readonly began: number;
  /** Number of tokens of `scratch.visited` whose label was updated from their hubs. */
  asked: number;
  /**
   * Number of `scratch.bridges` to relax; 0 with `everyWay` set if they are too many, so that tokens propagate to all
   * neighbours instead.
   */
  bridges: number;
  everyWay: boolean;
  /** Whether some hub is outside the problem, and whether the label of one has improved. */
  readonly openHubs: boolean;
  hubUpdated: boolean;
};

/** Propagates everywhere, and counts no token as visited. */
export const TOUCH: Reach = {
  anywhere: true,
  byHubs: { most: Infinity, least: 0 },
  byAll: { most: Infinity, least: 0 },
  began: 0,
  asked: 0,
  bridges: 0,
  everyWay: false,
  openHubs: false,
  hubUpdated: false,
};

/** Tolerance of comparisons between products of prices in doubles. */
const SLACK = 1 + 1e-9;

/**
 * The reach within the bounds of hubs, and of the first `touched` queued tokens, which got labels from the problem:
 * all paths lead through these.
 */
export function reachOf(step: Worth, byHubs: Bounds, touched: number): Reach {
  const { scratch, graph } = step;
  const byAll = { ...byHubs };
  for (let q = 0; q < touched; q++) extend(step, byAll, scratch.queue[q]!);
  const openHubs = graph.roundTrips.hubs.nodes.some((hub) => scratch.local[hub] === 0);
  return { ...TOUCH, anywhere: false, byHubs, byAll, began: scratch.round, openHubs };
}

/** Widens bounds by the label of one token. */
export function extend(
  { graph: { roundTrips }, scratch, demand }: Worth,
  bounds: Bounds,
  node: number,
): void {
  const { buyPrices, sellPrices } = scratch;
  const sellPrice = (sellPrices[node]! / roundTrips.bestSell[node]!) * SLACK;
  const cost = (buyPrices[node]! * roundTrips.bestBuy[node]!) / SLACK;
  if (sellPrices[node]! > 0 && node !== demand.from && sellPrice > bounds.most) bounds.most = sellPrice;
  if (buyPrices[node]! < Infinity && node !== demand.to && cost < bounds.least) bounds.least = cost;
}

/** Whether a profitable path may lead through a token, judging by its present label. */
export function mayPay({ graph: { roundTrips }, scratch }: Worth, { byAll }: Reach, node: number): boolean {
  if (scratch.sellPrices[node]! * roundTrips.bestBuy[node]! > byAll.least) return true;
  return scratch.buyPrices[node]! < byAll.most * roundTrips.bestSell[node]!;
}

/** Whether the label of a token is better than any path over hubs could make it, and may be part of a profitable path. */
export function leadsOn(
  { graph: { roundTrips }, scratch }: Worth,
  { anywhere, byHubs, byAll }: Reach,
  node: number,
): boolean {
  if (anywhere) return true;
  const nativeSellPrice = roundTrips.bestSell[node]!;
  const bought = roundTrips.bestBuy[node]!;
  const sellPrice = scratch.sellPrices[node]!;
  const cost = scratch.buyPrices[node]!;
  if (sellPrice > byHubs.most * nativeSellPrice && sellPrice * bought > byAll.least) return true;
  return cost * bought < byHubs.least && cost < byAll.most * nativeSellPrice;
}

/** Reacts to an improved label: enqueues the token if a profitable path may lead through it; a hub only sets `hubUpdated`. */
export function noteUpdate(step: Worth, reach: Reach, node: number): void {
  const { graph, scratch } = step;
  if (!reach.anywhere && graph.roundTrips.hubs.isHub[node] === 1) reach.hubUpdated = true;
  else if (scratch.queued[node]! >= reach.began || isOnWay(step, reach, node)) enqueue(scratch, node, reach);
}

/** Whether a path over hubs through this token may be profitable, or its label is better than that. */
export function isOnWay(step: Worth, reach: Reach, node: number): boolean {
  const { bestSell, bestBuy } = step.graph.roundTrips;
  return bestSell[node]! * bestBuy[node]! > barOf(reach) || leadsOn(step, reach, node);
}

/** The least round-trip rate of a token on a profitable path that gets all of its labels from hubs. */
function barOf({ byHubs }: Reach): number {
  return byHubs.least / byHubs.most;
}

export function enqueue(scratch: Scratch, node: number, { began }: Reach): void {
  const { queued, following, visited, round } = scratch;
  if (queued[node] === round) return;
  if (queued[node]! < began) visited[scratch.reached++] = node;
  queued[node] = round;
  following[scratch.found++] = node;
}

/** Enqueues the tokens, and lists the bridges, whose round-trip rate allows a profitable path over hubs. */
export function queueByRoundTrips(graph: Graph, scratch: Scratch, reach: Reach): void {
  const bar = barOf(reach);
  const { what, left, upTo } = graph.roundTrips.byLoss.tokens;
  listBridges(graph, scratch, reach);
  const last = upTo[classOf(bar)]!;
  for (let k = 0; k < last; k++) {
    const node = what[k]!;
    if (!(left[k]! > bar) || scratch.local[node] !== 0) continue;
    if (reach.everyWay || hasLabel(scratch, node) || paysByHubs(graph, scratch, reach, k))
      enqueue(scratch, node, reach);
  }
}

/** Whether a token has a label. */
function hasLabel({ buyPrices, sellPrices }: Scratch, node: number): boolean {
  return sellPrices[node]! > 0 || buyPrices[node]! < Infinity;
}

/**
 * Whether the labels of the hubs next to a token allow a buy price below its sell price: the best hub by its label,
 * the others by their bound.
 */
function paysByHubs(
  { roundTrips: { byLoss } }: Graph,
  { buyPrices, sellPrices }: Scratch,
  { byHubs }: Reach,
  k: number,
): boolean {
  const { rates, hubs } = byLoss;
  const at = RATES * k;
  const sellPrice = Math.max(rates[at]! * sellPrices[hubs[ENDS * k]!]!, rates[at + 1]! * byHubs.most);
  const cost = Math.min(buyPrices[hubs[ENDS * k + 1]!]! / rates[at + 2]!, byHubs.least / rates[at + 3]!);
  return cost < sellPrice * SLACK;
}

/** Lists the bridges to relax and enqueues their ends. If they are too many, tokens propagate to all of their neighbours instead. */
function listBridges({ roundTrips: { byLoss }, pairs }: Graph, scratch: Scratch, reach: Reach): void {
  const bar = barOf(reach);
  const { bridges } = scratch;
  const { what, left, upTo } = byLoss.bridges;
  const last = upTo[classOf(bar)]!;
  reach.bridges = 0;
  for (let k = 0; k < last && !reach.everyWay; k++) {
    if (!(left[k]! > bar)) continue;
    if (reach.bridges === bridges.length) reach.everyWay = true;
    else bridges[reach.bridges++] = what[k]!;
  }
  if (reach.everyWay) reach.bridges = 0;
  for (let k = 0; k < 2 * reach.bridges; k++) {
    const node = pairs.tail[bridges[k >> 1]! ^ (k & 1)]!;
    if (scratch.local[node] === 0) enqueue(scratch, node, reach);
  }
}

/** A solved restricted problem, whose prices value all other tokens. */
export type Worth = {
  readonly graph: Graph;
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly demand: Demand;
  /** Normalised prices of all pairs, at spot or at a trade size. */
  readonly prices: Prices;
};

/** A label improves only if it does by more than the rounding of a product of prices. */
export const MARGIN = 1 + 1e-11;
/** Tokens processed between two readings of the clock. */
export const BETWEEN_CLOCKS = 256;

/** Calls `visit` with every pair of two tokens of the problem. The pairs of a hub are found from the other end. */
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

/** Tokens with one neighbour appear in no other row, so a pair of two such tokens is looked up by itself. */
function visitLeaves({ pairs }: Graph, { node, source, sink }: Problem, visit: (pair: number) => void): void {
  const from = node[source]!;
  const to = node[sink]!;
  const pair = pairs.degree[from] === 1 && pairs.degree[to] === 1 ? findPair(pairs, from, to) : -1;
  if (pair >= 0) visit(pair);
}

/** Clears all labels. The buy and sell price of a token of the problem is its price. */
export function beginWorth({ scratch, problem }: Worth): void {
  const { buyPrices, sellPrices, worth } = scratch;
  forgetLabels(scratch);
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    label(scratch, node);
    buyPrices[node] = sellPrices[node] = worth[node] = problem.price[n]!;
  }
}
