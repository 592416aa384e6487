import { grown } from "../../math/rows.ts";
import { removeArbitrage } from "./arbitrage-free.ts";
import { type Graph, NATIVE_NODE } from "./graph.ts";
import { classOf, ENDS, listCore, listHubs, type Ordered, RATES, type RoundTrips } from "./hubs.ts";
import { refreshNearPairs } from "./near-pairs.ts";
import type { Pairs } from "./pair-index.ts";
import { rateOf } from "./prices/pair-prices.ts";

/** Passes after which prices must have settled. */
const ROUNDS = 24;
/**
 * Smaller products are ignored. Any other counts: a pool far off the market may lead to a token through prices that are
 * as far off.
 */
const LEAST = 1e-60;
/** Larger products come from repeated passes round a profitable cycle. */
const MOST = 1e60;

/**
 * Computes what depends on the whole market of the newest block, unless it is up to date: prices against the native coin, hubs,
 * core and base prices. It is called before a search begins, which then only reads the graph.
 */
export function completeMarket(graph: Graph): void {
  refreshNearPairs(graph);
  if (!graph.roundTrips.known) {
    graph.arbitrageFree.market = undefined;
    // Rates of a market with a profitable cycle do not settle, so finding out by them takes the most passes.
    const gains = gainsClearly(graph);
    if (!gains) rateTokens(graph);
    if (gains || !graph.roundTrips.isArbitrageFree) rateTokens(removeArbitrage(graph));
  }
  listCore(graph.core, graph.pairs, graph.tokens.length);
}

/** Share by which a pool gains at base prices, which are computed to a millionth, only if it is part of a profitable cycle. */
const CLEAR = 1e-4;

/** Whether some cycle is profitable for certain. Pools of a token with one neighbour do not count, as no path passes through it. */
function gainsClearly(graph: Graph): boolean {
  const { near, base, pairs } = graph;
  const isPassed = (pair: number) => pairs.degree[pairs.tail[pair]!]! > 1;
  const gains = (pair: number) =>
    isPassed(pair) && isPassed(pair ^ 1) && rateOf(graph, pair, base.price) > 1 + CLEAR;
  return near.leaning.some((pair) => gains(pair) || gains(pair ^ 1));
}

/** Finds the best prices of all tokens against the native coin at spot, in both directions, by label correction. */
function rateTokens(graph: Graph): void {
  const { roundTrips } = graph;
  const nodes = graph.tokens.length;
  roundTrips.known = true;
  for (const key of ["bestSell", "bestBuy"] as const) {
    roundTrips[key] = grown(roundTrips[key], nodes);
    roundTrips[key].fill(0);
    roundTrips[key][NATIVE_NODE] = 1;
  }
  roundTrips.isArbitrageFree = true;
  const queued = new Uint8Array(nodes);
  let waiting: readonly number[] = [NATIVE_NODE];
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) waiting = spread(graph, waiting, queued);
  roundTrips.isArbitrageFree &&= waiting.length === 0;
  listHubs(roundTrips.hubs, graph.pairs, nodes);
  listRoundTrips(graph);
}

/** Relaxes all pairs of the queued nodes in both directions. @returns the nodes whose prices improved */
function spread({ pairs, roundTrips }: Graph, waiting: readonly number[], queued: Uint8Array): number[] {
  const { start, length, data } = pairs.onward;
  const found: number[] = [];
  for (const node of waiting) {
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k += 2) {
      const far = data[k + 1]!;
      const more = raise(
        roundTrips,
        roundTrips.bestSell,
        far,
        pairs.spot[data[k]! ^ 1]! * roundTrips.bestSell[node]!,
      );
      const less = raise(
        roundTrips,
        roundTrips.bestBuy,
        far,
        pairs.spot[data[k]!]! * roundTrips.bestBuy[node]!,
      );
      if ((!more && !less) || queued[far] === 1) continue;
      queued[far] = 1;
      found.push(far);
    }
  }
  for (const node of found) queued[node] = 0;
  return found;
}

