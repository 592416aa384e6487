import type { Rows } from "../math/rows.ts";
import { mostOut, slopeAt } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import { spotRate } from "./market-graph/prices/spot-rate.ts";
import type { Query } from "./request.ts";
import type { Judged } from "./settlement/evaluate.ts";
import type { NoRouteReason, RouteMissing } from "./types.ts";

/** A search for a sale of an amount. */
type Sell = (query: Query, amount: bigint) => Judged | undefined;

/**
 * The reason why an order does not route, and the largest amount that would. Called as soon as its search has ended. A search
 * that was cut short says nothing of the amount: without a smaller one that routes, the reason is the time, unless no pools pay
 * that much.
 */
export function diagnose(query: Query, sell: Sell): RouteMissing {
  const { graph, from, to, request } = query;
  const isCutShort = query.late() || query.progress.isCut;
  if (!joined(graph, from, to, { maxHops: request.maxHops, allowed: query.allowed })) {
    const excluded = joined(graph, from, to, { maxHops: request.maxHops, allowed: () => true });
    return missing(excluded ? "excluded" : "no-path", { isCutShort });
  }
  if (isLessThanAUnit(query)) return missing("too-small", { isCutShort });
  if (!isCutShort && isDust(query, sell)) return missing("too-small", { isCutShort });
  const largest = largestAmount(query, sell);
  const isUnknown = isCutShort && largest === undefined && !isBeyondAll(query);
  if (isUnknown) return missing("out-of-time", { isCutShort });
  return missing(reasonFor(query, largest), { isCutShort, largestAmount: largest });
}

type Known = { readonly isCutShort: boolean; readonly largestAmount?: bigint | undefined };

export function missing(reason: NoRouteReason, { isCutShort, largestAmount }: Known): RouteMissing {
  return { kind: "missing", reason, largestAmount, isCutShort };
}

/** A purchase is never too small: where a sale pays more than is wanted, its route could not be made to buy less. */
function reasonFor({ request }: Query, largest: bigint | undefined): NoRouteReason {
  if (request.side === "out") return "too-deep";
  return largest === undefined || largest < request.amount ? "too-deep" : "too-small";
}

/** Larger amounts of which one routes if only dust is refused: so many times the amount, and what is worth so many wei. */
const LARGER = { times: 256n, wei: 1e15 };

/** Whether a sale pays less than one unit at the rate of a small amount. */
function isLessThanAUnit({ graph, request, from, to, allowed }: Query): boolean {
  const rate = request.side === "in" ? spotRate(graph, { from, to }, allowed) : undefined;
  return rate !== undefined && Number(request.amount) * rate < 1;
}

/** Whether a sale routes if it is larger. Found before the long search for the largest amount, which may hit the deadline. */
function isDust(query: Query, sell: Sell): boolean {
  const { request, late } = query;
  if (request.side === "out") return false;
  const worth = worthOf(query, LARGER.wei);
  const larger = [request.amount * LARGER.times, ...(worth > request.amount ? [worth] : [])];
  return larger.some((amount) => !late() && sell(query, amount) !== undefined);
}

/** Smallest units of the token sold that are worth so many wei; 0 if the token has no such value. */
function worthOf({ graph, from }: Query, wei: number): bigint {
  const units = wei / graph.values.ref[from]!;
  return units < Number(EVERYTHING) ? BigInt(Math.ceil(units)) : 0n;
}

/** Factor on what the curves say can be bought, since a pool may pay slightly more than its curve. */
const BEYOND = 2;

/** Whether more is wanted than all pools of the token can pay together. Found without a search, which would try ever larger sales. */
export function isBeyondAll({ graph, to, request, allowed }: Query): boolean {
  const enough = Number(request.amount) / BEYOND;
  return request.side === "out" && mostBought({ graph, allowed }, to, enough) < enough;
}

type Allowed = Pick<Query, "graph" | "allowed">;

/** What all pools of a token can pay together, in its smallest units; pools beyond `enough` are not counted. */
function mostBought(
  { graph: { pairs, curves }, allowed }: Allowed,
  token: number,
  enough = Infinity,
): number {
  let most = 0;
  for (const pair of rowOf(pairs.outgoing, token)) {
    for (const edge of rowOf(pairs.edges, pair ^ 1)) if (allowed(edge)) most += mostOut(curves, edge);
    if (most >= enough) break;
  }
  return most;
}

