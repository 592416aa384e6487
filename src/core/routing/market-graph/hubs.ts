import { findPair, type Pairs } from "./pair-index.ts";

/** Neighbours from which on a token's row is longer than what a pricing step asks for. */
const MANY = 64;

/** Tokens of many neighbours, whose rows are not gone through where it can be helped: others ask them. */
export type Hubs = {
  /** Number of pairs that the market had when this was worked out. */
  of: number;
  nodes: readonly number[];
  isHub: Uint8Array;
  /** One direction of each pair of two of them. */
  pairs: Int32Array;
  /** One direction of each pair of two tokens of several neighbours that are none. */
  bridges: Int32Array;
  /** By node, how many of its neighbours are hubs: they stand first in its row of `onward`. */
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

/** Finds the hubs of `count` tokens, where pairs have come since, and puts them first in the rows of their neighbours. */
export function listHubs(hubs: Hubs, pairs: Pairs, count: number): void {
  if (hubs.of === pairs.count && hubs.isHub.length === count) return;
  hubs.of = pairs.count;
  hubs.isHub = new Uint8Array(count);
  hubs.around = new Uint16Array(count);
  const nodes: number[] = [];
  for (let node = 0; node < count; node++) if (pairs.degree[node]! > MANY) nodes.push(node);
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
    const [pair, far] = [row[k]!, row[k + 1]!];
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
 * What the whole market says of each token while no cycle of pools pays: what it fetches in the native coin at best, and
 * what the native coin fetches in it, at spot. Worked out once after a change.
 */
export type RoundTrips = {
  known: boolean;
  /** Whether prices came to rest; where they never do, a cycle pays. */
  isArbitrageFree: boolean;
  /** By node, normalised; 0 = no path, or a token of one neighbour. */
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
 * Round trips from the native coin to tokens of several neighbours that are no hubs, and over pairs of two of them: what is
 * left of it at best. Where a trip leaves little, no way that pays leads there but those that do better than over hubs.
 */
export type TripsByLoss = {
  readonly tokens: Ordered;
  /** Four numbers a token: two of where it is sold best, and two of where it is bought best. */
  rates: Float64Array;
  /** The hubs next to it where it is sold and bought best. */
  hubs: Int32Array;
  /** Bridges of the market's hubs, each with what is left in the direction that leaves more. */
  readonly bridges: Ordered;
};

/** Tokens or pairs with what trips leave, those that lose least first: by classes of loss, in no order within them. */
export type Ordered = {
  count: number;
  what: Int32Array;
  left: Float64Array;
  /** By class, where the next one begins. */
  readonly upTo: Int32Array;
};

/** Numbers and hubs a token. */
export const RATES = 4;
export const ENDS = 2;

/** Classes of loss, and what each spans; the last one has all that lose more. */
const CLASSES = 64;
const SPAN = 1e-4;

/** The class of what a trip leaves. */
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

/** The tokens of most neighbours, through which most ways lead, and the pairs between them; empty in a small market. */
export type Core = {
  /** Number of pairs and tokens that the market had when this was worked out. */
  of: number;
  tokens: number;
  isIn: Uint8Array;
  /** One direction of each pair of two of them. */
  pairs: Int32Array;
};

export function emptyCore(): Core {
  return { of: -1, tokens: 0, isIn: new Uint8Array(0), pairs: new Int32Array(0) };
}

/** Tokens that are in the core of a market, and how many times as many there must be for a pricing step over them alone. */
const CORE = 32;
const LEAST_TIMES = 32;

/** Finds the core of `count` tokens, where pairs have come since. */
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
