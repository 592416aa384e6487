import { emptyHeap, type Heap, popHeap, pushHeap } from "../../../math/heap.ts";
import type { Problem } from "../../convex/problem.ts";
import { moreFor, mostFor, slopeAt } from "../../curves/segments.ts";
import { sendMore } from "../equal-pieces.ts";
import { removalsOf } from "../exchanges.ts";
import { shrunk } from "../moves.ts";
import { betterSupport, type LegChoice, type Support, solveSupport } from "../support.ts";
import { DIVISIONS, extendedByPieces, piecesOf, VALUED_AT, WHOLE } from "./pieces.ts";

/**
 * Supports that collect arbitrage: with profitable cycles the best paths are long, and prices alone do not rank them.
 *
 * In: a problem with the edges that gain. Out: its optimal flows without their least useful edges, the supports that pieces of the
 * order use, and the best support extended by further pieces. Each piece takes the path on which it keeps most value, however
 * long, after those before it. A label is final once no other is worth more (Dijkstra's order), so every path is simple although
 * cycles are profitable. A token's value is the best product of marginal prices to the token bought, after a trade of some size.
 * O(pieces · edges · log tokens).
 */

/** Divisions of the order, as shares. */
const SENT = [WHOLE, ...DIVISIONS].map((division) => piecesOf(1, division));
/** The supports that collect arbitrage. @param others other supports, of which the best may be extended */
export function gainingWays(choice: LegChoice, others: readonly Support[]): Support[] {
  const found = thinned(choice, solveSupport(choice, choice.optimum));
  const net = networkOf(choice);
  const valued: Float64Array[] = [];
  for (const size of VALUED_AT) {
    if (choice.late()) break;
    const values = valuesAt(choice, net, size * choice.workspace.problem.supply);
    valued.push(values);
    for (const pieces of SENT) {
      const edges = send(choice, net, { values, pieces, isFree: false, after: undefined });
      if (edges.length > 0) found.push(solveSupport(choice, edges));
    }
  }
  const best = [...others, ...found].reduce<Support | undefined>(betterSupport, undefined);
  if (best === undefined) return found;
  return [
    ...found,
    extendedByPieces(best, choice.late, (from, share) => extended({ choice, net, valued }, from, share)),
  ];
}
/** Share of the edges over the cap, or of those that earn less than they cost, that one step removes. */
const AT_ONCE = 0.5;

/**
 * Eliminates edges that are over the cap or earn less than they cost, with those that depend on them, half at a time.
 * @returns each step
 */
function thinned(choice: LegChoice, start: Support): Support[] {
  const supports: Support[] = [];
  for (let from = start; from.edges.length > 1 && !choice.late(); ) {
    supports.push(from);
    const next = solveSupport(choice, lessLosing(choice, from), from);
    if (next.edges.length === 0 || next.edges.length >= from.edges.length) break;
    from = next;
  }
  return supports;
}

/** The edges of a support without half of those over the cap or those that lose. */
function lessLosing(choice: LegChoice, from: Support): readonly number[] {
  const over = Math.max(0, from.legs - choice.cap);
  const removals = removalsOf(choice, from, over);
  const losing = new Set(removals.filter(({ loss }) => loss < 0).flatMap(({ edges }) => edges));
  const wanted = Math.ceil(Math.max(over, losing.size) * AT_ONCE);
  const gone = new Set<number>();
  for (const { edges } of removals) if (gone.size < wanted) for (const e of edges) gone.add(e);
  return from.edges.filter((e) => !gone.has(e));
}

type Extending = {
  readonly choice: LegChoice;
  readonly net: Network;
  /** Values of tokens, for each trade size. */
  readonly valued: readonly Float64Array[];
};

/**
 * A support with the path of one more piece, if that nets more. Gas counts against the gain of the whole order, not of
 * the piece.
 */
