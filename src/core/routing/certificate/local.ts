import { grown } from "../../math/rows.ts";
import { profitAt, spotSlope } from "../curves/segments.ts";
import { bestPrice, isFollower } from "../market-graph/base-prices.ts";
import type { Graph } from "../market-graph/graph.ts";
import { forEachConcerned, MARGIN, mostEarned, refreshNearPairs } from "../market-graph/near-pairs.ts";
import {
  type Bounds,
  boundsOf,
  type CertifiedOrder,
  type Gaining,
  type Ledger,
  NO_PRICE,
  type Unproved,
} from "./certify.ts";
import { settledPrices } from "./dual/settled.ts";
import { earningOf, type PricedMarket, SINGLE, sharedState } from "./earning.ts";
import type { CertificateMemory, LocalPrices, Residual } from "./memory.ts";

/**
 * The certificate of prices that differ from base prices for few tokens: the same bound as `certify`, from few pools.
 *
 * In: prices of some tokens (of a route, or of a solved problem). Tokens without one keep their base price, scaled to the
 * token of most neighbours among those given; where a pool to a moved token would earn, the price of the token at its other
 * end is moved to where its pools earn least. Out: the bounds of `certify` at all these prices.
 *
 * Only pools around moved tokens, and those that earn at base prices, are asked: every other pool has the same relative
 * prices as at base prices, where it earns nothing.
 */

/** Prices of some nodes, in units of the token bought a smallest unit. */
export type PartialPrices = ReadonlyMap<number, number>;

/** The bounds that some prices prove, together with base prices of all other tokens. */
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
  for (const [node, price] of settled) move(graph, local, node, price);
  for (const [node, price] of prices) move(graph, local, node, price / scale);
  local.negligible = negligible(graph, local, order, scale);
  const { at, allowed } = order;
  const market: PricedMarket = {
    graph,
    memory,
    at,
    allowed,
    price: (node) => local.price[node]!,
    enough: local.negligible,
  };
  local.skipped = 0;
  const found: Found = { market, local, earners: [], reason: undefined };
  followMoves(graph, local, order);
  local.negligible = negligible(graph, local, order, scale);
  askMoved(found);
  addResidual(found, order);
  countSkipped(found, order);
  const priceIn = local.price[order.from]! * scale;
  if (order.keep !== undefined)
    for (let n = 0; n < local.price.length; n++) order.keep[n] = local.price[n]! * scale;
  if (order.ledger !== undefined) write(order.ledger, found, scale);
  restore(graph, local);
  if (found.reason !== undefined) return { reason: found.reason };
  const earners = found.earners.map(({ earned, cost }) => ({ earned: earned * scale, cost }));
  return boundsOf(graph, { ...order, drift: memory.drift }, priceIn, earners);
}

