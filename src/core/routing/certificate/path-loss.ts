import { emptyHeap, type Heap, popHeap, pushHeap } from "../../math/heap.ts";
import type { Graph } from "../market-graph/graph.ts";
import { findPair } from "../market-graph/pair-index.ts";

/**
 * The least that the crossings between the ends of an order lose.
 *
 * In: an order, and by edge what a crossing loses at some prices.
 * Out: a lower bound on the sum of these losses along any path from the token sold to the token bought.
 *
 * Dijkstra's method from both ends in turn, past tokens of one neighbour only, which no path goes on from. Where a token of
 * too many pairs comes next, the least labels that wait bound all paths not found: a path leaves the tokens visited from
 * one end over such a token, and losses are never negative. O(pairs visited · log).
 */

/** What crossings lose at some prices, in units of the token bought. */
export type Losses = {
  /** ≥ 0; Infinity where the edge may not be used. */
  readonly of: (edge: number) => number;
  /** A lower bound on the loss of any crossing that trades the token of a node. */
  readonly leastAt: (node: number) => number;
};

/** Cap on the number of pairs that are visited: a token of more is left to the bound on paths not found. */
const MOST_PAIRS = 512;
/** Cap on the number of parallel pools that are read: with more, the least loss at a token of theirs stands for theirs. */
const MOST_PARALLEL = 256;

/**
 * The paths from the node `end` of one end: by node, the least loss found. Nodes whose pairs were not visited yet wait in the heap, by
 * their negative loss. `flip` is 1 at the token bought, to which paths lead.
 */
type Side = {
  readonly end: number;
  readonly flip: 0 | 1;
  readonly least: Map<number, number>;
  readonly waiting: Heap;
};

/** @returns ≥ 0; 0 where the ends are one node, or where no path joins them */
export function leastPathLoss(
  graph: Graph,
  { from, to }: { readonly from: number; readonly to: number },
  losses: Losses,
  mostPairs = MOST_PAIRS,
): number {
  if (from === to) return 0;
  const { length } = graph.pairs.onward;
  const sides = [sideAt(from, 0), sideAt(to, 1)] as const;
  let best = Infinity;
  for (let left = mostPairs; ; ) {
    const [one, other] = [nearest(sides[0]), nearest(sides[1])];
    if (lossAt(sides[0], one) + lossAt(sides[1], other) >= best) break;
    const k = length[one]! <= length[other]! ? 0 : 1;
    const node = k === 0 ? one : other;
    // A row holds each pair and its head.
    left -= length[node]! / 2;
    if (left < 0) return Math.min(best, notFound(graph, sides, losses));
    popHeap(sides[k].waiting);
    best = visit(graph, node, { side: sides[k], across: sides[1 - k]!, best, losses });
  }
  return best < Infinity ? best : 0;
}

function sideAt(end: number, flip: 0 | 1): Side {
  const waiting = emptyHeap();
  pushHeap(waiting, 0, end);
  return { end, flip, least: new Map([[end, 0]]), waiting };
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

type Visit = {
  readonly side: Side;
  readonly across: Side;
  /** The least loss of a path found so far. */
  readonly best: number;
  readonly losses: Losses;
};

/** Labels the neighbours of a node. @returns the least loss of a path that joins both ends */
function visit(graph: Graph, node: number, { side, across, best, losses }: Visit): number {
  const { start, length, data } = graph.pairs.onward;
  const loss = lossAt(side, node);
  // An end of one neighbour is in no row.
  const [tail, head] = side.flip === 0 ? [node, across.end] : [across.end, node];
  let found = Math.min(best, loss + leastLossBetween(graph, tail, head, losses));
  for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
    const next = data[k + 1]!;
    const known = lossAt(side, next);
    if (known <= loss) continue;
    const reached = loss + leastLossOf(graph, data[k]! ^ side.flip, losses);
    if (!(reached < known && reached < found)) continue;
    side.least.set(next, reached);
    pushHeap(side.waiting, -reached, next);
    found = Math.min(found, reached + lossAt(across, next));
  }
  return found;
}

/** The least loss of a crossing of a pair in its direction. */
function leastLossOf({ pairs: { edges, tail } }: Graph, pair: number, losses: Losses): number {
  if (edges.length[pair]! > MOST_PARALLEL) return losses.leastAt(tail[pair]!);
  let least = Infinity;
  for (let k = edges.start[pair]!; k < edges.start[pair]! + edges.length[pair]!; k++)
    least = Math.min(least, losses.of(edges.data[k]!));
  return least;
}

/** The same for two nodes; Infinity where no pool has both tokens. */
function leastLossBetween(graph: Graph, tail: number, head: number, losses: Losses): number {
  const pair = findPair(graph.pairs, tail, head);
  return pair < 0 ? Infinity : leastLossOf(graph, pair, losses);
}

/**
 * A lower bound on the loss of paths that were not found: such a path goes on from a node that waits on one side, and
 * comes to one that waits on the other, by two crossings at least or by their pair.
 */
function notFound(graph: Graph, [near, far]: readonly [Side, Side], losses: Losses): number {
  const [u, v] = [nearest(near), nearest(far)];
  const ends = lossAt(near, u) + lossAt(far, v);
  const direct = ends + leastLossBetween(graph, u, v, losses);
  return Math.min(direct, onwards(near, u, losses) + onwards(far, v, losses));
}

/** A lower bound on a path's loss up to its first crossing beyond the nodes visited. @param node whose label is the least that waits */
function onwards(side: Side, node: number, losses: Losses): number {
  popHeap(side.waiting);
  return Math.min(lossAt(side, node) + losses.leastAt(node), lossAt(side, nearest(side)));
}
