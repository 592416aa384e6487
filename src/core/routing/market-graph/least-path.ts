import { emptyHeap, type Heap, popHeap, pushHeap } from "../../math/heap.ts";
import type { Graph } from "./graph.ts";
import { findPair } from "./pair-index.ts";

/**
 * The path between two tokens on which crossings lose least.
 *
 * In: by edge what a crossing loses, never less than nothing.
 * Out: a lower bound on the sum of losses along any path, and the best path found, whose loss it is if the search is complete.
 *
 * Dijkstra's method from both ends in turn, past tokens of one neighbour only, which no path goes on from. Where a token of
 * too many pairs comes next, the least labels that wait bound all paths not found: a path leaves the tokens visited from
 * one end over such a token. O(pairs visited · log).
 */

/** What crossings lose, in any one unit. */
export type Losses = {
  /** ≥ 0; Infinity where the edge may not be used. */
  readonly of: (edge: number) => number;
  /** A lower bound on the loss of an edge and of those after it in its pair, which have no better spot price. */
  readonly since?: (edge: number) => number;
  /** A lower bound on the loss of any crossing that trades the token of a node. */
  readonly leastAt: (node: number) => number;
};

export type LeastPath = {
  /** ≥ 0; 0 where the ends are one node, or where no path joins them. */
  readonly loss: number;
  /** The edges of the best path found, in its direction; [] where none was. */
  readonly edges: readonly number[];
};

/**
 * Cap on the number of pairs that are visited: a token of more is left to the bound on paths not found. Over 500 tokens
 * half as many lower bounds by a quarter to two fifths less, twice as many by at most a twelfth more (`npm run bench:routing`, 5 gwei).
 */
const MOST_PAIRS = 512;
/**
 * Cap on the number of parallel pools of a pair that are read, so that nobody can slow a search by creating pools: with more, the
 * least loss at the pair's first token stands for theirs.
 */
const MOST_PARALLEL = 256;

/**
 * The paths from the node `end` of one end: by node, the least loss found and the edge that it was found by. Nodes whose pairs were not
 * visited yet wait in the heap, by their negative loss. `flip` is 1 at the last token, to which paths lead.
 */
type Side = {
  readonly end: number;
  readonly flip: 0 | 1;
  readonly least: Map<number, number>;
  readonly by: Map<number, number>;
  readonly waiting: Heap;
};

/** A search: both sides, and the best path that joins them, by the edge at which they meet; -1 if there is none. */
type Search = {
  readonly graph: Graph;
  readonly losses: Losses;
  readonly sides: readonly [Side, Side];
  best: number;
  meeting: number;
  /** The edge of the loss that was computed last. */
  edge: number;
};

type Ends = { readonly from: number; readonly to: number };

export function leastPath(graph: Graph, { from, to }: Ends, losses: Losses, most = MOST_PAIRS): LeastPath {
  if (from === to) return { loss: 0, edges: [] };
  const sides = [sideAt(from, 0), sideAt(to, 1)] as const;
  const search: Search = { graph, losses, sides, best: Infinity, meeting: -1, edge: -1 };
  const loss = Math.min(joined(search, most), search.best);
  return { loss: loss < Infinity ? loss : 0, edges: pathOf(search) };
}

/** Visits nodes until the best path is found. @returns a lower bound on the loss of paths that were not found */
function joined(search: Search, most: number): number {
  const { graph, sides } = search;
  const { length } = graph.pairs.onward;
  for (let left = most; ; ) {
    const [one, other] = [nearest(sides[0]), nearest(sides[1])];
    if (lossAt(sides[0], one) + lossAt(sides[1], other) >= search.best) return Infinity;
    const k = length[one]! <= length[other]! ? 0 : 1;
    const node = k === 0 ? one : other;
    // A row holds each pair and its head.
    left -= length[node]! / 2;
    if (left < 0) return notFound(search, one, other);
    popHeap(sides[k].waiting);
    visit(search, node, k);
  }
}

function sideAt(end: number, flip: 0 | 1): Side {
  const waiting = emptyHeap();
  pushHeap(waiting, 0, end);
  return { end, flip, least: new Map([[end, 0]]), by: new Map(), waiting };
}

