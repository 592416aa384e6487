import type { Demand } from "../../convex/problem.ts";
import { moreFor, mostFor, PRICE_ROUNDING } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { gateOf, pairInto } from "../../market-graph/pair-index.ts";
import type { Flow } from "../../settlement/layout.ts";

/**
 * Working memory of `sendPieces`, allocated once for an order. Labels by hop and node: the most that arrives, less the
 * gas of pools that the path opens, and the edge it arrives by.
 */
export type PieceMemory = {
  readonly amount: Float64Array;
  readonly by: Int32Array;
  /** Nodes labelled at the hop before, and at this hop. */
  frontier: Int32Array;
  following: Int32Array;
  /** The most that arrives at each node by any number of hops so far. */
  readonly most: Float64Array;
  /** Units sent through each edge, and the edges in use. */
  readonly sent: Float64Array;
  readonly used: number[];
  /** By pool, the edge that crosses it: a pool serves one pair at a time. */
  readonly crossedBy: Map<number, number>;
  /** By node, the nodes that its flow reaches; keeps flows free of cycles. */
  readonly ahead: Map<number, Set<number>>;
};

/** @param hops of the longest path */
export function emptyPieceMemory({ tokens, edges }: Graph, hops: number): PieceMemory {
  const nodes = tokens.length;
  return {
    amount: new Float64Array((hops + 1) * nodes),
    by: new Int32Array((hops + 1) * nodes),
    frontier: new Int32Array(nodes),
    following: new Int32Array(nodes),
    most: new Float64Array(nodes),
    sent: new Float64Array(edges),
    used: [],
    crossedBy: new Map(),
    ahead: new Map(),
  };
}

export type Pieces = {
  /** Number of pieces of the order: equal, or if `falling` each half of the one before and the last two equal. */
  readonly pieces: number;
  readonly falling?: boolean;
  readonly hops: number;
  readonly legs: number;
  /** Value of one unit of gas; 0 if gas is free. */
  readonly perGas: number;
  /** Flows that were sent before, after which pools pay less; none by default. */
  readonly after?: readonly Flow[];
};

/**
 * Sends an order piece by piece over the whole graph, each along the path that pays most after those before it, by real
 * outputs and without cycles. It needs no consistent prices, so it works in markets full of arbitrage where the convex
 * search does not converge.
 *
 * @param demand after its deadline no further piece begins, and the pieces sent are scaled up to the whole amount
 * @returns flows by edge; [] if no path joins the ends
 */
export function sendPieces(
  graph: Graph,
  memory: PieceMemory,
  demand: Demand,
  options: Pieces,
): readonly Flow[] {
  for (const edge of memory.used) memory.sent[edge] = 0;
  memory.used.length = 0;
  memory.crossedBy.clear();
  memory.ahead.clear();
  sendBefore(graph, memory, options.after ?? []);
  let gone = 0;
  for (const piece of piecesOf(demand.amount, options)) {
    const stuck = gone > 0 && demand.late();
    const length = stuck ? 0 : bestPath(graph, memory, demand, { ...options, piece });
    if (length === 0) break;
    send(graph, memory, demand, length);
    gone += piece;
  }
  const scale = demand.amount / gone;
  return gone === 0 ? [] : memory.used.map((edge) => ({ edge, amount: memory.sent[edge]! * scale }));
}

function sendBefore(graph: Graph, memory: PieceMemory, flows: readonly Flow[]): void {
  for (const { edge, amount } of flows) {
    memory.used.push(edge);
    memory.sent[edge] = amount;
    memory.crossedBy.set(graph.owner[edge]!, edge);
  }
  joinAll(graph, memory);
}

/** The pieces of an amount. */
export function piecesOf(
  amount: number,
  { pieces, falling = false }: Pick<Pieces, "pieces" | "falling">,
): number[] {
  return Array.from({ length: pieces }, (_, k) =>
    falling ? amount / 2 ** Math.min(k + 1, pieces - 1) : amount / pieces,
  );
}