function extended({ choice, net, valued }: Extending, from: Support, share: number): Support {
  const { graph, workspace, hops } = choice;
  const { problem } = workspace;
  const amount = (share * problem.supply) / problem.ref[problem.source]!;
  const after = from.edges.map((e, k) => [e, from.flows[k]!.amount] as const);
  const ways = valued.map((values) =>
    send(choice, net, { values, pieces: [share], isFree: true, after: from }),
  );
  ways.push(sendMore(problem, graph, { amount, hops, after }));
  let best = from;
  for (const edges of ways) {
    if (edges.length > 0) best = betterSupport(best, shrunk(choice, solveSupport(choice, edges, from)))!;
  }
  return best;
}

/** By node of the problem, the edges that leave it and that enter it. */
type Network = { readonly out: readonly number[][]; readonly into: readonly number[][] };

function networkOf({ workspace: { problem } }: LegChoice): Network {
  const { nodes, edges, tail, head } = problem;
  const lists = () => Array.from({ length: nodes }, (): number[] => []);
  const out = lists();
  const into = lists();
  for (let e = 0; e < edges; e++) {
    out[tail[e]!]!.push(e);
    into[head[e]!]!.push(e);
  }
  return { out, into };
}

const NONE = -1;

/** Value of each token in the token bought by the best simple path, at marginal prices after a trade of the value `size`. */
function valuesAt({ graph, workspace }: LegChoice, { into }: Network, size: number): Float64Array {
  const { nodes, sink, tail, ref, edge } = workspace.problem;
  const value = new Float64Array(nodes);
  const done = new Uint8Array(nodes);
  const heap = emptyHeap();
  value[sink] = 1;
  for (let n = sink; n !== NONE; n = popHeap(heap)) {
    if (done[n] === 1) continue;
    done[n] = 1;
    for (const e of into[n]!) {
      const u = tail[e]!;
      const sellPrice = (slopeAt(graph.curves, edge[e]!, size / ref[u]!) * value[n]! * ref[n]!) / ref[u]!;
      if (done[u] === 1 || !(sellPrice > value[u]!)) continue;
      value[u] = sellPrice;
      pushHeap(heap, sellPrice, u);
    }
  }
  return value;
}

type Sending = {
  readonly values: Float64Array;
  /** Sizes of the pieces, as shares of the order. */
  readonly pieces: readonly number[];
  /** Whether legs are free and unlimited. */
  readonly isFree: boolean;
  /** What was sent before. */
  readonly after: Support | undefined;
};

/** The flows so far, and the labels of the present piece. */
type Sent = Sending & {
  readonly choice: LegChoice;
  /** By edge of the problem, the amount sold, in smallest units. */
  readonly sold: Float64Array;
  readonly used: Set<number>;
  /** Pools that are crossed. */
  readonly pools: Set<number>;
  /** By pair of nodes, whether edges in use lead from the first to the second. */
  readonly leads: Uint8Array;
  /** By node: units that arrive, their value less the costs so far, those costs, the number of new legs, and the edge they arrive by. */
  readonly arriving: Float64Array;
  readonly worth: Float64Array;
  readonly spent: Float64Array;
  readonly opened: Uint16Array;
  readonly by: Int32Array;
  /** Nodes whose label is final, and the queue of the others. */
  readonly done: Uint8Array;
  readonly heap: Heap;
};

/** Sends all pieces in order. @returns the edges of the problem in use; [] if a piece finds no path */
function send(choice: LegChoice, net: Network, sending: Sending): readonly number[] {
  const { problem } = choice.workspace;
  const { nodes, edges } = problem;
  const numbers = () => new Float64Array(nodes);
  const sent: Sent = {
    ...{ ...sending, choice, sold: new Float64Array(edges), used: new Set(), pools: new Set() },
    ...{ leads: new Uint8Array(nodes ** 2), arriving: numbers(), worth: numbers(), spent: numbers() },
    ...{
      opened: new Uint16Array(nodes),
      by: new Int32Array(nodes),
      done: new Uint8Array(nodes),
      heap: emptyHeap(),
    },
  };
  for (const [k, e] of (sending.after?.edges ?? []).entries()) use(sent, e, sending.after!.flows[k]!.amount);
  const whole = problem.supply / problem.ref[problem.source]!;
  return sending.pieces.every((share) => sendPiece(net, sent, share * whole)) ? [...sent.used] : [];
}

