import { emptyHeap, type Heap, popHeap, pushHeap } from "../../../math/heap.ts";
import type { Demand } from "../../convex/problem.ts";
import { moreFor, mostFor, PRICE_ROUNDING } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { gateOf, type Prices, pairInto } from "../../market-graph/pair-index.ts";
import type { Flow } from "../../settlement/layout.ts";
import { piecesOf } from "./pieces.ts";
import type { Pieces } from "./send-pieces.ts";

/** Working memory of `sendByValue`, allocated once for an order. Labels are by node. */
export type ValueMemory = {
  /** Value of each token in the token bought, by the best simple path; 0 = none. */
  readonly value: Float64Array;
  /** Units that arrive with the present piece, their value less the gas so far, that gas, and the edge they arrive by. */
  readonly amount: Float64Array;
  readonly worth: Float64Array;
  readonly gas: Float64Array;
  readonly by: Int32Array;
  /** Number of pools on the path that no piece has crossed before. */
  readonly fresh: Uint16Array;
  readonly done: Uint8Array;
  readonly heap: Heap;
  /** Units sent through each edge, and the edges in use. */
  readonly sent: Float64Array;
  readonly used: number[];
  readonly pools: Set<number>;
};

export function emptyValueMemory({ tokens, edges }: Graph): ValueMemory {
  const numbers = () => new Float64Array(tokens.length);
  return {
    ...{ value: numbers(), amount: numbers(), worth: numbers(), gas: numbers() },
    by: new Int32Array(tokens.length),
    fresh: new Uint16Array(tokens.length),
    done: new Uint8Array(tokens.length),
    heap: emptyHeap(),
    sent: new Float64Array(edges),
    used: [],
    pools: new Set(),
  };
}

/** Pieces, the cap on pools, and the value of one unit of gas. */
export type ValuePieces = Omit<Pieces, "hops">;

/** A flow below this share of what enters its token is dropped at the end. */
const DUST = 1e-3;
const NONE = -1;
/** Tokens processed between two readings of the clock. */
const BETWEEN_CLOCKS = 64;

/**
 * Values every token in the token bought by the best product of prices, set in descending order (Dijkstra), so that profitable
 * cycles do no harm.
 *
 * @param prices of all pairs, at spot or at a trade size
 */
export function valueTokens(
  graph: Graph,
  memory: ValueMemory,
  { to, allowed, late }: Demand,
  prices: Prices,
): void {
  const { pairs, values } = graph;
  const { value, done, heap } = memory;
  value.fill(0);
  done.fill(0);
  heap.size = 0;
  value[to] = 1;
  for (let node = to, seen = 0; node !== NONE; node = popHeap(heap)) {
    if (done[node] === 1) continue;
    done[node] = 1;
    if (++seen % BETWEEN_CLOCKS === 0 && late()) break;
    const { start, length, data } = pairs.onward;
    for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
      const tail = data[k + 1]!;
      const through = prices[data[k]! ^ 1]! * value[node]!;
      if (done[tail] === 1 || !(through > value[tail]!) || !isOpen(graph, data[k]! ^ 1, allowed)) continue;
      value[tail] = through;
      pushHeap(heap, through * values.ref[tail]!, tail);
    }
  }
}

function isOpen({ pairs }: Graph, pair: number, allowed: Demand["allowed"]): boolean {
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) if (allowed(data[k]!)) return true;
  return false;
}

/**
 * Sends an order piece by piece over the whole graph, each along the path on which it keeps most value, however long: a
 * token's label is final once no other is worth more (Dijkstra's order). Finds long profitable paths where prices
 * contradict each other.
 *
 * Needs `valueTokens` for the same demand.
 *
 * @returns flows by edge, possibly with cycles; [] if a piece finds no path or the deadline passes before all are
 *   sent
 */
export function sendByValue(
  graph: Graph,
  memory: ValueMemory,
  demand: Demand,
  options: ValuePieces,
): readonly Flow[] {
  const { sent, used, pools } = memory;
  for (const edge of used) sent[edge] = 0;
  used.length = 0;
  pools.clear();
  for (const { edge, amount } of options.after ?? []) {
    used.push(edge);
    sent[edge] = amount;
    pools.add(graph.owner[edge]!);
  }
  for (const piece of piecesOf(demand.amount, options)) {
    if ((used.length > 0 && demand.late()) || !sendPiece(graph, memory, demand, { ...options, piece }))
      return [];
  }
  const entering = new Map<number, number>();
  for (const edge of used)
    entering.set(graph.tail[edge]!, (entering.get(graph.tail[edge]!) ?? 0) + sent[edge]!);
  return used
    .filter((edge) => sent[edge]! >= DUST * entering.get(graph.tail[edge]!)!)
    .map((edge) => ({ edge, amount: sent[edge]! }));
}