/** Row entries read between two readings of the clock; a pair has two. */
const BETWEEN_CLOCKS = 8192;

type Step = Pieces & { readonly piece: number };

/** Labels the nodes hop by hop. @returns the length of the best path; 0 = none */
function bestPath(graph: Graph, memory: PieceMemory, demand: Demand, step: Step): number {
  const { from, to, allowed, late } = demand;
  const nodes = graph.tokens.length;
  memory.most.fill(0);
  const { amount } = memory;
  amount.fill(0, 0, (step.hops + 1) * nodes);
  amount[from] = step.piece;
  memory.frontier[0] = from;
  let waiting = 1;
  let best = 0;
  for (let hop = 1; hop <= step.hops && waiting > 0 && !late(); hop++) {
    const place = { nodes, hop, from, to, allowed, late, open: memory.crossedBy.size + hop <= step.legs };
    waiting = passOn(graph, memory, place, { waiting, perGas: step.perGas });
    const arrived = amount[hop * nodes + to]!;
    if (arrived > (best === 0 ? 0 : amount[best * nodes + to]!)) best = hop;
  }
  return best;
}

type Place = Pick<Demand, "from" | "to" | "allowed" | "late"> & {
  readonly nodes: number;
  readonly hop: number;
  /** Whether edges of further pools may come into use at this hop. */
  readonly open: boolean;
};

/** Relaxes the edges that leave the frontier, until the deadline. @returns the number of nodes labelled at this hop */
function passOn(
  graph: Graph,
  memory: PieceMemory,
  place: Place,
  { waiting, perGas }: { readonly waiting: number; readonly perGas: number },
): number {
  const { frontier, following } = memory;
  const { length } = graph.pairs.onward;
  let found = 0;
  let rowsRead = 0;
  for (let q = 0; q < waiting; q++) {
    const node = frontier[q]!;
    rowsRead += length[node]!;
    if (rowsRead > BETWEEN_CLOCKS && place.late()) break;
    if (rowsRead > BETWEEN_CLOCKS) rowsRead = 0;
    found = leave(graph, memory, place, { node, found, perGas });
  }
  passInto(graph, memory, place, perGas);
  memory.frontier = following;
  memory.following = frontier;
  return found;
}

/** Relaxes the edges that leave a node. @returns the number of nodes labelled at this hop, `found` of them before */
function leave(
  graph: Graph,
  memory: PieceMemory,
  place: Place,
  { node, found, perGas }: { readonly node: number; readonly found: number; readonly perGas: number },
): number {
  const { start, length, data } = graph.pairs.onward;
  const { spot } = graph.pairs;
  const { ref } = graph.values;
  const { amount, following, most } = memory;
  const { nodes, hop, from, to } = place;
  const arriving = amount[(hop - 1) * nodes + node]!;
  const value = arriving * ref[node]! * PRICE_ROUNDING;
  let labelled = found;
  for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
    const head = data[k + 1]!;
    // The best pool of the pair pays no more than at its spot price.
    if (!(value * spot[data[k]!]! > most[head]! * ref[head]!)) continue;
    const isNew = amount[hop * nodes + head] === 0 && head !== to;
    if (head === from || !relax(graph, memory, place, { node, pair: data[k]!, arriving, perGas })) continue;
    if (isNew) following[labelled++] = head;
  }
  return labelled;
}

/** Relaxes the edges into the token bought if that has one neighbour only. */
function passInto(graph: Graph, memory: PieceMemory, place: Place, perGas: number): void {
  const node = gateOf(graph.pairs, place.to);
  const arriving = node < 0 ? 0 : memory.amount[(place.hop - 1) * place.nodes + node]!;
  if (arriving > 0)
    relax(graph, memory, place, { node, pair: pairInto(graph.pairs, place.to), arriving, perGas });
}

