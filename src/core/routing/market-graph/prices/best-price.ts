import { zeroOf } from "../../../math/zero.ts";
import { emptyResponse, respondAt } from "../../curves/response.ts";
import { spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../graph.ts";
import type { Tied } from "./prices.ts";
import { isFollower } from "./roots.ts";

/**
 * The best price of one token, or of a group of tokens with tied prices, the other prices held.
 *
 * In: prices by node, and the tokens that move together with the price of each over that of the group. Out: the group's price at
 * which its pools earn least together, as `base-prices.ts` sums what they earn. The derivative by the logarithm of the price is
 * monotone and a sum over the group's own pools, so its zero is found by secants. Pools between two tokens of the group do not
 * count: whether they earn depends on the ratio of the two prices only, which stays.
 */

/** Price of gas for base prices: between those of roll-ups and of busy days on mainnet. */
const REFERENCE_GAS_WEI = 1e9;
/** How far into its band a price is moved, as a share of the band's width, and how near to an end it may stay. */
const INSIDE = 0.25;
export const EDGE = 2e-4;
/** Precision of the best price, as a logarithm. */
const CLOSE = 5e-7;
/** Half-width of the first interval in which edges are listed, as a logarithm: most prices move by less in a block. */
const WINDOW = 1e-4;
/** Half-width of the next interval, as a multiple of the distance from the guess of the step that left the last one. */
const WIDER = 16;

type Group = readonly Tied[];

/** A group of one token, filled anew for each. */
const alone = { node: 0, ratio: 1 };
const single: Group = [alone];
/** Working memory: the tokens of the group that is priced, if several. Anyone can make vaults, so it can be thousands. */
const members = new Set<number>();

/** The best price of one token. @param price of every node; 0 = none */
export function bestPrice(graph: Graph, node: number, price: ArrayLike<number>): number {
  alone.node = node;
  return bestGroupPrice(graph, single, price);
}

/**
 * The best price of a group. If there are prices at which none of its pools earns, the present price if it is one of them,
 * otherwise a price a quarter of the way into that band.
 *
 * @param price of every node; 0 = none
 */
export function bestGroupPrice(graph: Graph, group: Group, price: ArrayLike<number>): number {
  noteMembers(group);
  const band = bandOf(graph, group, price);
  const now = price[group[0]!.node]! / group[0]!.ratio;
  if (!(band.low > 0)) return now > 0 || band.high === Infinity ? now : band.high;
  if (band.low > band.high) return balanced(graph, group, { price, now, band });
  if (band.high === Infinity) return Math.max(now, band.low * (1 + EDGE));
  const width = Math.log(band.high / band.low);
  const edge = Math.min(EDGE, INSIDE * width);
  if (now >= band.low * Math.exp(edge) && now <= band.high * Math.exp(-edge)) return now;
  return now < Math.sqrt(band.low * band.high)
    ? band.low * Math.exp(INSIDE * width)
    : band.high * Math.exp(-INSIDE * width);
}

function noteMembers(group: Group): void {
  if (group.length === 1) return;
  members.clear();
  for (const { node } of group) members.add(node);
}

/** Prices of a group: above `low` nobody gains by selling it to a pool, below `high` nobody gains by buying it from one. */
type Band = { low: number; high: number };

function bandOf(graph: Graph, group: Group, price: ArrayLike<number>): Band {
  const { pairs } = graph;
  const band = { low: 0, high: Infinity };
  for (const { node, ratio } of group) {
    const { start, length, data } = pairs.outgoing;
    for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
      const pair = data[k]!;
      const unit = unitOf(graph, group, pair, price);
      if (!(unit > 0)) continue;
      band.low = Math.max(band.low, (pairs.spot[pair]! * unit) / ratio || 0);
      if (pairs.spot[pair ^ 1]! > 0)
        band.high = Math.min(band.high, unit / pairs.spot[pair ^ 1]! / ratio || Infinity);
    }
  }
  return band;
}

/**
 * The price of the token that a pair buys, in the unit of the pair's spot rates; 0 where the pair says nothing of the price of the
 * group that sells.
 */
function unitOf(graph: Graph, group: Group, pair: number, price: ArrayLike<number>): number {
  const { pairs, values } = graph;
  const node = pairs.tail[pair]!;
  const other = pairs.tail[pair ^ 1]!;
  if (!(price[other]! > 0) || (group.length > 1 && members.has(other))) return 0;
  if (isFollower(graph, other) && !isFollower(graph, node)) return 0;
  return (price[other]! * values.ref[node]!) / values.ref[other]!;
}

