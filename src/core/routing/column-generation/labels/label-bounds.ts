import type { Demand, Problem } from "../../convex/problem.ts";
import { forgetLabels, label, type Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { classOf, ENDS, RATES } from "../../market-graph/hubs.ts";
import { findPair, type Prices } from "../../market-graph/pair-index.ts";

/**
 * What tokens out of the problem can fetch and cost at the utmost. Where no cycle of pools pays, a token t that leads to a
 * token h of a known price fetches at most `price(h) / fetched(h)` times what it fetches in the native coin, and costs at
 * least `price(h) * bought(h)` over what the native coin buys of it.
 */
export type Bounds = { most: number; least: number };

/** Which tokens a pricing step follows. */
export type Reach = {
  /** Whether nothing is known, so that all are. */
  readonly anywhere: boolean;
  /** By hubs, whose rows are too long to tell all of their neighbours anything. */
  readonly byHubs: Bounds;
  readonly byAll: Bounds;
  /** The round in which the first token was queued. */
  readonly began: number;
  /** Tokens of `scratch.visited` that have asked their neighbours. */
  asked: number;
  /** How many of `scratch.bridges` are followed; or whether these are too many, so that all ways are, from tokens that may pay. */
  bridges: number;
  everyWay: boolean;
  /** Whether a hub is out of the problem, and whether one was told of a better way. */
  readonly openHubs: boolean;
  hubUpdated: boolean;
};

/** Every way is followed, and no token is listed as read. */
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

/** Doubles of the products compared may differ by this share. */
const SLACK = 1 + 1e-9;

/** By hubs, and by the neighbours that other tokens told: all ways lead through these. */
export function reachOf(step: Worth, byHubs: Bounds, touched: number): Reach {
  const { scratch, graph } = step;
  const byAll = { ...byHubs };
  for (let q = 0; q < touched; q++) extend(step, byAll, scratch.queue[q]!);
  const openHubs = graph.roundTrips.hubs.nodes.some((hub) => scratch.local[hub] === 0);
  return { ...TOUCH, anywhere: false, byHubs, byAll, began: scratch.round, openHubs };
}

/** What a token may be sold for, or bought with, bounds what others fetch and cost. */
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

/** Whether a way that pays may lead through a token, by what it costs or fetches so far. */
export function mayPay({ graph: { roundTrips }, scratch }: Worth, { byAll }: Reach, node: number): boolean {
  if (scratch.sellPrices[node]! * roundTrips.bestBuy[node]! > byAll.least) return true;
  return scratch.buyPrices[node]! < byAll.most * roundTrips.bestSell[node]!;
}

/** Whether a token was told of a way that is better than any over hubs, and that may be part of one that pays. */
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

/** A token that was told of a way waits for its turn where a way that pays may lead through it, or a hub is asked again. */
export function noteUpdate(step: Worth, reach: Reach, node: number): void {
  const { graph, scratch } = step;
  if (!reach.anywhere && graph.roundTrips.hubs.isHub[node] === 1) reach.hubUpdated = true;
  else if (scratch.queued[node]! >= reach.began || isOnWay(step, reach, node)) enqueue(scratch, node, reach);
}

/** Whether a way over hubs may pay through a token, or it was told of a better one. */
export function isOnWay(step: Worth, reach: Reach, node: number): boolean {
  const { bestSell, bestBuy } = step.graph.roundTrips;
  return bestSell[node]! * bestBuy[node]! > barOf(reach) || leadsOn(step, reach, node);
}

/** What a round trip must leave of the native coin where hubs alone let a way pay. */
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

/** Queues the tokens, and lists the bridges, that ways over hubs which pay may lead through. */
export function queueTrips(graph: Graph, scratch: Scratch, reach: Reach): void {
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

/** Whether a token that is no hub said what another costs or fetches. */
function hasLabel({ buyPrices, sellPrices }: Scratch, node: number): boolean {
  return sellPrices[node]! > 0 || buyPrices[node]! < Infinity;
}

/** Whether what the hubs next to a token cost and fetch lets it cost less than it fetches: the best by itself, others as bounded. */
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

/** Lists the bridges to follow, and queues their ends; where they are many, tokens tell all of their neighbours instead. */
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
/** Tokens that are read between two readings of the clock. */
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
  const { buyPrices, sellPrices, worth } = scratch;
  forgetLabels(scratch);
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    label(scratch, node);
    buyPrices[node] = sellPrices[node] = worth[node] = problem.price[n]!;
  }
}
