import { emptyHeap, type Heap, popHeap, pushHeap } from "../../../math/heap.ts";
import { mostOut, spotSlope } from "../../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../graph.ts";
import { reserve } from "./values.ts";

/** A reference value that is wrong by more than this factor is replaced. */
const DRIFT = 8;
/** Factor by which a chain must be wider to replace the present one, so that the tree stays stable. */
const WIDER = 2;
/**
 * Assumed value, in wei, of the largest amount of its root token that one pool can pay, in a component that is not
 * connected with the native coin.
 */
const ISLAND_WEI = 1e21;
const LONGEST_CHAIN = 64;
/**
 * Share of its width that a chain keeps when it passes through a token that is not vetted. Its creator may hold any amount of
 * such a token and may refuse that others trade it, so that its pools look deep at any price; a million times the depth of
 * honest pools would have to be paid for in the native coin.
 */
const UNVETTED = 1e-6;

/** Present value of a token along its chain, in wei per smallest unit; undefined if it is not connected with the native coin. */
export function nativeValue(graph: Graph, node: number): number | undefined {
  const { parent, ref } = graph.values;
  let value = 1;
  let at = node;
  for (let steps = 0; at !== NATIVE_NODE; steps++) {
    const edge = parent[at] ?? -1;
    if (steps > LONGEST_CHAIN || !(ref[at]! > 0) || edge < 0) return undefined;
    value *= midPrice(graph, edge);
    at = graph.head[edge]!;
  }
  return isValue(value) ? value : undefined;
}

/** Mid price of a pool in units bought per unit sold: the geometric mean of both directions, in which the fee cancels. */
export function midPrice(graph: Graph, edge: number): number {
  const there = spotSlope(graph.curves, edge);
  const back = spotSlope(graph.curves, opposite(graph, edge));
  return back > 0 ? Math.sqrt(there / back) : there;
}

/** The edge of the same pool in the opposite direction. */
function opposite(graph: Graph, edge: number): number {
  const { firstEdge, pool } = graph.entries[graph.owner[edge]!]!;
  const i = graph.bought[edge]!;
  const j = graph.sold[edge]!;
  return firstEdge + i * (pool.tokens.length - 1) + (j < i ? j : j - 1);
}

/** Values every token from scratch: grows the tree from the native coin, the widest chain first, then in the other components. */
export function valueAll(graph: Graph): void {
  const { values } = graph;
  const nodes = graph.tokens.length;
  reserve(values, nodes);
  values.outdated = false;
  values.ref.fill(0);
  values.parent.fill(-1);
  values.width.fill(0);
  values.ref[NATIVE_NODE] = 1;
  values.width[NATIVE_NODE] = Infinity;
  const heap = emptyHeap();
  grow(graph, NATIVE_NODE, heap);
  for (let node = 1; node < nodes; node++) {
    if (values.ref[node] === 0 && plantIsland(graph, node)) grow(graph, node, heap);
  }
}

function plantIsland(graph: Graph, node: number): boolean {
  const most = deepestOf(graph, node);
  if (most === 0) return false;
  graph.values.ref[node] = ISLAND_WEI / most;
  graph.values.width[node] = ISLAND_WEI;
  return true;
}

/** The most units of a node's token that any of its pools can pay, among pools with a limit; 0 if there is none. */
export function deepestOf({ pairs, curves }: Graph, node: number): number {
  const { outgoing, edges } = pairs;
  let most = 0;
  for (let k = 0; k < outgoing.length[node]!; k++) {
    const pair = outgoing.data[outgoing.start[node]! + k]! ^ 1;
    const first = edges.start[pair]!;
    for (let e = first; e < first + edges.length[pair]!; e++) {
      const deep = mostOut(curves, edges.data[e]!);
      if (deep > most && deep < Infinity) most = deep;
    }
  }
  return most;
}

/** Grows the tree from a root. Until a node is final, its width is that of the widest chain offered so far. */
function grow(graph: Graph, root: number, heap: Heap): void {
  const { ref, parent } = graph.values;
  offerFrom(graph, root, heap);
  for (let edge = popHeap(heap); edge >= 0; edge = popHeap(heap)) {
    const node = graph.tail[edge]!;
    if (ref[node] !== 0) continue;
    ref[node] = midPrice(graph, edge) * ref[graph.head[edge]!]!;
    parent[node] = edge;
    offerFrom(graph, node, heap);
  }
}

/** Offers each neighbour of `head` the chain through it, if that is wider than any offered before. */
function offerFrom(graph: Graph, head: number, heap: Heap): void {
  const { ref } = graph.values;
  const { outgoing, tail } = graph.pairs;
  const most = widthThrough(graph, head);
  for (let k = 0; k < outgoing.length[head]!; k++) {
    const pair = outgoing.data[outgoing.start[head]! + k]! ^ 1;
    if (ref[tail[pair]!] === 0) offerOver(graph, pair, most, heap);
  }
}

/**
 * Offers the tail of a pair the widest chain over one of its edges, at most as wide as the chain from there on. Often several edges are
 * wider than that: the first by number is offered, as the order of a pair's edges still is that of the prices of the block before.
 */
