import type { Curve, Protocol } from "../protocol.ts";
import { type At, NATIVE, type Pool, type PoolId, type View } from "../types.ts";
import { compile } from "./compile.ts";
import { putCurve } from "./curves.ts";
import { addEdges, forEachEdge, type Graph, type PoolEntry } from "./graph.ts";
import { weigh } from "./pairs.ts";
import type { MarketChange } from "./types.ts";
import { revalue, valueAll } from "./value-tree.ts";

/** Takes over what a block changed; costs only what changed. */
export function patchGraph(graph: Graph, change: MarketChange, view: View, at: At): void {
  graph.view = view;
  for (const id of change.removed) {
    graph.quarantined.delete(id);
    kill(graph, id);
  }
  for (const pool of change.pools) {
    if (isWrap(graph, pool, at)) graph.wrap = pool;
    else patchPool(graph, pool, at);
  }
  refresh(graph);
}

/** Sets a pool aside until its state changes. */
export function quarantine(graph: Graph, id: PoolId, reason: unknown): void {
  graph.quarantined.set(id, reason instanceof Error ? reason.message : String(reason));
  kill(graph, id);
}

/** Whether the pool is the wrapper itself: the native coin against its wrapped form, unit for unit without an end. */
function isWrap({ wrappedNative, registry, view }: Graph, pool: Pool, at: At): boolean {
  const { tokens } = pool;
  if (tokens.length !== 2 || !tokens.includes(NATIVE) || !tokens.includes(wrappedNative)) return false;
  const protocol = registry.get(pool.protocol);
  const state = view.get(pool.stateIds[0]);
  if (protocol === undefined || state === undefined) return false;
  try {
    const curve = protocol.curve(protocol.mirror(state, pool, at, view), 0, 1);
    return curve?.m[0] === 1 && curve.c[0] === 0 && curve.end === Infinity;
  } catch {
    return false;
  }
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
  setCurve(graph, edge, loop ? undefined : compile(entry.protocol, entry.mirror, i, j));
  const gas = entry.protocol.gas(entry.mirror, i, j);
  graph.gas[edge] = gas > 0 && gas < 1e12 ? gas : 0;
}

function kill(graph: Graph, id: PoolId): void {
  if (graph.wrap?.id === id) graph.wrap = undefined;
  const index = graph.entryOf.get(id);
  if (index === undefined) return;
  forEachEdge(graph.entries[index]!, (edge) => setCurve(graph, edge, undefined));
}

function setCurve(graph: Graph, edge: number, curve: Curve | undefined): void {
  putCurve(graph.curves, edge, curve);
  if (graph.pair[edge]! >= 0) graph.dirty.push(edge);
}

/** Works out the prices of what changed; costs nothing where nothing did. */
export function refresh(graph: Graph): void {
  const { dirty, values, pairs } = graph;
  if (dirty.length === 0) return;
  graph.dirty = [];
  graph.calm.known = false;
  const touched = new Set(dirty.map((edge) => graph.pair[edge]!));
  if (dirty.length * 2 < graph.edges)
    for (const node of revalued(graph, dirty)) addPairsOf(graph, node, touched);
  else values.outdated = true;
  if (values.outdated) {
    valueAll(graph);
    for (let pair = 0; pair < pairs.count; pair++) weigh(pairs, pair, graph.curves, values.ref);
  } else {
    for (const pair of touched) weigh(pairs, pair, graph.curves, values.ref);
  }
}

/** Nodes whose reference value changed with the edges given. New tokens may hang on new tokens: twice is enough for most. */
function revalued(graph: Graph, edges: readonly number[]): Set<number> {
  const nodes = new Set<number>();
  for (let round = 0; round === 0 || (round < 2 && nodes.size > 0); round++) {
    for (const edge of edges) if (revalue(graph, edge)) nodes.add(graph.tail[edge]!);
  }
  return nodes;
}

function addPairsOf({ pairs }: Graph, node: number, touched: Set<number>): void {
  const { start, length, data } = pairs.outgoing;
  for (let k = 0; k < length[node]!; k++) {
    const pair = data[start[node]! + k]!;
    touched.add(pair);
    touched.add(pair ^ 1);
  }
}

function enter(graph: Graph, pool: Pool, protocol: Protocol): PoolEntry {
  const known = graph.entryOf.get(pool.id);
  if (known !== undefined) {
    const entry = graph.entries[known]!;
    entry.pool = pool;
    entry.protocol = protocol;
    return entry;
  }
  const entry: PoolEntry = {
    pool,
    protocol,
    mirror: undefined,
    firstEdge: graph.edges,
    jointNode: -1,
    jointEdge: -1,
  };
  graph.entryOf.set(pool.id, graph.entries.length);
  graph.entries.push(entry);
  addEdges(graph, entry);
  return entry;
}