function write({ moved, gaining }: Ledger, { local, earners }: Found, scale: number): void {
  moved.clear();
  gaining.length = 0;
  for (const node of local.moved) moved.set(node, local.price[node]! * scale);
  for (const { index, earned, cost } of earners)
    if (index >= 0) gaining.push({ index, cost, earned: earned * scale });
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Units of the token bought a wei, by the token of most neighbours that has both prices. */
export function scaleOf(
  { base, pairs }: Graph,
  prices: PartialPrices,
  settled: ReadonlyMap<number, number> = NONE,
): number | undefined {
  let [scale, most]: [number | undefined, number] = [undefined, -1];
  for (const [node, price] of prices) {
    if (!(base.price[node]! > 0 && price > 0) || pairs.degree[node]! <= most) continue;
    most = pairs.degree[node]!;
    scale = price / (settled.get(node) ?? base.price[node]!);
  }
  return scale;
}

function refreshLocal(graph: Graph, memory: CertificateMemory, { at }: CertifiedOrder): LocalPrices {
  const { local } = memory;
  const { leaning, version } = refreshNearPairs(graph);
  if (local.version === version) return local;
  local.version = version;
  local.price = graph.base.price.slice();
  local.isMoved = new Uint8Array(local.price.length);
  local.asked = grown(local.asked, graph.entries.length);
  local.moved.length = 0;
  askAtBase(
    { graph, memory, at, allowed: () => true, price: (node) => local.price[node]!, enough: 0 },
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
    const isMultiple = groups.has(index) || graph.entries[index]!.pool.tokens.length > 2;
    if (isMultiple) memory.local.multiple.push(index);
    const earning = isMultiple ? undefined : earningOf(market, index);
    if (earning !== undefined && "earned" in earning) residual.push({ index, ...earning });
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

/** How a token's price stands to its base price. */
const STAYS = 0;
const MOVED = 1;
const HELD = 2;

/** How far a price is from the base price, as a logarithm; Infinity where there is none. */
function distanceMoved({ base }: Pick<Graph, "base">, { price }: LocalPrices, node: number): number {
  const distance = Math.abs(Math.log(price[node]! / base.price[node]!));
  return distance >= 0 ? distance : Infinity;
}

function restore({ base }: Graph, local: LocalPrices): void {
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
 * Moves the tokens next to moved ones where a pool between them would earn, and lists the pairs of moved tokens that may earn.
 * Each moved token's pairs are gone through once: a pair of two of them is seen by the one that moved last.
 */
function followMoves(graph: Graph, local: LocalPrices, { outPerGas, staysPut }: CertifiedOrder): void {
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
      move(graph, local, next, priceNextTo(graph, local, next, pairs.tail[pair]!));
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

/** What has been found of an order's earners, in wei, and why that proves nothing. */
type Found = {
  readonly market: PricedMarket;
  readonly local: LocalPrices;
  readonly earners: Gaining[];
  reason: string | undefined;
};

/** Asks the pools of all pairs around moved tokens that may earn. */
function askMoved(found: Found): void {
  const { market, local } = found;
  const { graph } = market;
  local.round++;
  for (const pair of local.leaning) {
    const earned = mostEarned(graph, pair, local.price) + mostEarned(graph, pair ^ 1, local.price);
    if (earned <= local.negligible && graph.near.isMixed[pair] === 0) local.skipped++;
    else {
      askPair(found, pair);
      askPair(found, pair ^ 1);
    }
  }
}

/** Share of an order that a pool may be taken to earn instead of being asked, and share of the least gas of a crossing. */
const NEGLIGIBLE = 2e-8;
const NEGLIGIBLE_GAS = 1 / 64;

/** Earnings in wei that need not be known, as no more than `maxLegs` of them count; 0 where all do. */
function negligible(graph: Graph, local: LocalPrices, order: CertifiedOrder, scale: number): number {
  if (order.maxLegs === 0) return 0;
  const ofGas = (graph.leastGas * order.outPerGas) / scale;
  return Math.max(NEGLIGIBLE * local.price[order.from]! * order.amount, NEGLIGIBLE_GAS * ofGas) || 0;
}

/** Pools that were not asked earn no more than is negligible, and at most so many as legs are allowed count. */
function countSkipped({ local, market, earners }: Found, { maxLegs }: CertifiedOrder): void {
  for (let k = Math.min(local.skipped, maxLegs); k > 0; k--)
    earners.push({ index: -1, earned: local.negligible, cost: market.graph.leastGas * SINGLE });
}

/** Asks those of one direction that pay enough for their first unit: the best stand first. */
function askPair(found: Found, pair: number): void {
  const { graph } = found.market;
  const { price, negligible } = found.local;
  const { start, length, data } = graph.pairs.edges;
  const worth = price[graph.pairs.tail[pair ^ 1]!]! * (1 + MARGIN);
  const least = price[graph.pairs.tail[pair]!]! / worth;
  const isMixed = graph.near.isMixed[pair] === 1;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (!(spotSlope(graph.curves, edge) > least)) return;
    if (isMixed || worth * profitAt(graph.curves, edge, least) > negligible) ask(found, graph.owner[edge]!);
    else found.local.skipped++;
  }
}

function ask(found: Found, index: number): void {
  const { market, local } = found;
  const members = sharedState(market.memory, market.graph).get(index) ?? [index];
  for (const member of members) {
    if (local.asked[member] === local.round) continue;
    local.asked[member] = local.round;
    const earning = earningOf(market, member);
    if (earning === undefined) continue;
    if ("reason" in earning) found.reason ??= earning.reason;
    else found.earners.push({ ...earning, index: member });
  }
}

/** Adds what pools earn at base prices: as it was where no token of theirs has moved, as many as can count. */
function addResidual(found: Found, { maxLegs, to, allowed }: CertifiedOrder): void {
  const { local, market } = found;
  const { near, tail, head, entries, leastGas } = market.graph;
  for (const index of local.multiple)
    if (near.component[tail[entries[index]!.firstEdge]!] === near.component[to]) ask(found, index);
  const most = maxLegs > 0 ? maxLegs : Infinity;
  let count = 0;
  for (const { index, earned } of local.residual) {
    if (count >= most) break;
    const { firstEdge } = entries[index]!;
    const [one, other] = [tail[firstEdge]!, head[firstEdge]!];
    const isElsewhere = near.component[one] !== near.component[to];
    // What earns around moved tokens has been asked.
    if (isElsewhere || local.isMoved[one] === MOVED || local.isMoved[other] === MOVED || !allowed(firstEdge))
      continue;
    count++;
    // Sorted by what they earn, so that costs may not tell them apart: each is taken to cost the least that any does.
    found.earners.push({ index, earned, cost: leastGas * SINGLE });
  }
}
