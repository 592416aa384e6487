import { scaledGas } from "../../gas/gas-scales.ts";
import { sortFew } from "../../math/sort-few.ts";
import type { Curve } from "../../protocol.ts";
import type { At, Pool, PoolId, View } from "../../types.ts";
import { compile } from "../curves/compile.ts";
import { beginDraft, endDraft, putCurve } from "../curves/segments.ts";
import type { MarketChange } from "../types.ts";
import { enter, hasTokensOf } from "./entries.ts";
import {
  allEdgeCount,
  edgeCount,
  type Graph,
  type PoolEntry,
  packGraph,
  placeEntries,
  placeEntry,
  reserveEdges,
  UNPLACED,
} from "./graph.ts";
import { noteChange } from "./prices/base-prices.ts";
import { weigh } from "./prices/pair-prices.ts";
import { revalue, valueAll } from "./prices/reference-prices.ts";
import { isWrap } from "./wrap.ts";

/** Applies the changes of a block to the graph: O(what changed). */
export function patchGraph(graph: Graph, change: MarketChange, view: View, at: At): void {
  graph.view = view;
  for (const id of change.removed) {
    graph.quarantined.delete(id);
    leave(graph, id);
  }
  if (change.pools.length > MANY && change.pools.length > graph.entries.length)
    enterAll(graph, change.pools, at);
  else if (change.pools.length > FEW) patchBlock(graph, change.pools, at);
  else for (const pool of change.pools) patchPool(graph, pool, at);
  refresh(graph);
}

/** Number up to which pools are patched one by one and lists are sorted by insertion: most patches are of one pool. */
const FEW = 32;

/**
 * Updates many pools in the order of their place in memory, each once. Reading memory is the slowest part, so all states are
 * read first, which lets the processor overlap the reads.
 */
function patchBlock(graph: Graph, pools: readonly Pool[], at: At): void {
  const changed = new Int32Array(pools.length);
  let count = 0;
  for (const pool of pools) {
    const entry = placedEntry(graph, pool, at);
    if (entry !== undefined) changed[count++] = entry.firstEdge;
  }
  const { entries, owner } = graph;
  const sorted = changed.subarray(0, count).sort();
  const renewed: PoolEntry[] = [];
  for (let k = 0; k < count; k++)
    if (k === 0 || sorted[k] !== sorted[k - 1]) renewed.push(entries[owner[sorted[k]!]!]!);
  const states = renewed.map((entry) => stateOf(graph, entry.pool));
  for (let k = 0; k < renewed.length; k++) renew(graph, renewed[k]!, at, states[k]);
}

/** Number of pools from which on room for all is made first. */
const MANY = 1000;

/**
 * Enters a whole market: first the pools with their edges, then their curves, so that each array is allocated once.
 */
function enterAll(graph: Graph, pools: readonly Pool[], at: At): void {
  const first = graph.entries.length;
  reserveEdges(
    graph,
    pools.reduce((sum, pool) => sum + allEdgeCount(pool), graph.edges),
  );
  const changed: PoolEntry[] = [];
  for (const pool of pools) {
    const entry = entryFor(graph, pool, at);
    if (entry !== undefined) changed.push(entry);
  }
  placeEntries(graph, first);
  beginDraft(graph.curves);
  for (const entry of changed) renew(graph, entry, at, stateOf(graph, entry.pool));
  endDraft(graph.curves);
  packGraph(graph);
}

/** Quarantines a pool until its state changes: its edges get no curve. */
export function quarantine(graph: Graph, id: PoolId, reason: unknown): void {
  graph.quarantined.set(id, reason instanceof Error ? reason.message : String(reason));
  kill(graph, id);
}

function patchPool(graph: Graph, pool: Pool, at: At): void {
  const entry = placedEntry(graph, pool, at);
  if (entry !== undefined) renew(graph, entry, at, stateOf(graph, entry.pool));
}

