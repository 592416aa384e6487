import { mostOut, slopeAt } from "./curves.ts";
import type { Graph } from "./graph.ts";

/** What tokens are worth in the native coin, by the graph's own prices. */
export type Values = {
  /** Wei per smallest unit of each node's token; 0 where unknown. */
  readonly native: Float64Array;
  readonly version: number;
};

/**
 * Values every token through its widest chain of pools to the native coin: a chain is as wide as its shallowest
 * pool, so that no shallow pool, nor a huge reserve of a token that only a shallow pool prices, sets a price.
 */
export function valueTokens(graph: Graph): Values {
  const native = new Float64Array(graph.tokens.length);
  const heap: Offer[] = [];
  native[0] = 1;
  offerFrom(graph, { node: 0, value: 1, depth: Infinity }, native, heap);
  for (let best = pop(heap); best !== undefined; best = pop(heap)) {
    if (native[best.node] !== 0) continue;
    native[best.node] = best.value;
    offerFrom(graph, best, native, heap);
  }
  return { native, version: graph.version };
}

type Offer = { readonly node: number; readonly value: number; readonly depth: number };

function offerFrom(graph: Graph, from: Offer, native: Float64Array, heap: Offer[]): void {
  const { node } = from;
  const { start, length, data } = graph.incoming;
  for (let k = 0; k < length[node]!; k++) {
    const edge = data[start[node]! + k]!;
    const other = graph.tail[edge]!;
    if (native[other] !== 0) continue;
    const value = midPrice(graph, edge) * from.value;
    const depth = Math.min(from.depth, mostOut(graph.curves, edge) * from.value);
    if (value > 0 && value < Infinity && depth > 0) push(heap, { node: other, value, depth });
  }
}

/** Units bought per unit sold between the two directions of a pool's pair, so that the fee cancels. */
function midPrice(graph: Graph, edge: number): number {
  const there = slopeAt(graph.curves, edge, 0);
  const back = slopeAt(graph.curves, opposite(graph, edge), 0);
  return back > 0 ? Math.sqrt(there / back) : there;
}

/** The edge that crosses the same pool the other way. */
export function opposite(graph: Graph, edge: number): number {
  const { firstEdge, pool } = graph.entries[graph.owner[edge]!]!;
  const i = graph.bought[edge]!;
  const j = graph.sold[edge]!;
  return firstEdge + i * (pool.tokens.length - 1) + (j < i ? j : j - 1);
}

function push(heap: Offer[], offer: Offer): void {
  heap.push(offer);
  for (let k = heap.length - 1; k > 0; ) {
    const parent = (k - 1) >> 1;
    if (heap[parent]!.depth >= heap[k]!.depth) return;
    [heap[parent], heap[k]] = [heap[k]!, heap[parent]!];
    k = parent;
  }
}

function pop(heap: Offer[]): Offer | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  heap[0] = last;
  for (let k = 0; ; ) {
    const left = 2 * k + 1;
    if (left >= heap.length) return top;
    const right = left + 1;
    const child = right < heap.length && heap[right]!.depth > heap[left]!.depth ? right : left;
    if (heap[k]!.depth >= heap[child]!.depth) return top;
    [heap[k], heap[child]] = [heap[child]!, heap[k]!];
    k = child;
  }
}