/** What all pools of a token take together, in its smallest units. */
function mostSold({ graph: { pairs, curves }, allowed }: Allowed, token: number): number {
  let most = 0;
  for (const pair of rowOf(pairs.outgoing, token))
    for (const edge of rowOf(pairs.edges, pair))
      if (allowed(edge) && curves.count[edge]! > 0) most += curves.end[edge]!;
  return most;
}

const rowOf = ({ data, start, length }: Rows, row: number) =>
  data.subarray(start[row]!, start[row]! + length[row]!);

type Reach = { readonly maxHops: number; readonly allowed: (edge: number) => boolean };

/** Whether edges that may be used join two nodes within the hops allowed. */
function joined(graph: Graph, from: number, to: number, { maxHops, allowed }: Reach): boolean {
  const seen = new Set([from]);
  let frontier = [from];
  for (let hop = 0; hop < maxHops && !seen.has(to); hop++) {
    frontier = frontier.flatMap((node) => heads(graph, node, allowed)).filter((node) => !seen.has(node));
    for (const node of frontier) seen.add(node);
  }
  return seen.has(to);
}

function heads(graph: Graph, node: number, allowed: (edge: number) => boolean): number[] {
  const { outgoing, edges, tail } = graph.pairs;
  const live = (edge: number) => slopeAt(graph.curves, edge, 0) > 0 && allowed(edge);
  const open = rowOf(outgoing, node).filter((pair) => rowOf(edges, pair).some(live));
  return [...open].map((pair) => tail[pair ^ 1]!);
}

/** The largest amount of the given side that routes, found until the deadline; undefined if none is. */
function largestAmount(query: Query, sell: Sell): bigint | undefined {
  return query.request.side === "in" ? largestSold(query, sell) : largestBought(query, sell);
}

/** The largest sale is found to within this factor, by at most this many searches. */
const NEAR = 1.02;
const SEARCHES = 24;

/** The largest sale, to within `NEAR`, or to where the deadline or the number of searches ends the search. */
function largestSold(query: Query, sell: Sell): bigint | undefined {
  const { from, request, late } = query;
  const taken = mostSold(query, from) * BEYOND;
  let high = Math.min(Number(request.amount), taken);
  let low: number | undefined;
  for (let k = 0; k < SEARCHES && high > 1 && !(low !== undefined && high <= low * NEAR) && !late(); k++) {
    const amount = low === undefined ? high / COARSE : Math.sqrt(low * high);
    if (sell(query, BigInt(Math.floor(amount))) === undefined) high = amount;
    else low = amount;
  }
  return low === undefined ? undefined : BigInt(Math.floor(low));
}

/** Factor between amounts that are tried until one routes. */
const COARSE = 256;

/** An amount larger than the supply of any token. */
const EVERYTHING = 2n ** 120n;
/**
 * Multiples of what would buy all at the rate of a vanishing amount, tried as sales until one pays less than the one
 * before. A constant product pays 16/17 of what it holds at the first of them; the last two are for pools that accept little.
 */
const EMPTYING = [16, 256, 4096, 1, 0.0625] as const;

/** The most that sales pay. Large amounts exceed what most pools accept, and small ones do not empty them. */
function largestBought(query: Query, sell: Sell): bigint | undefined {
  let most: bigint | undefined;
  for (const amount of emptyingSales(query)) {
    if (query.late()) break;
    const paid = sell(query, amount)?.route.amountOut;
    if (paid === undefined) continue;
    if (most !== undefined && paid < most) break;
    most = paid;
  }
  return most;
}

/** Amounts to sell, in the order in which they are tried: by the rate between the tokens, without one powers of 256. */
function emptyingSales(query: Query): bigint[] {
  const { graph, to, allowed } = query;
  const rate = spotRate(graph, query, allowed) ?? 0;
  const all = mostBought(query, to) / rate;
  if (!(all >= 16 && all < Number(EVERYTHING)))
    return Array.from({ length: 15 }, (_, k) => EVERYTHING >> BigInt(8 * k));
  return EMPTYING.map((times) => BigInt(Math.floor(all * times)));
}
