/**
 * The market graph: what a block says of the market, before any order.
 *
 * In:  the pools that a block changed or removed, with their states (`update.ts`).
 * Out: tokens as nodes v, a directed edge e = (tail, head) for each ordered pair of a pool's tokens with its curve f_e and gas,
 *      pairs of tokens with the best price of their parallel pools at twelve trade sizes (`pair-index.ts`, `pair-prices.ts`),
 *      a reference value r_v of every token (`reference-prices.ts`), base prices ν⁰ that minimise Σ_e φ(E_e(ν) - θ_e)
 *      (`base-prices.ts`), and the best round trips over the native coin (`round-trips.ts`).
 * A normalised price of (u, v) is f'·r_v / r_u: 1 is a fair exchange, whatever the decimals. A change costs O(what changed).
 * Reference: Danos, El Khalloufi, Prat, "Global Order Routing on Exchange Networks", 2021, on the market as a graph.
 */
import type { GasScales } from "../../gas/gas-scales.ts";
import { appendAll, cut, emptyRows, enlarged } from "../../math/rows.ts";
import type { Protocol, Registry } from "../../protocol.ts";
import { type Address, NATIVE, type Pool, type PoolId, type View } from "../../types.ts";
import { type Curves, emptyCurves, packCurves, reserveEdge } from "../curves/segments.ts";
import { type Core, emptyCore, emptyRoundTrips, type RoundTrips } from "./hubs.ts";
import { emptyPairs, joinPair, joinPairs, type Pairs, packPairs } from "./pair-index.ts";
import {
  type ArbitrageFree,
  type BasePrices,
  emptyArbitrageFree,
  emptyBasePrices,
  emptyNearPairs,
  type NearPairs,
} from "./prices/prices.ts";
import { emptyValues, packValues, reserve, type Values } from "./prices/values.ts";

/**
 * A pool in the graph. Its edges start at `firstEdge`, one for each ordered pair of its tokens. A pool of three tokens or more
 * also has a node for its `Joint`, with edges from `jointEdge` on: one into it by token, then one out of it by token. These
 * belong to no pair and have a curve only while a search makes the pool a joint node, so no sweep visits them.
 */
export type PoolEntry = {
  pool: Pool;
  protocol: Protocol;
  mirror: unknown;
  /** `UNPLACED` until the pool's edges have their numbers. */
  firstEdge: number;
  jointNode: number;
  jointEdge: number;
  /** Whether the pool has left the market: its edges stay, without curves, until it returns or the graph is built anew. */
  isGone: boolean;
};

/**
 * The market as the search reads it: a directed edge for each ordered token pair of a pool.
 * The native coin and its wrapped form are one node; wraps are inserted when a route is laid out.
 */
export type Graph = {
  readonly registry: Registry;
  readonly wrappedNative: Address;
  /** Whether other tokens may be valued through a token. */
  readonly isVetted: (token: Address) => boolean;
  readonly gasScales: GasScales;
  readonly nodeOf: Map<Address, number>;
  /** By node, its token, or the address of the pool of a joint node. */
  readonly tokens: Address[];
  readonly entries: PoolEntry[];
  readonly entryOf: Map<PoolId, number>;
  /** Number of entries whose pools are gone. */
  gone: number;
  readonly quarantined: Map<PoolId, string>;
  readonly curves: Curves;
  readonly pairs: Pairs;
  readonly values: Values;
  edges: number;
  tail: Int32Array;
  head: Int32Array;
  /** Index into `entries` of each edge's pool. */
  owner: Int32Array;
  /** The pair that each edge belongs to; -1 for an edge from a token to itself and for edges of joint nodes. */
  pair: Int32Array;
  sold: Uint8Array;
  bought: Uint8Array;
  gas: Float32Array;
  /** Least additional gas of each segment boundary that a crossing passes. */
  boundaryGas: Float32Array;
  /** By edge, how often its curve was set. */
  changes: Uint32Array;
  /** Lower bound on the gas of any crossing in this market, in units of gas; Infinity without pools. */
  leastGas: number;
  /** The pool that exchanges the native coin for its wrapped form. */
  wrap: Pool | undefined;
  view: View;
  /** Edges whose curves changed since prices were last computed. */
  dirty: number[];
  readonly roundTrips: RoundTrips;
  readonly core: Core;
  readonly base: BasePrices;
  readonly near: NearPairs;
  readonly arbitrageFree: ArbitrageFree<Graph>;
};