function offerOver(graph: Graph, pair: number, most: number, heap: Heap): void {
  const { ref, width } = graph.values;
  const { edges, tail } = graph.pairs;
  const node = tail[pair]!;
  const value = ref[tail[pair ^ 1]!]!;
  let best = -1;
  for (let e = edges.start[pair]!; e < edges.start[pair]! + edges.length[pair]!; e++) {
    const edge = edges.data[e]!;
    const deep = Math.min(most, mostOut(graph.curves, edge) * value);
    const isBetter = deep > width[node]! || (edge < best && deep === width[node]);
    if (!isBetter || !isValue(midPrice(graph, edge) * value)) continue;
    width[node] = deep;
    best = edge;
  }
  if (best >= 0) pushHeap(heap, width[node]!, best);
}

/** The width of the chains that pass through a node. */
function widthThrough({ values, tokens, isVetted }: Graph, node: number): number {
  return values.width[node]! * (isVetted(tokens[node]!) ? 1 : UNVETTED);
}

function isValue(value: number): boolean {
  return value > 0 && value < Infinity;
}

type Offer = { readonly edge: number; readonly value: number; readonly width: number };

/** The value of an edge's tail along the chain through its head; undefined if that has no value or the edge no price. */
function offerOf(graph: Graph, edge: number): Offer | undefined {
  const { ref } = graph.values;
  const head = graph.head[edge]!;
  const value = midPrice(graph, edge) * ref[head]!;
  const deep = Math.min(widthThrough(graph, head), mostOut(graph.curves, edge) * ref[head]!);
  return isValue(value) && deep > 0 ? { edge, value, width: deep } : undefined;
}

/**
 * Keeps the tree after `edge` has changed: a wider chain takes over; one without a value or narrower by more than
 * `DRIFT` than before is replaced.
 *
 * @returns whether the reference value of the edge's tail changed, so that its prices must be normalised anew
 */
export function revalue(graph: Graph, edge: number): boolean {
  const { ref, parent, width } = graph.values;
  const node = graph.tail[edge]!;
  const head = graph.head[edge]!;
  if (node === NATIVE_NODE || head === node) return false;
  if (parent[node] !== edge) return joined(graph, edge, node, head);
  const offer = offerOf(graph, edge);
  if (offer === undefined || offer.width * DRIFT < width[node]!) return replant(graph, node);
  width[node] = offer.width;
  return drifted(ref, node, offer.value);
}

/** Values the tail of an edge through it if that chain is wide enough, which few are. @returns whether the reference value changed */
function joined(graph: Graph, edge: number, node: number, head: number): boolean {
  const { ref } = graph.values;
  if (!isWider(graph, edge) && rootOf(graph, node) === NATIVE_NODE) return false;
  const offer = offerOf(graph, edge);
  if (offer === undefined) return false;
  if (rootOf(graph, node) !== NATIVE_NODE && rootOf(graph, head) === NATIVE_NODE)
    graph.values.outdated ||= ref[node]! > 0;
  if (!isWider(graph, edge) || passes(graph, head, node)) return false;
  return adopt(graph, node, offer);
}

/** Whether the chain through `edge` is wide enough to replace the present one. */
function isWider(graph: Graph, edge: number): boolean {
  const { values, tail, head, curves } = graph;
  const { ref, width } = values;
  const next = head[edge]!;
  const least = WIDER * width[tail[edge]!]!;
  return widthThrough(graph, next) > least && mostOut(curves, edge) * ref[next]! > least;
}

/** The root of the chain of `node`: `NATIVE_NODE` if it is connected with the native coin. */
function rootOf(graph: Graph, node: number): number {
  let at = node;
  for (let steps = 0; steps < LONGEST_CHAIN && graph.values.parent[at]! >= 0; steps++) {
    at = graph.head[graph.values.parent[at]!]!;
  }
  return at;
}

function adopt({ values }: Graph, node: number, offer: Offer): boolean {
  values.parent[node] = offer.edge;
  values.width[node] = offer.width;
  return drifted(values.ref, node, offer.value);
}

function drifted(ref: Float64Array, node: number, value: number): boolean {
  const ratio = value / ref[node]!;
  if (ratio < DRIFT && ratio > 1 / DRIFT) return false;
  ref[node] = value;
  return true;
}

/** Values `node` through the widest of its pools whose chain does not lead back to it. @returns whether its value changed */
function replant(graph: Graph, node: number): boolean {
  const { start, length, data } = graph.pairs.outgoing;
  let best: Offer | undefined;
  for (let k = 0; k < length[node]!; k++) best = wider(graph, data[start[node]! + k]!, best);
  if (best !== undefined) return adopt(graph, node, best);
  graph.values.parent[node] = -1;
  graph.values.width[node] = 0;
  return false;
}

/** The widest of an offer and those of a pair's edges whose chains do not lead back. */
function wider(graph: Graph, pair: number, best: Offer | undefined): Offer | undefined {
  const { edges, tail } = graph.pairs;
  let widest = best;
  for (let e = edges.start[pair]!; e < edges.start[pair]! + edges.length[pair]!; e++) {
    const offer = offerOf(graph, edges.data[e]!);
    if (offer === undefined || (widest !== undefined && offer.width <= widest.width)) continue;
    if (!passes(graph, tail[pair ^ 1]!, tail[pair]!)) widest = offer;
  }
  return widest;
}

/** Whether the chain of `node` passes through `through`. */
function passes(graph: Graph, node: number, through: number): boolean {
  let at = node;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    if (at === through) return true;
    const edge = graph.values.parent[at]!;
    if (edge < 0) return false;
    at = graph.head[edge]!;
  }
  return true;
}
