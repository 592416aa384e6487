import type { Demand } from "../../convex/problem.ts";
import { moreFor, mostFor, PRICE_ROUNDING } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { gateOf, pairInto } from "../../market-graph/pair-index.ts";
import type { Flow } from "../../settlement/layout.ts";
import { forgetFlows, forgetLabels, joinAll, label, type PieceMemory } from "./piece-memory.ts";
import { type Division, piecesOf } from "./pieces.ts";

export type Pieces = Division & {
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
  forgetFlows(memory);
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

/** Row entries read between two readings of the clock; a pair has two. */
const BETWEEN_CLOCKS = 8192;

type Step = Pieces & { readonly piece: number };

/** Labels the nodes hop by hop. @returns the length of the best path; 0 = none */
function bestPath(graph: Graph, memory: PieceMemory, demand: Demand, step: Step): number {
  const { from, to, allowed, late } = demand;
  const nodes = graph.tokens.length;
  const { amount } = memory;
  forgetLabels(memory);
  label(memory, from, step.piece);
  memory.frontier[0] = from;
  let waiting = 1;
  let best = 0;
  for (let hop = 1; hop <= step.hops && waiting > 0 && !late(); hop++) {
    const open = memory.crossedBy.size + hop <= step.legs;
    const place = { nodes, hop, from, to, allowed, late, open, perGas: step.perGas };
    waiting = passOn(graph, memory, place, waiting);
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
  readonly perGas: number;
};

/** Relaxes the edges that leave the frontier, until the deadline. @returns the number of nodes labelled at this hop */
function passOn(graph: Graph, memory: PieceMemory, place: Place, waiting: number): number {
  const { frontier, following } = memory;
  const { length } = graph.pairs.onward;
  memory.found = 0;
  let rowsRead = 0;
  for (let q = 0; q < waiting; q++) {
    rowsRead += length[frontier[q]!]!;
    if (rowsRead > BETWEEN_CLOCKS && place.late()) break;
    if (rowsRead > BETWEEN_CLOCKS) rowsRead = 0;
    leave(graph, memory, place, frontier[q]!);
  }
  passInto(graph, memory, place);
  memory.frontier = following;
  memory.following = frontier;
  return memory.found;
}

/** Relaxes the edges that leave a node. */
function leave(graph: Graph, memory: PieceMemory, place: Place, node: number): void {
  const { start, length, data } = graph.pairs.onward;
  const { spot } = graph.pairs;
  const { amount, following, most } = memory;
  const { nodes, hop, from, to } = place;
  const value = amount[(hop - 1) * nodes + node]! * graph.values.ref[node]! * PRICE_ROUNDING;
  for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
    const head = data[k + 1]!;
    // The best pool of the pair pays no more than at its spot price.
    if (!(value * spot[data[k]!]! > most[head]!)) continue;
    const isNew = amount[hop * nodes + head] === 0 && head !== to;
    if (head === from || !relax(graph, memory, place, data[k]!)) continue;
    if (isNew) following[memory.found++] = head;
  }
}

/** Relaxes the edges into the token bought if that has one neighbour only. */
function passInto(graph: Graph, memory: PieceMemory, place: Place): void {
  const node = gateOf(graph.pairs, place.to);
  const isLabelled = node >= 0 && memory.amount[(place.hop - 1) * place.nodes + node]! > 0;
  if (isLabelled) relax(graph, memory, place, pairInto(graph.pairs, place.to));
}

/** Relaxes the edges of a pair whose tail is labelled at the hop before. @returns whether the label of its head improved */
function relax(graph: Graph, memory: PieceMemory, place: Place, pair: number): boolean {
  const { amount, by, most } = memory;
  const { tail, edges } = graph.pairs;
  const arriving = amount[(place.hop - 1) * place.nodes + tail[pair]!]!;
  const head = tail[pair ^ 1]!;
  const unit = graph.values.ref[head]!;
  const at = place.hop * place.nodes + head;
  let better = false;
  for (let k = edges.start[pair]!; k < edges.start[pair]! + edges.length[pair]!; k++) {
    const edge = edges.data[k]!;
    if (!(mostFor(graph.curves, edge, arriving) * unit > most[head]!)) break;
    const out = moreOf(graph, memory, edge, arriving) - tollOf(graph, memory, place, edge);
    if (!(out * unit > most[head]!) || !passes(graph, memory, place, edge)) continue;
    most[head] = out * unit;
    label(memory, at, out);
    by[at] = edge;
    better = true;
  }
  return better;
}

/** What another `arriving` units pay, in smallest units; 0 if the pool is not yet crossed and pays less than one unit. */
function moreOf({ curves }: Graph, { sent }: PieceMemory, edge: number, arriving: number): number {
  const out = moreFor(curves, edge, sent[edge]!, arriving);
  return sent[edge]! > 0 || out >= 1 ? out : 0;
}

/** The gas of a pool that is not yet crossed, in smallest units of the token bought. */
function tollOf(
  { gas, head, values }: Graph,
  { sent }: PieceMemory,
  { perGas }: Place,
  edge: number,
): number {
  return perGas > 0 && sent[edge] === 0 ? (gas[edge]! * perGas) / values.ref[head[edge]!]! : 0;
}

/** Whether the path with `edge` crosses each pool by one pair, passes no token twice, and closes no cycle of flows. */
function passes(graph: Graph, memory: PieceMemory, place: Place, edge: number): boolean {
  const crossing = memory.crossedBy.get(graph.owner[edge]!);
  if (crossing === undefined ? !place.open : crossing !== edge) return false;
  if (memory.sent[edge] === 0 && !place.allowed(edge)) return false;
  return isSimple(graph, memory, place, edge);
}

function isSimple(
  { owner, tail, head }: Graph,
  { by, ahead }: PieceMemory,
  { nodes, hop }: Place,
  edge: number,
): boolean {
  const end = head[edge]!;
  const reached = ahead.get(end);
  let at = tail[edge]!;
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
