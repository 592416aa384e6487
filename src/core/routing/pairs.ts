import { type Curves, spotSlope } from "./curves.ts";
import { append, cut, emptyRows, grown, pack, type Rows } from "./rows.ts";

/** Trade sizes at which pairs are ranked, in wei of native value: a factor of ten apart. */
const LEVELS = 14;
const FIRST_LEVEL = 1e13;
/** The highest price of a level: none can be, and single precision ends not far from it. */
const MOST = 1e38;

/**
 * Ordered token pairs that pools join, each with the best price of its parallel pools at several trade sizes.
 * Pair p and pair p ^ 1 are the two directions of one pair of tokens.
 *
 * Prices are normalised by the tokens' reference values: 1 is a fair exchange, whatever the decimals.
 */
export type Pairs = {
  count: number;
  /** Token sold; that bought is the one of the other direction. */
  tail: Int32Array;
  /** The edges of each pair, that of the best price before any trade first. */
  readonly edges: Rows;
  /** The first of both pairs of two tokens. */
  readonly pairOf: Map<number, number>;
  /** Pairs that leave each node. */
  readonly outgoing: Rows;
  /**
   * The same without pairs to nodes of one neighbour only, through which nothing passes: each pair and its head, one after
   * the other. Pair ^ 1 comes in from there.
   */
  readonly onward: Rows;
  /** Number of neighbours of each node. */
  degree: Int32Array;
  /** Normalised marginal price of the best parallel pool before any trade. */
  spot: Float64Array;
  /** The same after a trade of each level's size: level-major. These only rank, so that seven digits are enough. */
  readonly levels: Float32Array[];
  /** The prices of the pair that is being weighed. */
  readonly weighed: Float64Array;
};

/** Normalised prices of all pairs, at spot or at a trade size. */
export type Prices = Float64Array | Float32Array;

export function emptyPairs(): Pairs {
  return {
    count: 0,
    tail: new Int32Array(16),
    edges: emptyRows(),
    pairOf: new Map(),
    outgoing: emptyRows(),
    onward: emptyRows(),
    degree: new Int32Array(16),
    spot: new Float64Array(16),
    levels: Array.from({ length: LEVELS }, () => new Float32Array(16)),
    weighed: new Float64Array(LEVELS + 1),
  };
}

/** Prices of all pairs at a level; -1 = spot. */
export function pricesAt({ levels, spot }: Pairs, level: number): Prices {
  return level < 0 ? spot : levels[level]!;
}

/** Index into `levels` of the size nearest below `wei` of native value. */
export function levelOf(wei: number): number {
  const level = Math.floor(Math.log10(wei / FIRST_LEVEL));
  return level > 0 ? Math.min(level, LEVELS - 1) : 0;
}

/** The size of a level in wei of native value; 0 for the level below the first. */
export function sizeOfLevel(level: number): number {
  return level < 0 ? 0 : FIRST_LEVEL * 10 ** level;
}

/** The pair from `tail` to `head`, or -1 where no pool joins them. */
export function findPair(pairs: Pairs, tail: number, head: number): number {
  const pair = pairs.pairOf.get(keyOf(tail, head));
  if (pair === undefined) return -1;
  return pairs.tail[pair] === tail ? pair : pair ^ 1;
}

function keyOf(a: number, b: number): number {
  return a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a;
}

/** Makes the pair of an edge know the edge. @returns the pair */
export function joinPair(pairs: Pairs, edge: number, tail: number, head: number): number {
  let pair = findPair(pairs, tail, head);
  if (pair < 0) pair = addPair(pairs, tail, head);
  append(pairs.edges, pair, edge);
  return pair;
}

