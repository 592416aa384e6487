import type { Protocol, Registry } from "../protocol.ts";
import { type Address, NATIVE, type Pool, type PoolId, type View } from "../types.ts";
import { type Calm, emptyCalm } from "./calm.ts";
import { type Curves, emptyCurves, packCurves, reserveEdge } from "./curves.ts";
import { emptyMiddle, type Middle } from "./middle.ts";
import { emptyPairs, joinPair, joinPairs, type Pairs, packPairs } from "./pairs.ts";
import { cut, grown } from "./rows.ts";
import { emptyValues, packValues, reserve, type Values } from "./values.ts";

/**
 * A pool in the graph. Its edges are `firstEdge` … one for each ordered pair of its tokens. A pool of three tokens or more
 * has a node of its own besides, for its `Joint`, with edges from `jointEdge` on: into it by token, then out of it. They
 * belong to no pair, are dead but while a search joins the pool, and so no sweep sees them.
 */
export type PoolEntry = {
  pool: Pool;
  protocol: Protocol;
  mirror: unknown;
  /** By token, the most that the pool can pay, once that was asked for its joint. */
  most: readonly number[] | undefined;
  readonly firstEdge: number;
  jointNode: number;
  jointEdge: number;
};

/**
 * The market as the search reads it: a directed edge for each ordered token pair of a pool.
 * The native coin and its wrapped form are one node; the plan puts wraps where a route needs them.
 */
export type Graph = {
  readonly registry: Registry;
  readonly wrappedNative: Address;
  readonly nodeOf: Map<Address, number>;
  /** Token of each node; of a pool's own node its address. */
  readonly tokens: Address[];
  readonly entries: PoolEntry[];
  readonly entryOf: Map<PoolId, number>;
  readonly quarantined: Map<PoolId, string>;
  readonly curves: Curves;
  readonly pairs: Pairs;
  readonly values: Values;
  edges: number;
  tail: Int32Array;
  head: Int32Array;
  /** Index into `entries` of each edge's pool. */
  owner: Int32Array;
  /** The pair that each edge belongs to; -1 for an edge from a token to itself. */
  pair: Int32Array;
  sold: Uint8Array;
  bought: Uint8Array;
  gas: Float32Array;
  /** The pool that exchanges the native coin for its wrapped form. */
  wrap: Pool | undefined;
  view: View;
  /** Edges whose curves changed since prices were last worked out. */
  dirty: number[];
  readonly calm: Calm;
  readonly middle: Middle;
};

export function emptyGraph(registry: Registry, wrappedNative: Address): Graph {
  const graph: Graph = {
    registry,
    wrappedNative,
    nodeOf: new Map(),
    tokens: [],
    entries: [],
    entryOf: new Map(),
    quarantined: new Map(),
    curves: emptyCurves(),
    pairs: emptyPairs(),
    values: emptyValues(),
    dirty: [],
    calm: emptyCalm(),
    middle: emptyMiddle(),
    edges: 0,
    tail: new Int32Array(16),
    head: new Int32Array(16),
    owner: new Int32Array(16),
    pair: new Int32Array(16),
    sold: new Uint8Array(16),
    bought: new Uint8Array(16),
    gas: new Float32Array(16),
    wrap: undefined,
    view: { get: () => undefined },
  };
  graph.nodeOf.set(NATIVE, nodeFor(graph, wrappedNative));
  return graph;
}

/** Calls `visit` with every edge of a pool. */
export function forEachEdge(entry: PoolEntry, visit: (edge: number) => void): void {
  for (let k = 0; k < edgeCount(entry.pool); k++) visit(entry.firstEdge + k);
}

/** Whether an edge's pool has three tokens or more: among its edges, one of the third stands next to every other. */
export function isOfMany({ owner, sold, bought }: Graph, edge: number): boolean {
  const isOfThird = (one: number) => owner[one] === owner[edge] && (sold[one]! > 1 || bought[one]! > 1);
  return isOfThird(edge) || isOfThird(edge + 1) || isOfThird(edge - 1);
}

/** One for each ordered pair of a pool's tokens. */
export function edgeCount({ tokens }: Pool): number {
  return tokens.length * (tokens.length - 1);
}

