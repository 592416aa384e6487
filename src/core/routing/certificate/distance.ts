import type { Graph } from "../market-graph/graph.ts";
import { findPair } from "../market-graph/pair-index.ts";

/**
 * Cap on the number of pairs that are tested; where more would be needed, the least distance not yet excluded counts.
 */
const MOST_ASKED = 4096;

/** The largest distance that is computed: it stands for all that are no less. */
export const FARTHEST = 4;

/**
 * A lower bound on the number of crossings of a route between two tokens, over the pools that may be used: the distance
 * in the graph of tokens, up to `FARTHEST`.
 *
 * @param allowed whether an edge may be used
 */
export function distance(graph: Graph, from: number, to: number, allowed: (edge: number) => boolean): number {
  const areNext = (node: number, other: number) => isOpen(graph, findPair(graph.pairs, node, other), allowed);
  if (areNext(from, to)) return 1;
  // Only the end of fewer pairs is expanded first: hubs have very many.
  const { length } = graph.pairs.outgoing;
  const [near, far] = length[from]! <= length[to]! ? [from, to] : [to, from];
  if (length[near]! > MOST_ASKED) return 2;
  const onward = neighbours(graph, near, allowed);
  if (onward.some((node) => areNext(node, far))) return 2;
  if (onward.length * length[far]! > MOST_ASKED) return 3;
  const back = neighbours(graph, far, allowed);
  return onward.some((node) => back.some((other) => areNext(node, other))) ? 3 : FARTHEST;
}

function neighbours(graph: Graph, node: number, allowed: (edge: number) => boolean): number[] {
  const { outgoing, tail } = graph.pairs;
  const found: number[] = [];
  for (let k = outgoing.start[node]!; k < outgoing.start[node]! + outgoing.length[node]!; k++)
    if (isOpen(graph, outgoing.data[k]!, allowed)) found.push(tail[outgoing.data[k]! ^ 1]!);
  return found;
}

/** Whether a pair has a pool, in either direction, that has a curve and may be used; false for a pair of -1. */
function isOpen(graph: Graph, pair: number, allowed: (edge: number) => boolean): boolean {
  return pair >= 0 && (isOneWayOpen(graph, pair, allowed) || isOneWayOpen(graph, pair ^ 1, allowed));
}

function isOneWayOpen({ pairs, curves }: Graph, pair: number, allowed: (edge: number) => boolean): boolean {
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++)
    if (curves.count[data[k]!]! > 0 && allowed(data[k]!)) return true;
  return false;
}
