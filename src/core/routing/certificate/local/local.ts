import { barOf } from "../../../math/nth-largest.ts";
import { profitAt, spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { MARGIN, mostEarned } from "../../market-graph/near-pairs.ts";
import {
  type Bounds,
  boundsOf,
  type CertifiedOrder,
  type Ledger,
  NO_PRICE,
  type Unproved,
} from "../certify.ts";
import { settledPrices } from "../dual/settled.ts";
import { type PricedMarket, SINGLE, sharedState } from "../earning/earning.ts";
import { mostProfit } from "../earning/outer.ts";
import { type Gaining, gainsOf } from "../gains.ts";
import type { CertificateMemory, LocalPrices } from "../memory.ts";
import { type Counting, displaced } from "./displaced.ts";
import { evaluate, type Found, looseness, unlistedGain } from "./found.ts";
import { followMoves, moveShares, moveTied, refreshLocal, restore } from "./moves.ts";
import { addResidual } from "./residual.ts";

/**
 * The certificate of prices that differ from base prices for few tokens: the same bound as `certify`, from few pools.
 *
 * In: prices of some tokens (of a route, or of a solved problem). Other tokens keep their base price, scaled by the given
 * token with the most neighbours. If a pool between a moved token and another would earn, that token's price is moved
 * to where its pools earn least. Out: the bounds of `certify` at all these prices.
 *
 * Only pools around moved tokens, and those that earn at base prices, are evaluated: every other pool has the same
 * relative prices as at base prices, where it earns nothing.
 */

/** By node, the prices of some tokens, in units of the token bought per smallest unit. */
export type PartialPrices = ReadonlyMap<number, number>;

/** The bounds that some prices prove together with the base prices of all other tokens. */
export function certifyLocally(
  graph: Graph,
  memory: CertificateMemory,
  prices: PartialPrices,
  order: CertifiedOrder,
): Bounds | Unproved {
  const local = refreshLocal(graph, memory, order);
  memory.drift = local.drift;
  const settled = settledPrices(graph, memory, order);
  const scale = scaleOf(graph, prices, settled);
  if (scale === undefined) return { reason: NO_PRICE };
  for (const [node, price] of settled) moveTied(graph, local, { node, price });
  const aligned = new Set<number>();
  // The token bought is the unit of all prices, so its group follows it.
  const first = prices.get(order.to);
  for (const [node, price] of first === undefined ? prices : [[order.to, first] as const, ...prices])
    if (!aligned.has(node)) moveTied(graph, local, { node, price: price / scale }, aligned);
  moveShares(graph, local, order, prices);
  local.negligible = negligible(graph, local, order, scale);
  const { at, allowed } = order;
  const market: PricedMarket = {
    graph,
    memory,
    at,
    allowed,
    price: (node) => local.price[node]!,
    perGas: order.outPerGas / scale,
    enough: local.negligible,
    ends: [order.from, order.to],
  };
  local.skipped = 0;
  const found: Found = { market, local, earners: [], reason: undefined, isLoose: looseness(order, scale) };
  followMoves(graph, local, order);
  local.negligible = negligible(graph, local, order, scale);
  evaluateMoved(found, { most: order.maxLegs, perGas: order.outPerGas / scale, leastGas: graph.leastGas });
  addResidual(found, order);
  countSkipped(found, order);
  const priceIn = local.price[order.from]! * scale;
  if (order.keep !== undefined)
    for (let n = 0; n < local.price.length; n++) order.keep[n] = local.price[n]! * scale;
  if (order.ledger !== undefined) write(order.ledger, found, scale);
  const bounds = concluded(found, { ...order, drift: memory.drift }, { scale, priceIn });
  restore(graph, local);
  return bounds;
}

/** The bounds that follow. @param scale units of the token bought per wei @param priceIn price of the token sold, in those units */
function concluded(
  found: Found,
  order: CertifiedOrder,
  { scale, priceIn }: { readonly scale: number; readonly priceIn: number },
): Bounds | Unproved {
  const { graph, memory } = found.market;
  if (found.reason !== undefined) return { reason: found.reason };
  const scaled = found.earners.map((one) => inTokenBought(one, scale));
  const unlisted = (index: number) => scale * unlistedGain(found, index);
  return boundsOf(graph, order, priceIn, gainsOf(scaled, sharedState(memory, graph), unlisted));
}

/** An earner in units of the token bought. @param scale these units per wei */
function inTokenBought({ afterBoundaries, ...one }: Gaining, scale: number): Gaining {
  const scaled = { ...one, earned: one.earned * scale };
  return afterBoundaries === undefined ? scaled : { ...scaled, afterBoundaries: afterBoundaries * scale };
}

function write({ moved, gaining }: Ledger, { local, earners }: Found, scale: number): void {
  moved.clear();
  gaining.length = 0;
  for (const node of local.moved) moved.set(node, local.price[node]! * scale);
  for (const one of earners) if (one.index >= 0) gaining.push(inTokenBought(one, scale));
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Units of the token bought per wei, by the token with the most neighbours among those with both prices; undefined without any. */
export function scaleOf(
  { base, pairs }: Graph,
  prices: PartialPrices,
  settled: ReadonlyMap<number, number> = NONE,
): number | undefined {
  let scale: number | undefined;
  let most = -1;
  for (const [node, price] of prices) {
    if (!(base.price[node]! > 0 && price > 0) || pairs.degree[node]! <= most) continue;
    most = pairs.degree[node]!;
    scale = price / (settled.get(node) ?? base.price[node]!);
  }
  return scale;
}

/**
 * Evaluates the pools around moved tokens that may earn, those with the largest upper bounds first. Once as many are known
 * as count, others are evaluated only if they may earn more than these.
 */
function evaluateMoved(found: Found, counting: Counting): void {
  const { market, local } = found;
  const { graph } = market;
  const earned = new Float64Array(local.leaning.length);
  for (let k = 0; k < earned.length; k++) earned[k] = mostEarned(graph, local.leaning[k]!, local.price);
  local.round++;
  const first = counting.most > 0 ? barOf(earned, counting.most, local.negligible) : 0;
  const isMixed = (k: number) => graph.near.isMixed[local.leaning[k]!] === 1;
  evaluatePairs(found, (k) => isMixed(k) || (earned[k]! >= first && earned[k]! > local.negligible));
  local.negligible = Math.max(local.negligible, displaced(found.earners, counting));
  evaluatePairs(found, (k) => !isMixed(k) && earned[k]! < first && earned[k]! > local.negligible);
  for (let k = 0; k < earned.length; k++)
    if (earned[k]! < first && earned[k]! <= local.negligible && !isMixed(k)) local.skipped++;
}

/** Evaluates both directions of those pairs of moved tokens for which `isWanted` holds, by their place in the list. */
function evaluatePairs(found: Found, isWanted: (k: number) => boolean): void {
  const { leaning } = found.local;
  for (let k = 0; k < leaning.length && found.reason === undefined; k++) {
    if (!isWanted(k)) continue;
    evaluatePair(found, leaning[k]!);
    evaluatePair(found, leaning[k]! ^ 1);
  }
}

/**
 * A pool that earns at most this share of the order, or this share of the least gas of a crossing, need not be evaluated.
 */
const NEGLIGIBLE = 2e-8;
const NEGLIGIBLE_GAS = 1 / 64;

/** Earnings in wei that need not be known exactly, since at most `maxLegs` of them count; 0 without a cap, where all count. */
function negligible(graph: Graph, local: LocalPrices, order: CertifiedOrder, scale: number): number {
  if (order.maxLegs === 0) return 0;
  const ofGas = (graph.leastGas * order.outPerGas) / scale;
  return Math.max(NEGLIGIBLE * local.price[order.from]! * order.amount, NEGLIGIBLE_GAS * ofGas) || 0;
}

/** Adds an earner of the negligible amount for each pool that was not evaluated, up to the cap on legs. */
function countSkipped({ local, market, earners }: Found, { maxLegs }: CertifiedOrder): void {
  for (let k = Math.min(local.skipped, maxLegs); k > 0; k--)
    earners.push({ index: -1, earned: local.negligible, cost: market.graph.leastGas * SINGLE });
}

/** Evaluates the edges of one direction whose spot price is high enough. Edges are sorted by it, so these are the first ones. */
function evaluatePair(found: Found, pair: number): void {
  const { graph } = found.market;
  const { price, negligible } = found.local;
  const { start, length, data } = graph.pairs.edges;
  const worth = price[graph.pairs.tail[pair ^ 1]!]! * (1 + MARGIN);
  const least = price[graph.pairs.tail[pair]!]! / worth;
  const isMixed = graph.near.isMixed[pair] === 1;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (!(spotSlope(graph.curves, edge) > least)) return;
    const isWorth =
      worth * profitAt(graph.curves, edge, least) > negligible || (isMixed && mayEarn(found, pair, edge));
    if (isWorth) evaluate(found, graph.owner[edge]!);
    else if (!isMixed) found.local.skipped++;
  }
}

/** Whether a pool of a mixed pair is evaluated whatever it earns: it has several coins, or it earns something. */
function mayEarn({ market, local: { price } }: Found, pair: number, edge: number): boolean {
  const { graph, memory, at } = market;
  if (graph.near.isMultiple[graph.owner[edge]!] === 1) return true;
  const { tail } = graph.pairs;
  const least = price[tail[pair]!]! / price[tail[pair ^ 1]!]!;
  return mostProfit(memory.outer, graph, edge, { least, at }) > 0;
}
