import { findPair, HUB, type Pairs } from "./pair-index.ts";

/** Tokens with many neighbours. Searches avoid reading their long rows: labels are pulled from them by their neighbours. */
export type Hubs = {
  /** Number of pairs of the market for which this was computed. */
  of: number;
  nodes: readonly number[];
  isHub: Uint8Array;
  /** One direction of each pair of two hubs. */
  pairs: Int32Array;
  /** One direction of each bridge: a pair of two tokens that are no hubs and have several neighbours. */
  bridges: Int32Array;
  /** By node, the number of its neighbours that are hubs. They come first in its row of `onward`. */
  around: Uint16Array;
};

export function emptyHubs(): Hubs {
  return {
    of: -1,
    nodes: [],
    isHub: new Uint8Array(0),
    pairs: new Int32Array(0),
    bridges: new Int32Array(0),
    around: new Uint16Array(0),
  };
}

/** Finds the hubs among `count` tokens, if pairs were added, and puts them first in the rows of their neighbours. */
export function listHubs(hubs: Hubs, pairs: Pairs, count: number): void {
  if (hubs.of === pairs.count && hubs.isHub.length === count) return;
  hubs.of = pairs.count;
  hubs.isHub = new Uint8Array(count);
  hubs.around = new Uint16Array(count);
  const nodes: number[] = [];
  for (let node = 0; node < count; node++) if (pairs.degree[node]! > HUB) nodes.push(node);
  for (const node of nodes) hubs.isHub[node] = 1;
  const joining = nodes.flatMap((u, k) => nodes.slice(0, k).map((v) => findPair(pairs, u, v)));
  hubs.nodes = nodes;
  hubs.pairs = Int32Array.from(joining.filter((pair) => pair >= 0));
  hubs.bridges = bridgesOf(hubs, pairs);
  for (let node = 0; node < count; node++) if (hubs.isHub[node] === 0) putFirst(hubs, pairs, node);
}

function putFirst({ isHub, around }: Hubs, { onward: { start, length, data } }: Pairs, node: number): void {
  const row = data.subarray(start[node]!, start[node]! + length[node]!);
  const others: number[] = [];
  let at = 0;
  for (let k = 0; k < row.length; k += 2) {
    const pair = row[k]!;
    const far = row[k + 1]!;
    if (isHub[far] === 1) {
      row[at++] = pair;
      row[at++] = far;
    } else others.push(pair, far);
  }
  around[node] = at >> 1;
  row.set(others, at);
}

function bridgesOf({ isHub }: Hubs, { count, tail, degree }: Pairs): Int32Array {
  const isBank = (node: number) => isHub[node] === 0 && degree[node]! > 1;
  const bridges: number[] = [];
  for (let pair = 0; pair < count; pair += 2)
    if (isBank(tail[pair]!) && isBank(tail[pair + 1]!)) bridges.push(pair);
  return Int32Array.from(bridges);
}

/**
 * Prices of each token against the native coin at spot, by the best paths over the whole market, computed once after a change.
 * They exist only if no cycle of pools is profitable.
 */
export type RoundTrips = {
  known: boolean;
  /** Whether prices settled; if they do not, a cycle of pools is profitable. */
  isArbitrageFree: boolean;
  /** By node, normalised: native coin per unit sold, and units per native coin; 0 = no path, or one neighbour only. */
  bestSell: Float64Array;
  bestBuy: Float64Array;
  readonly byLoss: TripsByLoss;
  readonly hubs: Hubs;
};

export function emptyRoundTrips(): RoundTrips {
  return {
    known: false,
    isArbitrageFree: false,
    bestSell: new Float64Array(16),
    bestBuy: new Float64Array(16),
    byLoss: emptyTrips(),
    hubs: emptyHubs(),
  };
}

/**
 * Round-trip rates: the share of a native coin that is left after buying and selling a token that is no hub, or after crossing
 * a bridge, at best. If it is low, a profitable path leads there only with labels better than those over hubs.
 */
export type TripsByLoss = {
  readonly tokens: Ordered;
  /**
   * Four numbers a token. For selling it: its price at the best hub, and the rate to the native coin over the second
   * best hub. Then for buying it: its price at the best hub, and the rate from the native coin over the second best
   * hub. 0 = none.
   */
  rates: Float64Array;
  /** Two hubs a token: the best one for selling it and the best one for buying it. */
  hubs: Int32Array;
  /** Bridges, each with the round-trip rate in its better direction. */
  readonly bridges: Ordered;
};

/** Tokens or pairs with their round-trip rates, grouped by classes of loss, the smallest loss first; unordered within a class. */
export type Ordered = {
  count: number;
  what: Int32Array;
  left: Float64Array;
  /** By class, where the next class begins. */
  readonly upTo: Int32Array;
};

/** Length of a token's entry in `rates` and in `hubs`. */
export const RATES = 4;
export const ENDS = 2;

/** Number of classes of loss, and the width of each; the last one holds all larger losses. */
const CLASSES = 64;
const SPAN = 1e-4;

/** The class of a round-trip rate. */
export function classOf(left: number): number {
  const place = Math.floor((1 - left) / SPAN);
  return Math.min(Math.max(place, 0), CLASSES - 1);
}

function emptyTrips(): TripsByLoss {
  return {
    tokens: emptyOrdered(),
    rates: new Float64Array(16 * RATES),
    hubs: new Int32Array(16 * ENDS),
    bridges: emptyOrdered(),
  };
}

function emptyOrdered(): Ordered {
  return { count: 0, what: new Int32Array(16), left: new Float64Array(16), upTo: new Int32Array(CLASSES) };
}

/** The core of the market: the tokens with the most neighbours, and the pairs between them. Empty in a small market. */
export type Core = {
  /** Numbers of pairs and of tokens of the market for which this was computed. */
  of: number;
  tokens: number;
  isIn: Uint8Array;
  /** One direction of each pair of two tokens of the core. */
  pairs: Int32Array;
};

export function emptyCore(): Core {
  return { of: -1, tokens: 0, isIn: new Uint8Array(0), pairs: new Int32Array(0) };
}

/**
 * Number of tokens in the core (up to twice as many if numbers of neighbours are equal), and how many times as many the
 * market must have for a core to exist.
 */
const CORE = 32;
const LEAST_TIMES = 32;

/** Finds the core of a market of `count` tokens, if pairs or tokens were added. */
export function listCore(core: Core, pairs: Pairs, count: number): void {
  if (count < CORE * LEAST_TIMES || (core.of === pairs.count && core.tokens === count)) return;
  const { degree } = pairs;
  const bar = Math.max(2, degree.slice(0, count).sort()[count - CORE]!);
  const nodes: number[] = [];
  for (let node = 0; node < count && nodes.length < 2 * CORE; node++)
    if (degree[node]! >= bar) nodes.push(node);
  const joining = nodes.flatMap((u, k) => nodes.slice(0, k).map((v) => findPair(pairs, u, v)));
  core.of = pairs.count;
  core.tokens = count;
  core.isIn = new Uint8Array(count);
  for (const node of nodes) core.isIn[node] = 1;
  core.pairs = Int32Array.from(joining.filter((pair) => pair >= 0));
}
