import { emptyHeap, type Heap, popHeap, pushHeap } from "../../../math/heap.ts";
import type { Problem } from "../../convex/problem.ts";
import { moreFor, mostFor, slopeAt } from "../../curves/segments.ts";
import { sendMore } from "../equal-pieces.ts";
import { removalsOf } from "../exchanges.ts";
import { shrunk } from "../moves.ts";
import { betterSupport, type LegChoice, type Support, solveSupport } from "../support.ts";

/**
 * Supports that take arbitrage along: where circles pay, the best ways are long, and prices alone do not rank them.
 *
 * In: a problem that holds the edges which gain. Out: what is left of the best flows over all of it, supports that pieces of the order
 * use, and the best of all supports with the ways of further pieces. Each piece takes the way on which it stays worth most, however
 * long, after those before it. A label is final once no other is worth more (Dijkstra's order), so every way is simple although
 * circles pay. A token is worth the best product of marginal prices on to the token bought, after a trade of some size.
 * O(pieces · edges · log tokens).
 */

/** Sizes of the trades after which tokens are valued, as shares of the order; 0 = before any. */
const VALUED_AT = [0, 1, 0.01];
/** Pieces as shares of the order: all of it, in halves, and alike. */
const HALVES = 8;
const ALIKE = 16;
const SENT = [
  [1],
  Array.from({ length: HALVES }, (_, k) => 1 / 2 ** Math.min(k + 1, HALVES - 1)),
  Array.from({ length: ALIKE }, () => 1 / ALIKE),
];
/** Pieces that extend a support, the largest first, and how often one may at most. */
const EXTENDING = [1 / 8, 1 / 32, 1 / 128];
const MOST_EXTENDED = 16;
/** Share of what a support nets that an extension has to bring. */
const BETTER = 1e-6;
/** Share of the edges that are too many which go at once. */
const AT_ONCE = 0.5;

/** @param others supports that are known, of which the best may be extended */
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
  return best === undefined ? found : [...found, extend({ choice, net, valued }, best)];
}

/** What is left of a support when edges that earn less than they cost go with those that depend on them, half at a time. */
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

/** The edges of a support without half of those that are over the cap or lose. */
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
  /** What tokens are worth, for each size. */
  readonly valued: readonly Float64Array[];
};

/** Adds the ways of ever smaller pieces that are sent after a support while it nets more. */
function extend(extending: Extending, start: Support): Support {
  let best = start;
  let left = MOST_EXTENDED;
  for (const share of EXTENDING) {
    for (; left > 0 && !extending.choice.late(); left--) {
      const next = extended(extending, best, share);
      if (!(next.net > best.net + BETTER * Math.abs(best.net))) break;
      best = next;
    }
  }
  return best;
}

/** A support with the way of one more piece, where that nets more. Its gas is weighed by what the whole order gains, not the piece. */
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

/** The edges that leave and that enter each node of the problem. */
type Network = { readonly out: readonly number[][]; readonly into: readonly number[][] };

function networkOf({ workspace: { problem } }: LegChoice): Network {
  const { nodes, edges, tail, head } = problem;
  const lists = () => Array.from({ length: nodes }, (): number[] => []);
  const [out, into] = [lists(), lists()];
  for (let e = 0; e < edges; e++) {
    out[tail[e]!]!.push(e);
    into[head[e]!]!.push(e);
  }
  return { out, into };
}

const NONE = -1;

/** What each token fetches in the token bought by the best simple way, at the prices after a trade of the value `size`. */
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
  /** Shares of the order. */
  readonly pieces: readonly number[];
  /** Whether legs cost nothing and their number is not limited. */
  readonly isFree: boolean;
  /** What was sent before. */
  readonly after: Support | undefined;
};

/** What is sent so far, and the labels of the piece on its way. */
type Sent = Sending & {
  readonly choice: LegChoice;
  /** By edge of the problem, smallest units. */
  readonly sold: Float64Array;
  readonly used: Set<number>;
  /** Pools that are crossed. */
  readonly pools: Set<number>;
  /** By two nodes, whether edges in use lead from the first to the second. */
  readonly leads: Uint8Array;
  /** By node: units that arrive, what they are worth less the cost so far, that cost, the legs that are new, and by which edge. */
  readonly arriving: Float64Array;
  readonly worth: Float64Array;
  readonly spent: Float64Array;
  readonly opened: Uint16Array;
  readonly by: Int32Array;
  /** Nodes whose label is final, and those whose is not. */
  readonly done: Uint8Array;
  readonly heap: Heap;
};

/** @returns the edges of the problem that are in use then; [] where a piece finds no way */
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

/** @returns whether the piece finds a way */
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
  // All amounts along the way are known before the first edge of it takes more.
  for (let at = sink; n === sink && at !== source; at = tail[by[at]!]!)
    use(sent, by[at]!, arriving[tail[by[at]!]!]!);
  return n === sink;
}

/** Labels the head of an edge where the piece is worth more there by the edge. @returns whether it is */
function relax(sent: Sent, e: number): boolean {
  const { values, isFree, sold, arriving, worth, spent, opened, by } = sent;
  const { graph, workspace, cost } = sent.choice;
  const { tail, head, ref, edge } = workspace.problem;
  const [u, v] = [tail[e]!, head[e]!];
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

/** Whether a way may go on by an edge that is not in use: its pool is free, the cap holds, and it closes no circle. */
function mayOpen({ choice, isFree, used, pools, opened, leads, by }: Sent, e: number): boolean {
  const { nodes, tail, head, edge } = choice.workspace.problem;
  if (pools.has(choice.graph.owner[edge[e]!]!)) return false;
  if (!isFree && used.size + opened[tail[e]!]! + 1 > choice.cap) return false;
  for (let at = tail[e]!; ; at = tail[by[at]!]!) {
    if (leads[head[e]! * nodes + at] === 1) return false;
    if (by[at] === NONE) return true;
  }
}

/** Lets an edge take more. */
function use({ choice, sold, used, pools, leads }: Sent, e: number, amount: number): void {
  const { problem } = choice.workspace;
  if (sold[e] === 0) connect(problem, leads, e);
  sold[e]! += amount;
  used.add(e);
  pools.add(choice.graph.owner[problem.edge[e]!]!);
}

/** Notes what leads where once an edge is in use. */
function connect({ nodes, tail, head }: Problem, leads: Uint8Array, e: number): void {
  const [u, v] = [tail[e]!, head[e]!];
  if (leads[u * nodes + v] === 1) return;
  for (let i = 0; i < nodes; i++) {
    if (i !== u && leads[i * nodes + u] === 0) continue;
    leads[i * nodes + v] = 1;
    for (let j = 0; j < nodes; j++) if (leads[v * nodes + j] === 1) leads[i * nodes + j] = 1;
  }
}
