import type { Protocol, Registry } from "../protocol.ts";
import { type Address, type At, NATIVE, type Pool, type PoolId, type View } from "../types.ts";
import { compile } from "./compile.ts";
import { type Curves, emptyCurves, putCurve } from "./curves.ts";
import { append, emptyRows, grown, type Rows } from "./rows.ts";
import type { MarketChange } from "./types.ts";

/** A pool in the graph. Its edges are `firstEdge` … one for each ordered pair of its tokens. */
export type PoolEntry = {
  pool: Pool;
  protocol: Protocol;
  mirror: unknown;
  readonly firstEdge: number;
};

/**
 * The market as the search reads it: a directed edge for each ordered token pair of a pool.
 * The native coin and its wrapped form are one node; the plan puts wraps where a route needs them.
 */
export type Graph = {
  readonly registry: Registry;
  readonly wrappedNative: Address;
  readonly nodeOf: Map<Address, number>;
  readonly tokens: Address[];
  readonly entries: PoolEntry[];
  readonly entryOf: Map<PoolId, number>;
  readonly quarantined: Map<PoolId, string>;
  readonly curves: Curves;
  readonly outgoing: Rows;
  readonly incoming: Rows;
  edges: number;
  tail: Int32Array;
  head: Int32Array;
  /** Index into `entries` of each edge's pool. */
  owner: Int32Array;
  sold: Uint8Array;
  bought: Uint8Array;
  gas: Float64Array;
  /** The pool that exchanges the native coin for its wrapped form. */
  wrap: Pool | undefined;
  view: View;
  /** Rises with every patch. */
  version: number;
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
    outgoing: emptyRows(),
    incoming: emptyRows(),
    edges: 0,
    tail: new Int32Array(16),
    head: new Int32Array(16),
    owner: new Int32Array(16),
    sold: new Uint8Array(16),
    bought: new Uint8Array(16),
    gas: new Float64Array(16),
    wrap: undefined,
    view: { get: () => undefined },
    version: 0,
  };
  graph.nodeOf.set(NATIVE, addNode(graph, wrappedNative));
  return graph;
}

/** Takes over what a block changed; costs only what changed. */
export function patchGraph(graph: Graph, change: MarketChange, view: View, at: At): void {
  graph.view = view;
  graph.version++;
  for (const id of change.removed) {
    graph.quarantined.delete(id);
    kill(graph, id);
  }
  for (const pool of change.pools) {
    if (isWrap(graph, pool)) graph.wrap = pool;
    else patchPool(graph, pool, at);
  }
}

/** Sets a pool aside until its state changes. */
export function quarantine(graph: Graph, id: PoolId, reason: unknown): void {
  graph.quarantined.set(id, reason instanceof Error ? reason.message : String(reason));
  kill(graph, id);
}

function isWrap(graph: Graph, pool: Pool): boolean {
  const { tokens } = pool;
  return tokens.length === 2 && tokens.includes(NATIVE) && tokens.includes(graph.wrappedNative);
}

function patchPool(graph: Graph, pool: Pool, at: At): void {
  const protocol = graph.registry.get(pool.protocol);
  if (protocol === undefined) {
    quarantine(graph, pool.id, `no protocol ${pool.protocol}`);
    return;
  }
  const entry = enter(graph, pool, protocol);
  try {
    const state = graph.view.get(pool.stateIds[0]);
    if (state === undefined) {
      kill(graph, pool.id);
      return;
    }
    entry.mirror = protocol.mirror(state, pool, at, graph.view);
    graph.quarantined.delete(pool.id);
    forEachEdge(entry, (edge) => compileEdge(graph, entry, edge));
  } catch (error) {
    quarantine(graph, pool.id, error);
  }
}

function compileEdge(graph: Graph, entry: PoolEntry, edge: number): void {
  const i = graph.sold[edge]!;
  const j = graph.bought[edge]!;
  const loop = graph.tail[edge] === graph.head[edge];
  putCurve(graph.curves, edge, loop ? undefined : compile(entry.protocol, entry.mirror, i, j));
  const gas = entry.protocol.gas(entry.mirror, i, j);
  graph.gas[edge] = gas > 0 && gas < 1e12 ? gas : 0;
}

function kill(graph: Graph, id: PoolId): void {
  if (graph.wrap?.id === id) graph.wrap = undefined;
  const index = graph.entryOf.get(id);
  if (index === undefined) return;
  forEachEdge(graph.entries[index]!, (edge) => putCurve(graph.curves, edge, undefined));
}

/** Calls `visit` with every edge of a pool. */
export function forEachEdge(entry: PoolEntry, visit: (edge: number) => void): void {
  const n = entry.pool.tokens.length;
  for (let k = 0; k < n * (n - 1); k++) visit(entry.firstEdge + k);
}

function enter(graph: Graph, pool: Pool, protocol: Protocol): PoolEntry {
  const known = graph.entryOf.get(pool.id);
  if (known !== undefined) {
    const entry = graph.entries[known]!;
    entry.pool = pool;
    entry.protocol = protocol;
    return entry;
  }
  const entry: PoolEntry = { pool, protocol, mirror: undefined, firstEdge: graph.edges };
  graph.entryOf.set(pool.id, graph.entries.length);
  graph.entries.push(entry);
  addEdges(graph, pool);
  return entry;
}

function addEdges(graph: Graph, pool: Pool): void {
  const nodes = pool.tokens.map((token) => nodeFor(graph, token));
  const owner = graph.entries.length - 1;
  for (let i = 0; i < nodes.length; i++) {
    for (let j = 0; j < nodes.length; j++) {
      if (i === j) continue;
      const edge = addEdge(graph, nodes[i]!, nodes[j]!);
      graph.owner[edge] = owner;
      graph.sold[edge] = i;
      graph.bought[edge] = j;
    }
  }
}

function addEdge(graph: Graph, tail: number, head: number): number {
  const edge = graph.edges++;
  growEdges(graph, edge + 1);
  graph.tail[edge] = tail;
  graph.head[edge] = head;
  append(graph.outgoing, tail, edge);
  append(graph.incoming, head, edge);
  putCurve(graph.curves, edge, undefined);
  return edge;
}

function growEdges(graph: Graph, size: number): void {
  graph.tail = grown(graph.tail, size);
  graph.head = grown(graph.head, size);
  graph.owner = grown(graph.owner, size);
  graph.sold = grown(graph.sold, size);
  graph.bought = grown(graph.bought, size);
  graph.gas = grown(graph.gas, size);
}

function nodeFor(graph: Graph, token: Address): number {
  return graph.nodeOf.get(token) ?? addNode(graph, token);
}

function addNode(graph: Graph, token: Address): number {
  const node = graph.tokens.length;
  graph.tokens.push(token);
  graph.nodeOf.set(token, node);
  graph.outgoing.length = grown(graph.outgoing.length, node + 1);
  graph.outgoing.start = grown(graph.outgoing.start, node + 1);
  graph.incoming.length = grown(graph.incoming.length, node + 1);
  graph.incoming.start = grown(graph.incoming.start, node + 1);
  return node;
}