/** The node of the native coin and its wrapped form: the first of every graph. */
export const NATIVE_NODE = 0;

export function emptyGraph(
  registry: Registry,
  wrappedNative: Address,
  { gasScales = new Map(), isVetted = () => true }: Partial<Pick<Graph, "gasScales" | "isVetted">> = {},
): Graph {
  const graph: Graph = {
    ...{ registry, wrappedNative, isVetted, gasScales },
    ...{ nodeOf: new Map(), tokens: [], entries: [], entryOf: new Map(), gone: 0 },
    quarantined: new Map(),
    curves: emptyCurves(),
    pairs: emptyPairs(),
    ...{ values: emptyValues(), dirty: [] },
    roundTrips: emptyRoundTrips(),
    core: emptyCore(),
    base: emptyBasePrices(),
    near: emptyNearPairs(),
    arbitrageFree: emptyArbitrageFree(),
    edges: 0,
    tail: new Int32Array(16),
    head: new Int32Array(16),
    owner: new Int32Array(16),
    pair: new Int32Array(16),
    sold: new Uint8Array(16),
    bought: new Uint8Array(16),
    gas: new Float32Array(16),
    boundaryGas: new Float32Array(16),
    changes: new Uint32Array(16),
    leastGas: Infinity,
    wrap: undefined,
    view: { get: () => undefined },
  };
  graph.nodeOf.set(NATIVE, nodeFor(graph, wrappedNative));
  return graph;
}

export const UNPLACED = -1;

/** Calls `visit` with every edge of a pool. */
export function forEachEdge(entry: PoolEntry, visit: (edge: number) => void): void {
  for (let k = 0; k < edgeCount(entry.pool); k++) visit(entry.firstEdge + k);
}

/** Number of edges of a pool: one for each ordered pair of its tokens. */
export function edgeCount({ tokens }: Pool): number {
  return tokens.length * (tokens.length - 1);
}

/** Number of edges of a pool, those of its joint node included. */
export function allEdgeCount(pool: Pool): number {
  const coins = pool.tokens.length;
  return edgeCount(pool) + (coins > 2 ? 2 * coins : 0);
}

/** Appends the edges of an entry to the graph and adds them to their pairs. */
export function placeEntry(graph: Graph, index: number): void {
  const coins = coinsOf(graph, index);
  const edges = new Int32Array(coins.length ** 2);
  graph.entries[index]!.firstEdge = graph.edges;
  const count = addEdges(graph, { index, coins, from: 0, to: coins.length }, edges, 0);
  const { pairs, tail, head, pair } = graph;
  for (const edge of edges.subarray(0, count)) pair[edge] = joinPair(pairs, edge, tail[edge]!, head[edge]!);
}

/**
 * Appends the edges of all entries from `first` on. Searches go from token to token, and reading memory is their slowest part,
 * so the pools of one token are stored next to each other: by the pool's rarest token, as others have thousands of pools.
 */
export function placeEntries(graph: Graph, first: number): void {
  const { entries } = graph;
  const coins = coinsOf(graph, first);
  const from = new Int32Array(entries.length - first + 1);
  for (let k = first; k < entries.length; k++)
    from[k - first + 1] = from[k - first]! + entries[k]!.pool.tokens.length;
  const ordered = orderedByRarest(coins, from, graph.tokens.length);
  const firstEdge = new Int32Array(ordered.length);
  const edges = new Int32Array(graph.tail.length);
  let count = 0;
  for (const k of ordered) {
    firstEdge[k] = graph.edges;
    count = addEdges(graph, { index: first + k, coins, from: from[k]!, to: from[k + 1]! }, edges, count);
  }
  for (let k = first; k < entries.length; k++) entries[k]!.firstEdge = firstEdge[k - first]!;
  joinPairs(graph.pairs, edges.subarray(0, count), graph, graph.tokens.length);
}

/** The nodes of the tokens of all entries from `first` on, concatenated. */
function coinsOf(graph: Graph, first: number): Int32Array {
  const coins: number[] = [];
  for (let k = first; k < graph.entries.length; k++)
    for (const token of graph.entries[k]!.pool.tokens) coins.push(nodeFor(graph, token));
  return Int32Array.from(coins);
}

