import type { Graph } from "../market-graph/graph.ts";
import { findPair } from "../market-graph/pair-index.ts";

/** Pairs that are asked at most; beyond, the ends are taken to be as near as is not yet refuted. */
const MOST_ASKED = 4096;

/** The distance from which on it is not counted any further. */
export const FARTHEST = 4;

/**
 * The pools that a route between two tokens crosses at least, counted up to `FARTHEST`, over pools that may be used. Never too many.
 *
 * @param allowed whether an edge may be used
 */
export function distance(graph: Graph, from: number, to: number, allowed: (edge: number) => boolean): number {
  const areNext = (node: number, other: number) => isOpen(graph, findPair(graph.pairs, node, other), allowed);
  if (areNext(from, to)) return 1;
  // Tokens of many pairs are not gone through for the sake of one that has few.
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

/** Whether some pool of a pair, either way, is alive and may be used. */
function isOpen(graph: Graph, pair: number, allowed: (edge: number) => boolean): boolean {
  return pair >= 0 && (isOneWayOpen(graph, pair, allowed) || isOneWayOpen(graph, pair ^ 1, allowed));
}

function isOneWayOpen({ pairs, curves }: Graph, pair: number, allowed: (edge: number) => boolean): boolean {
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++)
    if (curves.count[data[k]!]! > 0 && allowed(data[k]!)) return true;
  return false;
}
