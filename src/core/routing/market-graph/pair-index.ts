import { append, appendAll, cut, type Entries, emptyRows, enlarged, type Rows } from "../../math/rows.ts";

/** Number of trade sizes at which pairs are priced, a factor of ten apart, and the first one in wei of native value. */
export const LEVELS = 12;
export const FIRST_LEVEL = 1e13;

/** A token with more neighbours than this is a hub. Its rows are long, so that searches avoid reading them. */
export const HUB = 64;

/**
 * Ordered token pairs that pools join, each with the best price of its parallel pools at several trade sizes.
 * Pair p and pair p ^ 1 are the two directions of one pair of tokens.
 *
 * Prices are normalised by the tokens' reference values: 1 is a fair exchange, whatever the decimals.
 */
export type Pairs = {
  count: number;
  /** Token sold. The token bought is the tail of the other direction. */
  tail: Int32Array;
  /** By pair, its edges, that of the best spot price first. */
  readonly edges: Rows;
  /** By two tokens, the even one of their two pairs. */
  readonly pairOf: Map<number, number>;
  /** Pairs that leave each node. */
  readonly outgoing: Rows;
  /**
   * By node, the pairs that leave it for a node with several neighbours, as paths pass only through these: each pair and its
   * head, one after the other. Pair ^ 1 leads back.
   */
  readonly onward: Rows;
  /** Number of neighbours of each node. */
  degree: Int32Array;
  /** Normalised spot price of the best parallel pool. */
  spot: Float64Array;
  /**
   * Bounds what all pools of the pair earn together: if the spot price exceeds the cost by a share g of at most `NEAR`, they
   * earn at most this times g², in wei of native value.
   */
  depth: Float32Array;
  /** By level and pair, the price after a trade of that size. These only rank pairs, so single precision is enough. */
  readonly levels: Float32Array[];
  /** Working memory: the prices of one pair. */
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

/** The pair from `tail` to `head`; -1 if no pool has both tokens. */
export function findPair(pairs: Pairs, tail: number, head: number): number {
  const pair = pairs.pairOf.get(keyOf(tail, head));
  if (pair === undefined) return -1;
  return pairs.tail[pair] === tail ? pair : pair ^ 1;
}

function keyOf(a: number, b: number): number {
  return a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a;
}

/** Adds an edge to its pair, which is created if it is new. @returns the pair */
export function joinPair(pairs: Pairs, edge: number, tail: number, head: number): number {
  let pair = findPair(pairs, tail, head);
  if (pair < 0) pair = addPair(pairs, tail, head);
  append(pairs.edges, pair, edge);
  return pair;
}

/** Makes room for `count` pairs. */
function reservePairs(pairs: Pairs, count: number): void {
  if (pairs.spot.length >= count) return;
  pairs.spot = enlarged(pairs.spot, count);
  pairs.depth = enlarged(pairs.depth, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = enlarged(pairs.levels[l]!, count);
  pairs.edges.start = enlarged(pairs.edges.start, count);
  pairs.edges.length = enlarged(pairs.edges.length, count);
  pairs.edges.room = enlarged(pairs.edges.room, count);
}

/** Creates both directions of a pair. @returns the even one */
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

/** Counts the ends of a new pair as neighbours. */
function connect(pairs: Pairs, pair: number, add: AddNeighbour): void {
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair + 1]!;
  addNeighbour(pairs, tail, add);
  addNeighbour(pairs, head, add);
  if (pairs.degree[tail]! > 2) passThrough(pairs, pair, add);
  if (pairs.degree[head]! > 2) passThrough(pairs, pair + 1, add);
}

/** Counts a neighbour of a node. With the second one paths can pass through the node, so its pairs enter the rows of its neighbours. */
function addNeighbour(pairs: Pairs, node: number, add: AddNeighbour): void {
  if (++pairs.degree[node]! !== 2) return;
  const { start, data } = pairs.outgoing;
  for (let k = 0; k < 2; k++) passThrough(pairs, data[start[node]! + k]!, add);
}

/** Adds the opposite of `pair` to the row of its head, as paths may pass through its tail. */
function passThrough(pairs: Pairs, pair: number, add: AddNeighbour): void {
  const other = pairs.tail[pair ^ 1]!;
  add(other, pair ^ 1);
  add(other, pairs.tail[pair]!);
}

/** By edge: the token sold, the token bought, and the pair of both. */
type Ends = { readonly tail: Int32Array; readonly head: Int32Array; readonly pair: Int32Array };

/**
 * Adds many edges to their pairs, as `joinPair` does one by one, and sets the pair of each. Rows are allocated once their
 * lengths are known.
 *
 * @param edges in the order in which they are added
 * @param nodes number of tokens
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

/** Counts the ends of all pairs from `first` on as neighbours. */
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

/** Releases spare room. */
export function packPairs(pairs: Pairs): void {
  const { count } = pairs;
  pairs.tail = cut(pairs.tail, count);
  pairs.spot = cut(pairs.spot, count);
  pairs.depth = cut(pairs.depth, count);
  for (let l = 0; l < LEVELS; l++) pairs.levels[l] = cut(pairs.levels[l]!, count);
}

/** The neighbour of a token that has only one, and so is in no row of `onward`; -1 if it has more. */
export function gateOf({ degree, tail, outgoing }: Pairs, node: number): number {
  return degree[node] === 1 ? tail[outgoing.data[outgoing.start[node]!]! ^ 1]! : -1;
}

/** The pair into a token that has one neighbour only. */
export function pairInto({ outgoing }: Pairs, node: number): number {
  return outgoing.data[outgoing.start[node]!]! ^ 1;
}