/** A pair that leaves a node, and the amount that arrives there. */
type Crossing = {
  readonly node: number;
  readonly pair: number;
  readonly arriving: number;
  readonly perGas: number;
};

/** Relaxes the edges of a pair. @returns whether the label of its head improved */
function relax(graph: Graph, memory: PieceMemory, place: Place, crossing: Crossing): boolean {
  const { amount, by, most } = memory;
  const { start, length, data } = graph.pairs.edges;
  const { node, pair, arriving, perGas } = crossing;
  const head = graph.pairs.tail[pair ^ 1]!;
  const at = place.hop * place.nodes + head;
  let better = false;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (!(mostFor(graph.curves, edge, arriving) > most[head]!)) break;
    const out = gained(graph, memory, { edge, arriving, perGas });
    if (!(out > most[head]!) || !passes(graph, memory, place, { node, edge })) continue;
    most[head] = amount[at] = out;
    by[at] = edge;
    better = true;
  }
  return better;
}

/**
 * What another `arriving` units pay, in smallest units, less gas if the pool is not yet crossed; 0 if such a pool pays
 * less than one unit.
 */
function gained(
  { curves, gas, head, values }: Graph,
  { sent }: PieceMemory,
  { edge, arriving, perGas }: { readonly edge: number; readonly arriving: number; readonly perGas: number },
): number {
  const out = moreFor(curves, edge, sent[edge]!, arriving);
  if (sent[edge]! > 0) return out;
  if (!(out >= 1)) return 0;
  return perGas > 0 ? out - (gas[edge]! * perGas) / values.ref[head[edge]!]! : out;
}

/** Whether the path with `edge` crosses each pool by one pair, passes no token twice, and closes no cycle of flows. */
function passes(
  graph: Graph,
  memory: PieceMemory,
  place: Place,
  { node, edge }: { readonly node: number; readonly edge: number },
): boolean {
  const crossing = memory.crossedBy.get(graph.owner[edge]!);
  if (crossing === undefined ? !place.open : crossing !== edge) return false;
  if (memory.sent[edge] === 0 && !place.allowed(edge)) return false;
  return isSimple(graph, memory, place, { node, edge });
}

function isSimple(
  { owner, tail, head }: Graph,
  { by, ahead }: PieceMemory,
  { nodes, hop }: Place,
  { node, edge }: { readonly node: number; readonly edge: number },
): boolean {
  const end = head[edge]!;
  const reached = ahead.get(end);
  let at = node;
  for (let h = hop - 1; h > 0; h--) {
    const last = by[h * nodes + at]!;
    if (at === end || reached?.has(at) || owner[last] === owner[edge]) return false;
    at = tail[last]!;
  }
  return at !== end && !reached?.has(at);
}

function send(graph: Graph, memory: PieceMemory, { to }: Demand, length: number): void {
  const { by, amount, sent, used, crossedBy } = memory;
  const nodes = graph.tokens.length;
  let node = to;
  for (let hop = length; hop > 0; hop--) {
    const edge = by[hop * nodes + node]!;
    node = graph.tail[edge]!;
    if (sent[edge] === 0) used.push(edge);
    sent[edge]! += amount[(hop - 1) * nodes + node]!;
    crossedBy.set(graph.owner[edge]!, edge);
  }
  joinAll(graph, memory);
}

/** Completes `ahead`: adds to every node what its successors reach. */
function joinAll(graph: Graph, { used, ahead }: PieceMemory): void {
  for (let moved = true; moved; ) {
    moved = false;
    for (const edge of used) moved = joinAhead(ahead, graph.tail[edge]!, graph.head[edge]!) || moved;
  }
}

function joinAhead(ahead: Map<number, Set<number>>, tail: number, head: number): boolean {
  const own = ahead.get(tail) ?? new Set<number>();
  const size = own.size;
  own.add(head);
  for (const node of ahead.get(head) ?? []) own.add(node);
  ahead.set(tail, own);
  return own.size > size;
}
