import type { Graph } from "../market-graph/graph.ts";
import { findPair } from "../market-graph/pair-index.ts";

/** Pairs that are asked at most; beyond, the ends are taken to be as near as is not yet refuted. */
const MOST_ASKED = 4096;

/**
 * The pools that a route between two tokens crosses at least, counted up to 4, over pools that may be used. Never too many.
 *
 * @param allowed whether an edge may be used
 */
export function distance(graph: Graph, from: number, to: number, allowed: (edge: number) => boolean): number {
  if (isOpen(graph, findPair(graph.pairs, from, to), allowed)) return 1;
  const onward = neighbours(graph, from, allowed);
  const back = neighbours(graph, to, allowed);
  if (onward === undefined || back === undefined) return 2;
  if ([...onward].some((node) => back.has(node))) return 2;
  if (onward.size * back.size > MOST_ASKED) return 3;
  const isNextTo = (node: number, other: number) =>
    isOpen(graph, findPair(graph.pairs, node, other), allowed);
  return [...onward].some((node) => [...back].some((other) => isNextTo(node, other))) ? 3 : 4;
}

/** @returns undefined where there are too many to ask */
function neighbours(graph: Graph, node: number, allowed: (edge: number) => boolean): Set<number> | undefined {
  const { outgoing, tail } = graph.pairs;
  const first = outgoing.start[node]!;
  const length = outgoing.length[node]!;
  if (length > MOST_ASKED) return undefined;
  const found = new Set<number>();
  for (const pair of outgoing.data.subarray(first, first + length))
    if (isOpen(graph, pair, allowed)) found.add(tail[pair ^ 1]!);
  return found;
}

/** Whether some pool of a pair, either way, is alive and may be used. */
function isOpen({ pairs, curves }: Graph, pair: number, allowed: (edge: number) => boolean): boolean {
  if (pair < 0) return false;
  const { start, length, data } = pairs.edges;
  for (const way of [pair, pair ^ 1])
    for (const edge of data.subarray(start[way]!, start[way]! + length[way]!))
      if (curves.count[edge]! > 0 && allowed(edge)) return true;
  return false;
}