/** Sends one piece. @returns whether it finds a path */
function sendPiece({ out }: Network, sent: Sent, amount: number): boolean {
  const { arriving, worth, spent, opened, by, values, done, heap } = sent;
  const { source, sink, tail, head } = sent.choice.workspace.problem;
  done.fill(0);
  heap.size = 0;
  worth.fill(Number.NEGATIVE_INFINITY);
  by[source] = NONE;
  arriving[source] = amount;
  worth[source] = spent[source] = opened[source] = 0;
  let n = source;
  for (; n !== NONE && n !== sink; n = popHeap(heap)) {
    if (done[n] === 1) continue;
    done[n] = 1;
    for (const e of out[n]!) {
      const v = head[e]!;
      if (done[v] === 0 && values[v]! > 0 && relax(sent, e)) pushHeap(heap, worth[v]!, v);
    }
  }
  // The amounts along the path are read before any of its edges takes more.
  for (let at = sink; n === sink && at !== source; at = tail[by[at]!]!)
    use(sent, by[at]!, arriving[tail[by[at]!]!]!);
  return n === sink;
}

/** Relaxes an edge: labels its head if the piece is worth more there. @returns whether it is */
function relax(sent: Sent, e: number): boolean {
  const { values, isFree, sold, arriving, worth, spent, opened, by } = sent;
  const { graph, workspace, cost } = sent.choice;
  const { tail, head, ref, edge } = workspace.problem;
  const u = tail[e]!;
  const v = head[e]!;
  const opens = sold[e] === 0;
  const unit = values[v]! * ref[v]!;
  const toll = spent[u]! + (opens && !isFree ? cost[e]! : 0);
  if (!(mostFor(graph.curves, edge[e]!, arriving[u]!) * unit - toll > worth[v]!)) return false;
  const paid = moreFor(graph.curves, edge[e]!, sold[e]!, arriving[u]!);
  const left = paid * unit - toll;
  if (!(paid >= 1) || !(left > worth[v]!) || (opens && !mayOpen(sent, e))) return false;
  worth[v] = left;
  arriving[v] = paid;
  spent[v] = toll;
  opened[v] = opened[u]! + Number(opens);
  by[v] = e;
  return true;
}

/** Whether a path may continue by an edge that is not in use: its pool is free, the cap holds, and it closes no cycle of flows. */
function mayOpen({ choice, isFree, used, pools, opened, leads, by }: Sent, e: number): boolean {
  const { nodes, tail, head, edge } = choice.workspace.problem;
  if (pools.has(choice.graph.owner[edge[e]!]!)) return false;
  if (!isFree && used.size + opened[tail[e]!]! + 1 > choice.cap) return false;
  for (let at = tail[e]!; ; at = tail[by[at]!]!) {
    if (leads[head[e]! * nodes + at] === 1) return false;
    if (by[at] === NONE) return true;
  }
}

/** Adds to the flow of an edge. */
function use({ choice, sold, used, pools, leads }: Sent, e: number, amount: number): void {
  const { problem } = choice.workspace;
  if (sold[e] === 0) connect(problem, leads, e);
  sold[e]! += amount;
  used.add(e);
  pools.add(choice.graph.owner[problem.edge[e]!]!);
}

/** Updates `leads` for an edge that comes into use. */
function connect({ nodes, tail, head }: Problem, leads: Uint8Array, e: number): void {
  const u = tail[e]!;
  const v = head[e]!;
  if (leads[u * nodes + v] === 1) return;
  for (let i = 0; i < nodes; i++) {
    if (i !== u && leads[i * nodes + u] === 0) continue;
    leads[i * nodes + v] = 1;
    for (let j = 0; j < nodes; j++) if (leads[v * nodes + j] === 1) leads[i * nodes + j] = 1;
  }
}
