import { profitAt, spotSlope } from "../curves/segments.ts";
import { forEachEdge, type Graph, NATIVE_NODE, UNPLACED } from "./graph.ts";
import { findPair, HUB } from "./pair-index.ts";
import { refreshBasePrices } from "./prices/base-prices.ts";
import { mostByDepth, NEAR as OF_DEPTH, rateOf } from "./prices/pair-prices.ts";
import type { NearPairs } from "./prices/prices.ts";
import { forEachTied, tiePair } from "./ties.ts";

/**
 * The pools that a small move of prices may make profitable.
 *
 * In: base prices ν⁰. The slack of a pair from t to h is ln ν⁰_t - ln(spot·ν⁰_h): how far prices have to move before
 * its best pool earns. Out: for each hub its pairs with less slack than `NEAR` in either direction, and all pairs that
 * earn at ν⁰ or would if they paid `MARGIN` more. O(pairs) once a block.
 */

/** Largest move of a price, as a share, for which the near pairs of a hub are complete. */
export const NEAR = 2e-3;
/** Share by which a pool may pay more than its curve says. */
export const MARGIN = 1e-4;

/** Brings the lists up to date with the base prices. */
export function refreshNearPairs(graph: Graph): NearPairs {
  const { near } = graph;
  const base = refreshBasePrices(graph);
  if (near.version === base.version) return near;
  near.version = base.version;
  near.ofHub.clear();
  near.leaning = [];
  near.ties.clear();
  const { pairs } = graph;
  if (near.joined !== graph.edges) {
    near.joined = graph.edges;
    labelComponents(graph);
    markMixed(graph);
    listHubs(graph);
  }
  for (let pair = 0; pair < pairs.count; pair += 2) {
    const most = Math.max(rateOf(graph, pair, base.price), rateOf(graph, pair + 1, base.price));
    if (most * (1 + NEAR + MARGIN) < 1) continue;
    if (most * (1 + MARGIN) > 1) near.leaning.push(pair);
    tiePair(graph, near.ties, pair);
    addTo(graph, pairs.tail[pair]!, pair);
    addTo(graph, pairs.tail[pair + 1]!, pair + 1);
  }
  alignTied(graph);
  return near;
}

/** Sets the base prices of tied tokens to one price: that of the native coin, or of the token with the most neighbours. */
function alignTied({ near, base, pairs }: Graph): void {
  const rank = (node: number) => (node === NATIVE_NODE ? Infinity : pairs.degree[node]!);
  for (const group of new Set(near.ties.values())) {
    const { node } = group.reduce((best, one) => (rank(one.node) > rank(best.node) ? one : best));
    forEachTied(near.ties, node, base.price[node]!, (other, price) => {
      base.price[other] = price;
    });
  }
}

function addTo({ near, pairs }: Graph, node: number, pair: number): void {
  if (pairs.degree[node]! <= HUB) return;
  const list = near.ofHub.get(node);
  if (list === undefined) near.ofHub.set(node, [pair]);
  else list.push(pair);
}

/**
 * An upper bound on what the pools between two tokens earn together at the prices, in either direction, in wei: by the pair's
 * depth for small deviations, otherwise pool by pool.
 *
 * @param pair one of the two directions
 */
export function mostEarned(graph: Graph, pair: number, price: ArrayLike<number>): number {
  const { pairs, values } = graph;
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair ^ 1]!;
  const sold = price[tail]! * values.ref[head]!;
  const bought = price[head]! * values.ref[tail]!;
  const there = pairs.spot[pair]! * bought * (1 + MARGIN);
  const back = pairs.spot[pair ^ 1]! * sold * (1 + MARGIN);
  let most = 0;
  if (there > sold) most += earnedBeyond(graph, pair, price, there / sold - 1);
  if (back > bought) most += earnedBeyond(graph, pair ^ 1, price, back / bought - 1);
  return most;
}

/** An upper bound on what the pools of a pair earn together, in wei. @param share > 0 by which their best price exceeds the cost */
function earnedBeyond(
  { pairs, values, curves }: Graph,
  pair: number,
  price: ArrayLike<number>,
  share: number,
): number {
  const worth = price[pairs.tail[pair ^ 1]!]! * (1 + MARGIN);
  if (share < OF_DEPTH) return mostByDepth(pairs, pair, share, values.ref) * worth;
  const least = price[pairs.tail[pair]!]! / worth;
  const { start, length, data } = pairs.edges;
  let sum = 0;
  for (let k = start[pair]!; k < start[pair]! + length[pair]! && spotSlope(curves, data[k]!) > least; k++)
    sum += profitAt(curves, data[k]!, least);
  return sum >= 0 ? sum * worth : Infinity;
}

/** Calls `visit` with the pairs of a token that may earn after its price has moved by a share of at most `moved`. */
export function forEachConcerned(
  graph: Graph,
  node: number,
  moved: number,
  visit: (pair: number) => void,
): void {
  const { pairs, near } = graph;
  if (moved < NEAR && pairs.degree[node]! > HUB) {
    for (const pair of near.ofHub.get(node) ?? []) visit(pair);
    return;
  }
  const { start, length, data } = pairs.outgoing;
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) visit(data[k]!);
}

function labelComponents({ near, pairs, tokens }: Graph): void {
  near.component = new Int32Array(tokens.length);
  const { start, length, data } = pairs.outgoing;
  for (let first = 0; first < tokens.length; first++) {
    const waiting = near.component[first] === 0 ? [first] : [];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      near.component[node] = first + 1;
      for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
        const next = pairs.tail[data[k]! ^ 1]!;
        if (near.component[next] === 0) waiting.push(next);
      }
    }
  }
}

function markMixed({ near, pairs, entries, pair }: Graph): void {
  near.isMultiple = new Uint8Array(entries.length);
  near.isMixed = new Uint8Array(pairs.count);
  const shared = new Set<string>();
  for (const { pool } of entries)
    if (pool.stateIds.length > 1) for (const id of pool.stateIds) shared.add(id);
  for (const [index, entry] of entries.entries()) {
    const { tokens, stateIds } = entry.pool;
    const isMultiple = tokens.length > 2 || stateIds.length > 1 || shared.has(stateIds[0]);
    if (entry.firstEdge === UNPLACED || !isMultiple) continue;
    near.isMultiple[index] = 1;
    forEachEdge(entry, (edge) => {
      if (pair[edge]! < 0) return;
      near.isMixed[pair[edge]!] = 1;
      near.isMixed[pair[edge]! ^ 1] = 1;
    });
  }
}

/** Number of tokens listed in `hubs`, between which spot rates are looked up. */
const HUBS = 32;

function listHubs({ near, pairs, tokens }: Graph): void {
  const nodes = [...tokens.keys()].filter((node) => pairs.degree[node]! > 1);
  near.hubs = nodes.sort((a, b) => pairs.degree[b]! - pairs.degree[a]! || a - b).slice(0, HUBS);
  near.placeOf.clear();
  for (const [place, hub] of near.hubs.entries()) near.placeOf.set(hub, place);
  near.hubPairs = Int32Array.from(
    near.hubs.flatMap((a) => near.hubs.map((b) => (a === b ? -1 : findPair(pairs, a, b)))),
  );
}