function raise(rates: RoundTrips, best: Float64Array, node: number, reached: number): boolean {
  if (!(reached > best[node]!) || reached < LEAST) return false;
  if (reached > MOST) {
    rates.isArbitrageFree = false;
    return false;
  }
  best[node] = reached;
  return true;
}

/** Computes the round-trip rates of tokens and bridges from the prices against the native coin. */
function listRoundTrips({ pairs, roundTrips, tokens }: Graph): void {
  const { bestSell, bestBuy, hubs, byLoss } = roundTrips;
  const isTrip = (node: number) => hubs.isHub[node] === 0 && bestSell[node]! * bestBuy[node]! > 0;
  const nodes = Int32Array.from(tokens.keys()).filter(isTrip);
  sortByLoss(byLoss.tokens, nodes, (node) => bestSell[node]! * bestBuy[node]!);
  byLoss.rates = grown(byLoss.rates, RATES * nodes.length);
  byLoss.hubs = grown(byLoss.hubs, ENDS * nodes.length);
  for (let at = 0; at < nodes.length; at++) rateHubs(pairs, roundTrips, byLoss.tokens.what[at]!, at);
  sortByLoss(byLoss.bridges, hubs.bridges, (pair) => leftOver(pairs, roundTrips, pair));
}

/** The round-trip rate over a bridge, in its better direction. */
function leftOver({ tail, spot }: Pairs, { bestSell, bestBuy }: RoundTrips, pair: number): number {
  const u = tail[pair]!;
  const v = tail[pair ^ 1]!;
  const there = bestBuy[u]! * spot[pair]! * bestSell[v]!;
  const back = bestBuy[v]! * spot[pair ^ 1]! * bestSell[u]!;
  return Math.max(there, back);
}

function sortByLoss(ordered: Ordered, all: Int32Array, leftOf: (one: number) => number): void {
  const { upTo } = ordered;
  const left = Float64Array.from(all, leftOf);
  ordered.count = all.length;
  ordered.what = grown(ordered.what, all.length);
  ordered.left = grown(ordered.left, all.length);
  upTo.fill(0);
  for (const one of left) upTo[classOf(one)]!++;
  for (let k = 1; k < upTo.length; k++) upTo[k]! += upTo[k - 1]!;
  const next = upTo.slice();
  for (let k = all.length - 1; k >= 0; k--) {
    const at = --next[classOf(left[k]!)]!;
    ordered.what[at] = all[k]!;
    ordered.left[at] = left[k]!;
  }
}

/**
 * For selling a token and for buying it: its best neighbouring hub with the price there, and the rate that the second best
 * hub gives on the path to or from the native coin; 0 for none.
 */
function rateHubs(
  pairs: Pairs,
  { bestSell, bestBuy, hubs, byLoss }: RoundTrips,
  node: number,
  at: number,
): void {
  const { start, data } = pairs.onward;
  const { rates } = byLoss;
  const last = start[node]! + 2 * hubs.around[node]!;
  let sold = 0;
  let bestSold = 0;
  let nextSold = 0;
  let sellTo = 0;
  let paid = 0;
  let bestPaid = 0;
  let nextPaid = 0;
  let buyFrom = 0;
  for (let k = start[node]!; k < last; k += 2) {
    const hub = data[k + 1]!;
    const there = pairs.spot[data[k]!]!;
    const back = pairs.spot[data[k]! ^ 1]!;
    if (there * bestSell[hub]! > bestSold) {
      nextSold = bestSold;
      bestSold = there * bestSell[hub]!;
      sold = there;
      sellTo = hub;
    } else nextSold = Math.max(nextSold, there * bestSell[hub]!);
    if (back * bestBuy[hub]! > bestPaid) {
      nextPaid = bestPaid;
      bestPaid = back * bestBuy[hub]!;
      paid = back;
      buyFrom = hub;
    } else nextPaid = Math.max(nextPaid, back * bestBuy[hub]!);
  }
  rates[RATES * at] = sold;
  rates[RATES * at + 1] = nextSold;
  rates[RATES * at + 2] = paid;
  rates[RATES * at + 3] = nextPaid;
  byLoss.hubs[ENDS * at] = sellTo;
  byLoss.hubs[ENDS * at + 1] = buyFrom;
}