function placedEntry(graph: Graph, pool: Pool, at: At): PoolEntry | undefined {
  const entry = entryFor(graph, pool, at);
  if (entry?.firstEdge === UNPLACED) placeEntry(graph, graph.entries.length - 1);
  return entry;
}

/** The entry of a pool, created if the pool is new; undefined for the wrapper itself and for a pool of unknown design. */
function entryFor(graph: Graph, pool: Pool, at: At): PoolEntry | undefined {
  const known = graph.entryOf.get(pool.id);
  const entry = known === undefined ? undefined : graph.entries[known]!;
  // Only a pool whose tokens are one node can be the wrapper.
  if ((entry === undefined || graph.pair[entry.firstEdge] === -1) && isWrap(graph, pool, at)) {
    graph.wrap = pool;
    return undefined;
  }
  const protocol = graph.registry.get(pool.protocol);
  if (protocol === undefined) {
    quarantine(graph, pool.id, `no protocol ${pool.protocol}`);
    return undefined;
  }
  if (entry !== undefined && hasTokensOf(entry, pool)) {
    if (entry.isGone) graph.gone--;
    return Object.assign(entry, { pool, protocol, isGone: false });
  }
  // After a reorganisation another pool may have the address: its edges lie between other tokens, and the two share no state.
  leave(graph, pool.id);
  if (entry !== undefined) entry.pool = { ...entry.pool, stateIds: [`${pool.id} before`] };
  return enter(graph, pool, protocol);
}

/** Closes the edges of a pool that leaves the market. */
function leave(graph: Graph, id: PoolId): void {
  kill(graph, id);
  const entry = graph.entries[graph.entryOf.get(id) ?? -1];
  if (entry === undefined || entry.isGone) return;
  entry.isGone = true;
  graph.gone++;
}

function stateOf({ view }: Graph, pool: Pool): unknown {
  return view.get(pool.stateIds[0]);
}

function renew(graph: Graph, entry: PoolEntry, at: At, state: unknown): void {
  const { pool, protocol } = entry;
  try {
    if (state === undefined) {
      kill(graph, pool.id);
      return;
    }
    const mirror = protocol.mirror(state, pool, at, graph.view);
    // A mirror is needed later for a joint node only, and mirrors would take most of the heap.
    entry.mirror = entry.jointNode < 0 ? undefined : mirror;
    if (graph.quarantined.size > 0) graph.quarantined.delete(pool.id);
    compileEdges(graph, entry, mirror);
  } catch (error) {
    quarantine(graph, pool.id, error);
  }
}

function compileEdges(graph: Graph, { pool, protocol, firstEdge }: PoolEntry, mirror: unknown): void {
  const last = firstEdge + edgeCount(pool);
  const boundaryGas = scaledGas(graph.gasScales, pool, protocol.boundaryGas?.(mirror) ?? 0);
  for (let edge = firstEdge; edge < last; edge++) {
    const i = graph.sold[edge]!;
    const j = graph.bought[edge]!;
    const loop = graph.tail[edge] === graph.head[edge];
    setCurve(graph, edge, loop ? undefined : compile(protocol, mirror, i, j));
    const gas = scaledGas(graph.gasScales, pool, protocol.gas(mirror, i, j));
    graph.gas[edge] = gas > 0 && gas < 1e12 ? gas : 0;
    graph.boundaryGas[edge] = boundaryGas;
    graph.leastGas = Math.min(graph.leastGas, graph.gas[edge]!);
  }
}

function kill(graph: Graph, id: PoolId): void {
  if (graph.wrap?.id === id) graph.wrap = undefined;
  const index = graph.entryOf.get(id);
  if (index === undefined) return;
  const { firstEdge, pool } = graph.entries[index]!;
  if (firstEdge === UNPLACED) return;
  for (let edge = firstEdge; edge < firstEdge + edgeCount(pool); edge++) setCurve(graph, edge, undefined);
}

