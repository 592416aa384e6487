import { grown } from "../../../math/rows.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { forEachConcerned, mostEarned, refreshNearPairs } from "../../market-graph/near-pairs.ts";
import { bestPrice, isFollower } from "../../market-graph/prices/base-prices.ts";
import { forEachTied } from "../../market-graph/ties.ts";
import type { CertifiedOrder } from "../certify.ts";
import { earningOf, type PricedMarket, sharedState } from "../earning/earning.ts";
import type { CertificateMemory, LocalPrices, Residual } from "../memory.ts";

/**
 * Prices that move away from base prices for one order and back again: those of given tokens, and those of their
 * neighbours where a pool between them would earn.
 */

export function refreshLocal(graph: Graph, memory: CertificateMemory, { at }: CertifiedOrder): LocalPrices {
  const { local } = memory;
  const { leaning, version } = refreshNearPairs(graph);
  if (local.version === version) return local;
  local.version = version;
  local.price = graph.base.price.slice();
  local.isMoved = new Uint8Array(local.price.length);
  local.asked = grown(local.asked, graph.entries.length);
  local.moved.length = 0;
  askAtBase(
    { graph, memory, at, allowed: () => true, price: (node) => local.price[node]!, enough: 0, ends: [] },
    leaning,
  );
  return local;
}

/** Asks the pools that may earn at base prices. */
function askAtBase(market: PricedMarket, leaning: readonly number[]): void {
  const { graph, memory } = market;
  const groups = sharedState(memory, graph);
  const residual: Residual[] = [];
  memory.local.multiple = [];
  memory.drift = 0;
  for (const index of poolsOf(graph, leaning)) {
    const earning = groups.has(index) ? undefined : earningOf(market, index);
    const earner = earning !== undefined && "earned" in earning ? earning : undefined;
    const isMultiple = groups.has(index) || graph.entries[index]!.pool.tokens.length > 2;
    if (isMultiple) memory.local.multiple.push({ index, earner });
    else if (earner !== undefined) residual.push({ index, ...earner });
  }
  memory.local.drift = memory.drift;
  memory.local.residual = residual.sort((a, b) => b.earned - a.earned);
}

/** The pools of both directions of these pairs, and those that share their state. */
function poolsOf({ pairs, owner }: Graph, list: readonly number[]): Set<number> {
  const { start, length, data } = pairs.edges;
  const found = new Set<number>();
  for (const pair of list)
    for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) found.add(owner[data[k]!]!);
  return found;
}

/** Sets a price; one that is the base price stays what it is, but other moves may not change it. */
function move({ base, pairs }: Graph, local: LocalPrices, node: number, price: number): void {
  local.price[node] = price;
  if (local.isMoved[node] === STAYS) local.moved.push(node);
  local.isMoved[node] = price === base.price[node] ? HELD : MOVED;
  if (pairs.degree[node]! > HUB)
    local.farthest = Math.max(local.farthest, distanceMoved({ base }, local, node));
}

/** Sets a price, and those of the tokens that have one price with it; leaves all of them in `aligned`. */
export function moveTied(
  graph: Graph,
  local: LocalPrices,
  { node, price }: { readonly node: number; readonly price: number },
  aligned?: Set<number>,
): void {
  move(graph, local, node, price);
  aligned?.add(node);
  forEachTied(graph.near.ties, node, price, (other, theirs) => {
    move(graph, local, other, theirs);
    aligned?.add(other);
  });
}

/**
 * Moves tokens with a price that one pool of several coins alone trades, as its own shares: between what their pairs
 * sell and buy them at. A solver's price is off by its precision, and such a pool is so straight that it would gain by
 * that on much more than the order.
 */
export function moveShares(
  graph: Graph,
  local: LocalPrices,
  { from, to }: CertifiedOrder,
  prices: ReadonlyMap<number, number>,
): void {
  for (const node of prices.keys())
    if (node !== from && node !== to && hasOnePool(graph, node))
      move(graph, local, node, bestPrice(graph, node, local.price));
}