/** The numbers of the lists in `coins`, list k starting at `from[k]`, sorted by the token of each that is in the fewest lists. */
function orderedByRarest(coins: Int32Array, from: Int32Array, tokens: number): Int32Array {
  const around = new Int32Array(tokens);
  for (const node of coins) around[node]!++;
  const count = from.length - 1;
  const rarest = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    let least = coins[from[k]!]!;
    for (let at = from[k]! + 1; at < from[k + 1]!; at++)
      if (around[coins[at]!]! < around[least]!) least = coins[at]!;
    rarest[k] = least;
  }
  const rows = emptyRows();
  appendAll(rows, tokens, { rows: rarest, values: Int32Array.from(rarest.keys()), count });
  return rows.data;
}

/** An entry, and the part of a list of nodes that holds its tokens. */
type Coins = {
  readonly index: number;
  readonly coins: Int32Array;
  readonly from: number;
  readonly to: number;
};

/**
 * Adds an edge for each ordered pair of the tokens of an entry, and lists those that belong to a pair in `edges`.
 *
 * @param count number of `edges` so far
 * @returns their new number
 */
function addEdges(graph: Graph, { index, coins, from, to }: Coins, edges: Int32Array, count: number): number {
  let added = count;
  for (let i = from; i < to; i++) {
    for (let j = from; j < to; j++) {
      if (i === j) continue;
      const edge = placeEdge(graph, index, coins[i]!, coins[j]!);
      graph.sold[edge] = i - from;
      graph.bought[edge] = j - from;
      if (coins[i] !== coins[j]) edges[added++] = edge;
    }
  }
  if (to - from > 2) addJoint(graph, index, coins.subarray(from, to));
  return added;
}

function addJoint(graph: Graph, index: number, nodes: Int32Array): void {
  const entry = graph.entries[index]!;
  entry.jointNode = addNode(graph, entry.pool.address);
  entry.jointEdge = graph.edges;
  for (const node of nodes) placeEdge(graph, index, node, entry.jointNode);
  for (const node of nodes) placeEdge(graph, index, entry.jointNode, node);
}

function placeEdge(graph: Graph, owner: number, tail: number, head: number): number {
  const edge = graph.edges++;
  growEdges(graph, edge + 1);
  graph.owner[edge] = owner;
  graph.tail[edge] = tail;
  graph.head[edge] = head;
  graph.pair[edge] = -1;
  reserveEdge(graph.curves, edge);
  return edge;
}

/** Makes room for `size` edges. */
export function reserveEdges(graph: Graph, size: number): void {
  growEdges(graph, size);
  reserveEdge(graph.curves, size - 1);
}

function growEdges(graph: Graph, size: number): void {
  if (graph.tail.length >= size) return;
  for (const key of EDGE_ARRAYS) (graph[key] as Graph[typeof key]) = enlarged(graph[key], size);
}

/** Releases spare room: a market grows little once it has been read. */
export function packGraph(graph: Graph): void {
  for (const key of EDGE_ARRAYS) (graph[key] as Graph[typeof key]) = cut(graph[key], graph.edges);
  packCurves(graph.curves, graph.edges);
  packPairs(graph.pairs);
  packValues(graph.values, graph.tokens.length);
}

const EDGE_ARRAYS = [
  ...(["tail", "head", "owner", "pair", "sold", "bought"] as const),
  ...(["gas", "boundaryGas", "changes"] as const),
];

function nodeFor(graph: Graph, token: Address): number {
  const known = graph.nodeOf.get(token);
  if (known !== undefined) return known;
  const node = addNode(graph, token);
  graph.nodeOf.set(token, node);
  return node;
}

function addNode(graph: Graph, token: Address): number {
  const node = graph.tokens.length;
  graph.tokens.push(token);
  const { onward, outgoing } = graph.pairs;
  for (const rows of [onward, outgoing]) {
    rows.start = enlarged(rows.start, node + 1);
    rows.length = enlarged(rows.length, node + 1);
  }
  graph.pairs.degree = enlarged(graph.pairs.degree, node + 1);
  reserve(graph.values, node + 1);
  return node;
}