/** Makes sure that there is room for `count` pairs. */
export function reservePairs(pairs: Pairs, count: number): void {
  if (pairs.tail.length >= count) return;
  pairs.tail = grown(pairs.tail, count);
  pairs.spot = grown(pairs.spot, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = grown(pairs.levels[l]!, count);
  pairs.edges.start = grown(pairs.edges.start, count);
  pairs.edges.length = grown(pairs.edges.length, count);
  pairs.edges.room = grown(pairs.edges.room, count);
}

function addPair(pairs: Pairs, tail: number, head: number): number {
  const pair = pairs.count;
  pairs.count += 2;
  reservePairs(pairs, pairs.count);
  pairs.degree = grown(pairs.degree, Math.max(tail, head) + 1);
  pairs.pairOf.set(keyOf(tail, head), pair);
  enter(pairs, pair, tail);
  enter(pairs, pair + 1, head);
  addNeighbour(pairs, tail);
  addNeighbour(pairs, head);
  if (pairs.degree[tail]! > 2) passThrough(pairs, pair);
  if (pairs.degree[head]! > 2) passThrough(pairs, pair + 1);
  return pair;
}

function enter(pairs: Pairs, pair: number, tail: number): void {
  pairs.tail[pair] = tail;
  append(pairs.outgoing, tail, pair);
}

/** A node's second neighbour opens it for passage: all its pairs so far become part of the core. */
function addNeighbour(pairs: Pairs, node: number): void {
  if (++pairs.degree[node]! !== 2) return;
  const { start, length, data } = pairs.outgoing;
  for (let k = 0; k < length[node]!; k++) passThrough(pairs, data[start[node]! + k]!);
}

/** Lets the head of `pair` pass through its tail. */
function passThrough(pairs: Pairs, pair: number): void {
  const other = pairs.tail[pair ^ 1]!;
  append(pairs.onward, other, pair ^ 1);
  append(pairs.onward, other, pairs.tail[pair]!);
}

/** Gives back the room for more pairs than there are. */
export function packPairs(pairs: Pairs, nodes: number): void {
  const { count } = pairs;
  pairs.tail = cut(pairs.tail, count);
  pairs.spot = cut(pairs.spot, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = cut(pairs.levels[l]!, count);
  pack(pairs.edges, count);
  pack(pairs.outgoing, nodes);
  pack(pairs.onward, nodes);
}

/** Steps out of order from which on a row is sorted as a whole. */
const MANY = 8;

/** Puts the edge of the best price first, so that who looks for good ones may stop at the first bad one; ties by number. */
function sortEdges({ edges }: Pairs, pair: number, curves: Curves): void {
  const row = edges.data.subarray(edges.start[pair]!, edges.start[pair]! + edges.length[pair]!);
  let moved = 0;
  for (let k = 1; k < row.length; k++) {
    if (!isBefore(curves, row[k]!, row[k - 1]!)) continue;
    if (++moved > MANY) {
      row.sort((a, b) => (isBefore(curves, a, b) ? -1 : 1));
      return;
    }
    sift(row, k, curves);
  }
}

function sift(row: Int32Array, from: number, curves: Curves): void {
  const edge = row[from]!;
  let at = from;
  for (; at > 0 && isBefore(curves, edge, row[at - 1]!); at--) row[at] = row[at - 1]!;
  row[at] = edge;
}

function isBefore(curves: Curves, a: number, b: number): boolean {
  const [ours, theirs] = [spotSlope(curves, a), spotSlope(curves, b)];
  return ours > theirs || (ours === theirs && a < b);
}

/**
 * Recomputes the prices of a pair from the curves of its edges.
 *
 * @param ref reference value of each node's token, in wei of native value per smallest unit; 0 = unknown
 */
export function weigh(pairs: Pairs, pair: number, curves: Curves, ref: Float64Array): void {
  sortEdges(pairs, pair, curves);
  const { weighed, levels, spot } = pairs;
  const value = ref[pairs.tail[pair]!]!;
  const scale = value > 0 ? ref[pairs.tail[pair ^ 1]!]! / value : 0;
  weighed.fill(0);
  if (scale > 0 && scale < Infinity) {
    const { start, length, data } = pairs.edges;
    const last = start[pair]! + length[pair]!;
    const first = FIRST_LEVEL / value;
    for (let k = start[pair]!; k < last; k++) raise(weighed, curves, data[k]!, { scale, first });
  }
  for (let l = 0; l < LEVELS; l++) levels[l]![pair] = Math.min(weighed[l]!, MOST);
  spot[pair] = weighed[LEVELS]!;
}

type Units = { readonly scale: number; readonly first: number };

/** Raises prices to those of one edge, where it is better. */
function raise(weighed: Float64Array, curves: Curves, edge: number, { scale, first }: Units): void {
  const { lanes } = curves;
  const count = curves.count[edge]!;
  if (count === 0) return;
  const end = curves.end[edge]!;
  let lane = curves.at[edge]!;
  const stop = lane + (count - 1) * 4;
  let steep = lanes[lane + 2]! * scale;
  if (steep > weighed[LEVELS]!) weighed[LEVELS] = steep;
  for (let l = 0, x = first; l < LEVELS && x <= end; l++, x *= 10) {
    while (lane < stop && lanes[lane + 4]! <= x) {
      lane += 4;
      steep = lanes[lane + 2]! * scale;
    }
    const bend = 1 + lanes[lane + 3]! * (x - lanes[lane]!);
    const square = bend * bend;
    // Most edges are better nowhere: a product tells that sooner than a quotient.
    if (steep > weighed[l]! * square) weighed[l] = steep / square;
  }
}