/** Those, and the edges of its joint. */
export function allEdgeCount(pool: Pool): number {
  const coins = pool.tokens.length;
  return edgeCount(pool) + (coins > 2 ? 2 * coins : 0);
}

/** Adds an edge for each ordered pair of the tokens of the newest entry; they belong to no pair until they are joined. */
export function addEdges(graph: Graph, entry: PoolEntry): void {
  const { pool } = entry;
  const nodes = pool.tokens.map((token) => nodeFor(graph, token));
  const owner = graph.entries.length - 1;
  for (let i = 0; i < nodes.length; i++) {
    for (let j = 0; j < nodes.length; j++) {
      if (i === j) continue;
      const edge = placeEdge(graph, nodes[i]!, nodes[j]!);
      graph.owner[edge] = owner;
      graph.sold[edge] = i;
      graph.bought[edge] = j;
    }
  }
  if (nodes.length > 2) addJoint(graph, entry, nodes);
}

function addJoint(graph: Graph, entry: PoolEntry, nodes: readonly number[]): void {
  entry.jointNode = addNode(graph, entry.pool.address);
  entry.jointEdge = graph.edges;
  const ways = [
    ...nodes.map((node) => [node, entry.jointNode] as const),
    ...nodes.map((node) => [entry.jointNode, node] as const),
  ];
  for (const [tail, head] of ways) graph.owner[placeEdge(graph, tail, head)] = graph.entries.length - 1;
}

/** Tells the pairs of tokens of a pool's edges. */
export function joinEdges({ pairs, tail, head, pair }: Graph, { firstEdge, pool }: PoolEntry): void {
  const last = firstEdge + edgeCount(pool);
  for (let edge = firstEdge; edge < last; edge++) {
    if (tail[edge] !== head[edge]) pair[edge] = joinPair(pairs, edge, tail[edge]!, head[edge]!);
  }
}

/** The same for all entries from `first` on. */
export function joinAllEdges(graph: Graph, first: number): void {
  const { entries, tail, head } = graph;
  const edges: number[] = [];
  for (let entry = first; entry < entries.length; entry++) {
    const { firstEdge, pool } = entries[entry]!;
    const last = firstEdge + edgeCount(pool);
    for (let edge = firstEdge; edge < last; edge++) if (tail[edge] !== head[edge]) edges.push(edge);
  }
  joinPairs(graph.pairs, Int32Array.from(edges), graph, graph.tokens.length);
}

function placeEdge(graph: Graph, tail: number, head: number): number {
  const edge = graph.edges++;
  growEdges(graph, edge + 1);
  graph.tail[edge] = tail;
  graph.head[edge] = head;
  graph.pair[edge] = -1;
  reserveEdge(graph.curves, edge);
  return edge;
}

/** Makes sure that there is room for `size` edges. */
export function reserveEdges(graph: Graph, size: number): void {
  growEdges(graph, size);
  reserveEdge(graph.curves, size - 1);
}

function growEdges(graph: Graph, size: number): void {
  if (graph.tail.length >= size) return;
  graph.tail = grown(graph.tail, size);
  graph.head = grown(graph.head, size);
  graph.owner = grown(graph.owner, size);
  graph.pair = grown(graph.pair, size);
  graph.sold = grown(graph.sold, size);
  graph.bought = grown(graph.bought, size);
  graph.gas = grown(graph.gas, size);
}

/** Gives back the room for more than there is: a market grows by little once it has been read. */
export function packGraph(graph: Graph): void {
  for (const key of EDGE_ARRAYS) (graph[key] as Graph[typeof key]) = cut(graph[key], graph.edges);
  packCurves(graph.curves, graph.edges);
  packPairs(graph.pairs);
  packValues(graph.values, graph.tokens.length);
}

const EDGE_ARRAYS = ["tail", "head", "owner", "pair", "sold", "bought", "gas"] as const;

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
    rows.start = grown(rows.start, node + 1);
    rows.length = grown(rows.length, node + 1);
  }
  graph.pairs.degree = grown(graph.pairs.degree, node + 1);
  reserve(graph.values, node + 1);
  return node;
}