/** Sends one piece. @returns whether it finds a path before the deadline */
function sendPiece(
  graph: Graph,
  memory: ValueMemory,
  demand: Demand,
  piece: ValuePieces & { readonly piece: number },
): boolean {
  const { from, to } = demand;
  const { worth, done, amount, gas, fresh, heap } = memory;
  const gate = gateOf(graph.pairs, to);
  worth.fill(Number.NEGATIVE_INFINITY);
  done.fill(0);
  heap.size = 0;
  amount[from] = piece.piece;
  worth[from] = gas[from] = fresh[from] = 0;
  const leaving = { ...piece, demand, node: from };
  let node = from;
  for (let seen = 0; node !== NONE && node !== to; node = popHeap(heap)) {
    if (done[node] === 1) continue;
    done[node] = 1;
    if (++seen % BETWEEN_CLOCKS === 0 && demand.late()) return false;
    leaving.node = node;
    leave(graph, memory, leaving, gate);
  }
  if (node === to) take(graph, memory, demand);
  return node === to;
}

type Leaving = ValuePieces & {
  readonly node: number;
  readonly demand: Demand;
};

/** Labels the neighbours of a token whose label is final. */
function leave(graph: Graph, memory: ValueMemory, leaving: Leaving, gate: number): void {
  const { onward, spot } = graph.pairs;
  const { value, done, worth, gas } = memory;
  const { node, demand } = leaving;
  const end = onward.start[node]! + onward.length[node]!;
  const sold = memory.amount[node]! * graph.values.ref[node]! * PRICE_ROUNDING;
  for (let k = onward.start[node]!; k < end; k += 2) {
    const far = onward.data[k + 1]!;
    // The best pool of the pair pays no more than at its spot price.
    if (!(sold * spot[onward.data[k]!]! * value[far]! - gas[node]! > worth[far]!)) continue;
    if (done[far] === 0 && value[far]! > 0) tryPair(graph, memory, onward.data[k]!, leaving);
  }
  if (node === gate) tryPair(graph, memory, pairInto(graph.pairs, demand.to), leaving);
}

/** Relaxes the edges of a pair: labels its head by each that makes the piece worth more there. */
function tryPair(graph: Graph, memory: ValueMemory, pair: number, leaving: Leaving): void {
  const { edges, tail } = graph.pairs;
  const { worth, amount, gas, by, fresh, sent, value, heap } = memory;
  const { node, perGas } = leaving;
  const far = tail[pair ^ 1]!;
  const unit = value[far]! * graph.values.ref[far]!;
  const last = edges.start[pair]! + edges.length[pair]!;
  for (let k = edges.start[pair]!; k < last; k++) {
    const edge = edges.data[k]!;
    const opens = sent[edge] === 0;
    const spent = gas[node]! + (opens ? graph.gas[edge]! * perGas : 0);
    if (!(mostFor(graph.curves, edge, amount[node]!) * unit - spent > worth[far]!)) continue;
    const out = moreFor(graph.curves, edge, sent[edge]!, amount[node]!);
    if (!(out >= 1) || !(out * unit - spent > worth[far]!)) continue;
    if (opens && !mayOpen(graph, memory, edge, leaving)) continue;
    worth[far] = out * unit - spent;
    amount[far] = out;
    gas[far] = spent;
    by[far] = edge;
    fresh[far] = fresh[node]! + Number(opens);
    pushHeap(heap, worth[far]!, far);
  }
}

function mayOpen(
  { owner }: Graph,
  { used, fresh, pools }: ValueMemory,
  edge: number,
  { node, legs, demand }: Leaving,
): boolean {
  const isFree = !pools.has(owner[edge]!) && demand.allowed(edge);
  return isFree && used.length + fresh[node]! + 1 <= legs;
}

/** Sends the piece along the path that was found. */
function take(graph: Graph, { by, sent, used, amount, pools }: ValueMemory, { from, to }: Demand): void {
  for (let at = to; at !== from; at = graph.tail[by[at]!]!) {
    const edge = by[at]!;
    if (sent[edge] === 0) used.push(edge);
    sent[edge]! += amount[graph.tail[edge]!]!;
    pools.add(graph.owner[edge]!);
  }
}