/** Pairs of a token up to which it may be the shares of one pool. */
const FEW = 8;

/** Whether one pool alone trades a token, and that against several others. */
function hasOnePool({ pairs, owner }: Graph, node: number): boolean {
  const { outgoing, edges } = pairs;
  const [first, degree] = [outgoing.start[node]!, outgoing.length[node]!];
  if (degree < 2 || degree > FEW) return false;
  const pool = owner[edges.data[edges.start[outgoing.data[first]!]!]!];
  for (let k = first; k < first + degree; k++) {
    const pair = outgoing.data[k]!;
    if (edges.length[pair] !== 1 || owner[edges.data[edges.start[pair]!]!] !== pool) return false;
  }
  return true;
}

/** How a token's price stands to its base price. */
const STAYS = 0;
export const MOVED = 1;
const HELD = 2;

/** How far a price is from the base price, as a logarithm; Infinity where there is none. */
function distanceMoved({ base }: Pick<Graph, "base">, { price }: LocalPrices, node: number): number {
  const distance = Math.abs(Math.log(price[node]! / base.price[node]!));
  return distance >= 0 ? distance : Infinity;
}

export function restore({ base }: Graph, local: LocalPrices): void {
  for (const node of local.moved) {
    local.price[node] = base.price[node]!;
    local.isMoved[node] = STAYS;
  }
  local.moved.length = 0;
  local.farthest = 0;
}

/** Tokens beyond moved ones that may move in their turn. */
const STEPS = 2;
/** Neighbours from which on a token has many. */
const HUB = 64;
/** A token moves where a pool would earn this many times what is negligible: without gas, and with gas. */
const WORTHWHILE = 50;
const WORTHWHILE_GAS = 64;

/**
 * Moves the tokens next to moved ones where a pool between them would earn, and lists the pairs of moved tokens that
 * may earn. Each moved token's pairs are gone through once: a pair of two of them is seen by the one that moved last.
 */
export function followMoves(graph: Graph, local: LocalPrices, { outPerGas, staysPut }: CertifiedOrder): void {
  const { pairs } = graph;
  const worthwhile = outPerGas > 0 ? WORTHWHILE_GAS : WORTHWHILE;
  local.leaning.length = 0;
  let [step, stepEnds] = [0, local.moved.length];
  for (let k = 0; k < local.moved.length; k++) {
    if (k === stepEnds) [step, stepEnds] = [step + 1, local.moved.length];
    const follows = step < STEPS;
    forEachLeaning(graph, local, local.moved[k]!, (pair, earned) => {
      local.leaning.push(pair);
      const next = pairs.tail[pair ^ 1]!;
      if (!follows || local.isMoved[next] !== STAYS || !(earned > worthwhile * local.negligible)) return;
      if (staysPut && !isFollower(graph, next)) return;
      moveTied(graph, local, { node: next, price: priceNextTo(graph, local, next, pairs.tail[pair]!) });
    });
  }
}

function priceNextTo(graph: Graph, local: LocalPrices, node: number, moved: number): number {
  if (isFollower(graph, node)) return graph.base.ratio[node]! * local.price[moved]!;
  return bestPrice(graph, node, local.price);
}

/** Calls `visit` with the pairs of a moved token that may earn either way, and with what at most, in wei. */
function forEachLeaning(
  graph: Graph,
  local: LocalPrices,
  node: number,
  visit: (pair: number, earned: number) => void,
): void {
  const { price, farthest, isMoved } = local;
  // Pools between two tokens are asked by the one that moved.
  if (isMoved[node] === HELD) return;
  forEachConcerned(graph, node, distanceMoved(graph, local, node) + farthest, (pair) => {
    const earned = mostEarned(graph, pair, price) + mostEarned(graph, pair ^ 1, price);
    if (earned > 0) visit(pair, earned);
  });
}