function setCurve(graph: Graph, edge: number, curve: Curve | undefined): void {
  putCurve(graph.curves, edge, curve);
  graph.changes[edge]!++;
  if (graph.pair[edge]! >= 0) graph.dirty.push(edge);
}

/**
 * Number of edges up to which a market is computed from scratch after every change, in about a millisecond, so that its prices
 * depend on its states alone. In a larger one reference values and base prices also depend on those of before, and with them
 * the last digits of answers and bounds.
 */
const SMALL = 1024;

/** Recomputes the prices that depend on changed edges; returns at once if there are none. */
export function refresh(graph: Graph): void {
  const { dirty, pair, values } = graph;
  if (dirty.length === 0) return;
  graph.dirty = [];
  graph.roundTrips.known = false;
  values.outdated ||= graph.edges <= SMALL || dirty.length * 2 >= graph.edges;
  graph.base.outdated ||= values.outdated;
  for (const edge of dirty) noteChange(graph, pair[edge]!);
  const nodes = values.outdated ? NONE : revalued(graph, dirty);
  if (values.outdated) {
    graph.leastGas = leastGasOf(graph);
    valueAll(graph);
    weighAll(graph);
    return;
  }
  const touched: number[] = [];
  for (const edge of dirty) touched.push(pair[edge]!);
  for (const node of nodes) addPairsOf(graph, node, touched);
  weighPairs(graph, touched);
}

/** The least gas of edges that have a curve; the gas of others may be out of date. */
function leastGasOf({ edges, pair, curves, gas }: Graph): number {
  let least = Infinity;
  for (let edge = 0; edge < edges; edge++)
    if (pair[edge]! >= 0 && curves.count[edge]! > 0) least = Math.min(least, gas[edge]!);
  return least;
}

function weighAll({ pairs, curves, values }: Graph): void {
  for (let pair = 0; pair < pairs.count; pair++) weigh(pairs, pair, curves, values.ref);
}

/** Recomputes the prices of pairs. @param touched pairs, possibly repeated */
function weighPairs({ pairs, curves, values }: Graph, touched: number[]): void {
  // In ascending order the prices of pairs are adjacent in memory.
  const ordered = touched.length > FEW ? Int32Array.from(touched).sort() : sortFew(touched);
  for (let k = 0; k < ordered.length; k++) {
    const pair = ordered[k]!;
    if (k > 0 && pair === ordered[k - 1]) continue;
    weigh(pairs, pair, curves, values.ref);
  }
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Nodes whose reference value changed with the given edges, and those that are valued through them. A new token may be valued
 * through another new one, so the edges are visited twice, which is enough for most.
 */
function revalued(graph: Graph, edges: readonly number[]): ReadonlySet<number> {
  let nodes: Set<number> | undefined;
  for (let round = 0; round === 0 || (round < 2 && nodes !== undefined); round++) {
    for (const edge of edges) {
      if (!revalue(graph, edge)) continue;
      nodes ??= new Set();
      nodes.add(graph.tail[edge]!);
    }
  }
  // The loop also visits nodes that are added during it.
  if (nodes !== undefined) for (const node of nodes) addChildren(graph, node, nodes);
  return nodes ?? NONE;
}

/** Adds the tokens that are valued through a node and whose value changed with it. */
function addChildren(graph: Graph, node: number, nodes: Set<number>): void {
  const { pairs, values, head } = graph;
  const { start, length, data } = pairs.outgoing;
  for (let k = 0; k < length[node]!; k++) {
    const child = pairs.tail[data[start[node]! + k]! ^ 1]!;
    const edge = values.parent[child]!;
    if (edge >= 0 && head[edge] === node && revalue(graph, edge)) nodes.add(child);
  }
}

function addPairsOf({ pairs }: Graph, node: number, touched: number[]): void {
  const { start, length, data } = pairs.outgoing;
  for (let k = 0; k < length[node]!; k++) {
    const pair = data[start[node]! + k]!;
    touched.push(pair, pair ^ 1);
  }
}
