import { grown } from "../../../math/rows.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { forEachConcerned, mostEarned, refreshNearPairs } from "../../market-graph/near-pairs.ts";
import { HUB } from "../../market-graph/pair-index.ts";
import { bestPrice } from "../../market-graph/prices/best-price.ts";
import { isFollower } from "../../market-graph/prices/roots.ts";
import { forEachTied } from "../../market-graph/ties.ts";
import type { CertifiedOrder } from "../certify.ts";
import { earningOf, type PricedMarket, sharedState } from "../earning/earning.ts";
import type { CertificateMemory, LocalPrices, Residual } from "../memory.ts";

/**
 * Prices that are moved from base prices for one order and restored afterwards: those of given tokens, and those of
 * neighbours if a pool between them would earn.
 */

export function refreshLocal(graph: Graph, memory: CertificateMemory, { at }: CertifiedOrder): LocalPrices {
  const { local } = memory;
  const { leaning, version } = refreshNearPairs(graph);
  if (local.version === version) return local;
  local.version = version;
  local.price = graph.base.price.slice();
  local.isMoved = new Uint8Array(local.price.length);
  local.evaluated = grown(local.evaluated, graph.entries.length);
  local.moved.length = 0;
  evaluateAtBase(
    { graph, memory, at, allowed: () => true, price: (node) => local.price[node]!, ...NO_ORDER },
    leaning,
  );
  return local;
}

const NO_ORDER = { perGas: 0, enough: 0, ends: [] };

/** Evaluates the pools that may earn at base prices. */
function evaluateAtBase(market: PricedMarket, leaning: readonly number[]): void {
  const { graph, memory } = market;
  const groups = sharedState(memory, graph);
  const residual: Residual[] = [];
  memory.local.multiple = [];
  memory.drift = 0;
  for (const index of poolsOf(graph, leaning)) {
    // What pools of shared state earn depends on the pools that an order may use.
    const earning = groups.has(index) ? { reason: "" } : earningOf(market, index);
    if (earning === undefined) continue;
    const earner = "earned" in earning ? earning : undefined;
    const isMultiple = groups.has(index) || graph.entries[index]!.pool.tokens.length > 2;
    if (isMultiple) memory.local.multiple.push({ index, earner });
    else if (earner !== undefined) residual.push({ index, ...earner });
  }
  memory.local.drift = memory.drift;
  memory.local.residual = residual.sort((a, b) => b.earned - a.earned);
}

/** The pools of the given pairs. */
function poolsOf({ pairs, owner }: Graph, list: readonly number[]): Set<number> {
  const { start, length, data } = pairs.edges;
  const found = new Set<number>();
  for (const pair of list)
    for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) found.add(owner[data[k]!]!);
  return found;
}

/** Sets a price. If it equals the base price it does not count as moved, but later moves may not change it. */
function move({ base, pairs }: Graph, local: LocalPrices, node: number, price: number): void {
  local.price[node] = price;
  if (local.isMoved[node] === STAYS) local.moved.push(node);
  local.isMoved[node] = price === base.price[node] ? HELD : MOVED;
  if (pairs.degree[node]! > HUB)
    local.farthest = Math.max(local.farthest, distanceMoved({ base }, local, node));
}

/** Sets a price and those of the tokens tied to it, and adds all of these to `aligned`. */
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
 * Moves tokens that only one pool of several coins trades, such as its own shares, to a price at which its pairs earn
 * nothing. A solver's price is wrong by its precision, and such a pool is so straight that it would gain by that on far
 * more than the order.
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

/** Number of pairs up to which a token may be such shares. */
const FEW = 8;

/** Whether only one pool trades a token, against several others. */
function hasOnePool({ pairs, owner }: Graph, node: number): boolean {
  const { outgoing, edges } = pairs;
  const first = outgoing.start[node]!;
  const degree = outgoing.length[node]!;
  if (degree < 2 || degree > FEW) return false;
  const pool = owner[edges.data[edges.start[outgoing.data[first]!]!]!];
  for (let k = first; k < first + degree; k++) {
    const pair = outgoing.data[k]!;
    if (edges.length[pair] !== 1 || owner[edges.data[edges.start[pair]!]!] !== pool) return false;
  }
  return true;
}

/** State of a token's price: the base price, moved, or fixed at the base price. */
const STAYS = 0;
export const MOVED = 1;
const HELD = 2;

/** Absolute logarithm of a price over its base price; Infinity if it has none. */
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

/** Number of steps from the given tokens to neighbours that may move. */
const STEPS = 2;
/** A neighbour moves if a pool would earn this many times what is negligible: without gas, and with gas. */
const WORTHWHILE = 50;
const WORTHWHILE_GAS = 64;

/**
 * Moves neighbours of moved tokens if a pool between them would earn, and lists the pairs of moved tokens that may earn.
 * The pairs of each moved token are visited once, so a pair of two moved tokens is visited by the one that moved last.
 */
export function followMoves(graph: Graph, local: LocalPrices, { outPerGas, staysPut }: CertifiedOrder): void {
  const { pairs } = graph;
  const worthwhile = outPerGas > 0 ? WORTHWHILE_GAS : WORTHWHILE;
  local.leaning.length = 0;
  let step = 0;
  let stepEnds = local.moved.length;
  for (let k = 0; k < local.moved.length; k++) {
    if (k === stepEnds) {
      step++;
      stepEnds = local.moved.length;
    }
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

/** Calls `visit` with the pairs of a moved token that may earn in either direction, and an upper bound on that in wei. */
function forEachLeaning(
  graph: Graph,
  local: LocalPrices,
  node: number,
  visit: (pair: number, earned: number) => void,
): void {
  const { price, farthest, isMoved } = local;
  // A pool between a fixed and a moved token is visited from the moved one.
  if (isMoved[node] === HELD) return;
  forEachConcerned(graph, node, distanceMoved(graph, local, node) + farthest, (pair) => {
    const earned = mostEarned(graph, pair, price);
    if (earned > 0) visit(pair, earned);
  });
}