/** The node of the least label that waits; -1 where none does. */
function nearest({ least, waiting }: Side): number {
  // A node whose label was lowered stands in the heap several times.
  while (waiting.size > 0 && -waiting.keys[0]! > least.get(waiting.items[0]!)!) popHeap(waiting);
  return waiting.size > 0 ? waiting.items[0]! : -1;
}

function lossAt({ least }: Side, node: number): number {
  return least.get(node) ?? Infinity;
}

/** Labels the neighbours of a node of the side `k`. */
function visit(search: Search, node: number, k: 0 | 1): void {
  const { start, length, data } = search.graph.pairs.onward;
  const side = search.sides[k];
  const loss = lossAt(side, node);
  // An end of one neighbour is in no row.
  if (k === 0) meet(search, node, search.sides[1].end);
  else meet(search, search.sides[0].end, node);
  for (let row = start[node]!; row < start[node]! + length[node]!; row += 2) {
    const next = data[row + 1]!;
    const known = lossAt(side, next);
    if (known <= loss) continue;
    const reached = loss + leastLossOf(search, data[row]! ^ side.flip);
    if (!(reached < known && reached < search.best)) continue;
    side.least.set(next, reached);
    side.by.set(next, search.edge);
    pushHeap(side.waiting, -reached, next);
    joinAt(search, reached + lossAt(search.sides[1 - k]!, next));
  }
}

/** Joins the sides by the pair of two labelled nodes, if there is one. @returns the loss of the path over it */
function meet(search: Search, tail: number, head: number): number {
  const { graph, sides } = search;
  const pair = findPair(graph.pairs, tail, head);
  if (pair < 0) return Infinity;
  const loss = lossAt(sides[0], tail) + leastLossOf(search, pair) + lossAt(sides[1], head);
  joinAt(search, loss);
  return loss;
}

/** Notes the path over the edge of the last loss, if it loses less than all before it. */
function joinAt(search: Search, loss: number): void {
  if (!(loss < search.best)) return;
  search.best = loss;
  search.meeting = search.edge;
}

/** The least loss of a crossing of a pair in its direction; notes its edge. */
function leastLossOf(search: Search, pair: number): number {
  const { graph, losses } = search;
  const { start, length, data } = graph.pairs.edges;
  search.edge = -1;
  if (length[pair]! > MOST_PARALLEL) return losses.leastAt(graph.pairs.tail[pair]!);
  let least = Infinity;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (losses.since !== undefined && losses.since(edge) >= least) break;
    const loss = losses.of(edge);
    if (!(loss < least)) continue;
    least = loss;
    search.edge = edge;
  }
  return least;
}

/**
 * A lower bound on the loss of paths that were not found: such a path goes on from a node that waits on one side, and
 * comes to one that waits on the other, by two crossings at least or by their pair.
 */
function notFound(search: Search, one: number, other: number): number {
  const direct = meet(search, one, other);
  return Math.min(direct, beyond(search, 0, one) + beyond(search, 1, other));
}

/** A lower bound on a path's loss up to its first crossing beyond the nodes visited. @param node whose label is the least that waits */
function beyond({ sides, losses }: Search, k: 0 | 1, node: number): number {
  popHeap(sides[k].waiting);
  return Math.min(lossAt(sides[k], node) + losses.leastAt(node), lossAt(sides[k], nearest(sides[k])));
}

/** The edges of the best path: back from the edge of the meeting to one end, and on from it to the other. */
function pathOf({ graph: { tail, head }, sides: [near, far], meeting }: Search): number[] {
  if (meeting < 0) return [];
  const edges = [meeting];
  for (let node = tail[meeting]!; node !== near.end; node = tail[edges[0]!]!) {
    const edge = near.by.get(node);
    if (edge === undefined || edge < 0) return [];
    edges.unshift(edge);
  }
  for (let node = head[meeting]!; node !== far.end; node = head[edges.at(-1)!]!) {
    const edge = far.by.get(node);
    if (edge === undefined || edge < 0) return [];
    edges.push(edge);
  }
  return edges;
}
