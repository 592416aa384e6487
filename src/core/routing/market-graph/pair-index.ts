import { append, appendAll, cut, type Entries, emptyRows, enlarged, type Rows } from "../../math/rows.ts";

/** Trade sizes at which pairs are ranked, in wei of native value: a factor of ten apart. */
export const LEVELS = 12;
export const FIRST_LEVEL = 1e13;

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
  /**
   * What all pools of the pair may earn together: where a unit fetches a share of at most `NEAR` more than it costs, no more
   * than this times the square of that share, in wei of native value.
   */
  depth: Float32Array;
  /** The price after a trade of each level's size: level-major. These only rank, so that seven digits are enough. */
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
    depth: new Float32Array(16),
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
function reservePairs(pairs: Pairs, count: number): void {
  if (pairs.spot.length >= count) return;
  pairs.spot = enlarged(pairs.spot, count);
  pairs.depth = enlarged(pairs.depth, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = enlarged(pairs.levels[l]!, count);
  pairs.edges.start = enlarged(pairs.edges.start, count);
  pairs.edges.length = enlarged(pairs.edges.length, count);
  pairs.edges.room = enlarged(pairs.edges.room, count);
}

/** Gives both directions their numbers. */
function namePair(pairs: Pairs, tail: number, head: number): number {
  const pair = pairs.count;
  pairs.count += 2;
  pairs.tail = enlarged(pairs.tail, pairs.count);
  pairs.tail[pair] = tail;
  pairs.tail[pair + 1] = head;
  pairs.pairOf.set(keyOf(tail, head), pair);
  return pair;
}

function addPair(pairs: Pairs, tail: number, head: number): number {
  const pair = namePair(pairs, tail, head);
  reservePairs(pairs, pairs.count);
  pairs.degree = enlarged(pairs.degree, Math.max(tail, head) + 1);
  append(pairs.outgoing, tail, pair);
  append(pairs.outgoing, head, pair + 1);
  connect(pairs, pair, (node, value) => append(pairs.onward, node, value));
  return pair;
}

/** Called with a pair that leads on and then with its head, for the node that the pair leaves. */
type AddNeighbour = (node: number, value: number) => void;

/** Makes neighbours of the ends of `pair`, once it is among those that leave them. */
function connect(pairs: Pairs, pair: number, add: AddNeighbour): void {
  const [tail, head] = [pairs.tail[pair]!, pairs.tail[pair + 1]!];
  addNeighbour(pairs, tail, add);
  addNeighbour(pairs, head, add);
  if (pairs.degree[tail]! > 2) passThrough(pairs, pair, add);
  if (pairs.degree[head]! > 2) passThrough(pairs, pair + 1, add);
}

/** A node's second neighbour opens it for passage: both its pairs so far become part of the core. */
function addNeighbour(pairs: Pairs, node: number, add: AddNeighbour): void {
  if (++pairs.degree[node]! !== 2) return;
  const { start, data } = pairs.outgoing;
  for (let k = 0; k < 2; k++) passThrough(pairs, data[start[node]! + k]!, add);
}

/** Lets the head of `pair` pass through its tail. */
function passThrough(pairs: Pairs, pair: number, add: AddNeighbour): void {
  const other = pairs.tail[pair ^ 1]!;
  add(other, pair ^ 1);
  add(other, pairs.tail[pair]!);
}

/** Edges by what they join. */
type Ends = { readonly tail: Int32Array; readonly head: Int32Array; readonly pair: Int32Array };

/**
 * Makes the pairs of many edges know them, as `joinPair` does of each in turn, and tells each edge its pair. The rows are
 * laid out when it is known how long they get.
 *
 * @param edges in the order in which they join
 * @param nodes how many tokens there are
 */
export function joinPairs(pairs: Pairs, edges: Int32Array, ends: Ends, nodes: number): void {
  const { tail, head, pair } = ends;
  const first = pairs.count;
  const rows = new Int32Array(edges.length);
  for (let k = 0; k < edges.length; k++) {
    const edge = edges[k]!;
    let found = findPair(pairs, tail[edge]!, head[edge]!);
    if (found < 0) found = namePair(pairs, tail[edge]!, head[edge]!);
    rows[k] = pair[edge] = found;
  }
  appendAll(pairs.edges, pairs.count, { rows, values: edges, count: edges.length });
  reservePairs(pairs, pairs.count);
  connectAll(pairs, first, nodes);
}

/** Makes neighbours of the ends of all pairs from `first` on. */
function connectAll(pairs: Pairs, first: number, nodes: number): void {
  const { count, tail } = pairs;
  const values = Int32Array.from({ length: count - first }, (_, k) => first + k);
  appendAll(pairs.outgoing, nodes, { rows: tail.subarray(first, count), values, count: values.length });
  pairs.degree = enlarged(pairs.degree, nodes);
  // Each direction of a pair is listed at most twice: when the pair is created, and when its node gets a second neighbour.
  const neighbours = {
    rows: new Int32Array(4 * values.length),
    values: new Int32Array(4 * values.length),
    count: 0,
  };
  for (let pair = first; pair < count; pair += 2) {
    connect(pairs, pair, (node, value) => {
      neighbours.rows[neighbours.count] = node;
      neighbours.values[neighbours.count++] = value;
    });
  }
  appendAll(pairs.onward, nodes, neighbours satisfies Entries);
}

/** Gives back the room for more pairs than there are. */
export function packPairs(pairs: Pairs): void {
  const { count } = pairs;
  pairs.tail = cut(pairs.tail, count);
  pairs.spot = cut(pairs.spot, count);
  pairs.depth = cut(pairs.depth, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = cut(pairs.levels[l]!, count);
}

/** The one neighbour of a token that has no other, and so is in no row of pairs that lead on; -1 where it has more. */
export function gateOf({ degree, tail, outgoing }: Pairs, node: number): number {
  return degree[node] === 1 ? tail[outgoing.data[outgoing.start[node]!]! ^ 1]! : -1;
}

/** The pair from the one neighbour of a token that has no other. */
export function pairInto({ outgoing }: Pairs, node: number): number {
  return outgoing.data[outgoing.start[node]!]! ^ 1;
}