/**
 * The `count` edges of a group that earn somewhere in a band, whether each sells the group's token, that token's price over the
 * group's, and the price at its other end.
 */
type Rivals = {
  count: number;
  /** The ratio of the token whose edges are listed now. */
  ratio: number;
  readonly edges: number[];
  readonly selling: boolean[];
  readonly ratios: number[];
  readonly others: number[];
};

/** Working memory for the token that is priced: a hub has thousands of edges and is visited often. */
const rivals: Rivals = { count: 0, ratio: 1, edges: [], selling: [], ratios: [], others: [] };

type Priced = { readonly price: ArrayLike<number>; readonly now: number; readonly band: Band };

/**
 * The zero of the derivative between the ends of a band whose ends contradict each other (`low` above `high`). The present price
 * is usually near it. Nearly every pool of a hub earns somewhere between the ends and few do near the price, so only those that
 * earn in an interval around it are listed, and a wider one if a step leaves it: the others contribute nothing.
 */
function balanced(graph: Graph, group: Group, { price, now, band: { low, high } }: Priced): number {
  const first = Math.log(high);
  const last = Math.log(low);
  const known = now > 0 ? Math.log(now) : first;
  const guess = Math.min(Math.max(known, first), last);
  let from = Infinity;
  let to = -Infinity;
  const slopeAt = (at: number) => {
    if (at < from || at > to) {
      const reach = Math.max(WINDOW, WIDER * Math.abs(at - guess));
      [from, to] = [Math.max(first, guess - reach), Math.min(last, guess + reach)];
      rivals.count = 0;
      for (const one of group)
        listRivals(graph, group, { ...one, price, low: Math.exp(from), high: Math.exp(to) });
    }
    return slopeOf(graph, Math.exp(at));
  };
  return Math.exp(zeroOf(slopeAt, { first, last, guess, close: CLOSE }));
}

type Listed = Tied & { readonly price: ArrayLike<number>; readonly low: number; readonly high: number };

/** Adds a token's edges that earn in a band to `rivals`. The edges of a pair are sorted by price, so these are its first ones. */
function listRivals(graph: Graph, group: Group, { node, ratio, price, low, high }: Listed): void {
  const { pairs } = graph;
  const { start, length, data } = pairs.outgoing;
  const [least, most] = [low * ratio, high * ratio];
  rivals.ratio = ratio;
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
    const pair = data[k]!;
    const unit = unitOf(graph, group, pair, price);
    if (!(unit > 0)) continue;
    const other = price[pairs.tail[pair ^ 1]!]!;
    if (pairs.spot[pair]! * unit > least) listSellers(graph, pair, other, least);
    if (pairs.spot[pair ^ 1]! * most > unit) listBuyers(graph, pair ^ 1, other, most);
  }
}

function listSellers({ pairs: { edges }, curves }: Graph, pair: number, other: number, least: number): void {
  const last = edges.start[pair]! + edges.length[pair]!;
  for (let k = edges.start[pair]!; k < last && spotSlope(curves, edges.data[k]!) * other > least; k++)
    addRival(edges.data[k]!, true, other);
}

function listBuyers({ pairs: { edges }, curves }: Graph, pair: number, other: number, most: number): void {
  const last = edges.start[pair]! + edges.length[pair]!;
  for (let k = edges.start[pair]!; k < last && spotSlope(curves, edges.data[k]!) * most > other; k++)
    addRival(edges.data[k]!, false, other);
}

function addRival(edge: number, selling: boolean, other: number): void {
  const at = rivals.count++;
  rivals.edges[at] = edge;
  rivals.selling[at] = selling;
  rivals.ratios[at] = rivals.ratio;
  rivals.others[at] = other;
}

const response = emptyResponse();

/** The derivative of the sum of φ over `rivals` by the logarithm of the group's price. */
function slopeOf({ curves, gas }: Graph, price: number): number {
  const { count, edges, selling, ratios, others } = rivals;
  let slope = 0;
  for (let k = 0; k < count; k++) {
    const edge = edges[k]!;
    const own = price * ratios[k]!;
    const [tail, head] = selling[k] ? [own, others[k]!] : [others[k]!, own];
    const least = tail / head;
    respondAt(curves, edge, least, response);
    const earned = head * (response.bought - least * response.sold);
    if (!(earned > 0)) continue;
    const weight = Math.min(1, earned / (2 * REFERENCE_GAS_WEI * gas[edge]!));
    slope += weight * (selling[k] ? -tail * response.sold : head * response.bought);
  }
  return slope;
}
