import { forEachEdge, type Graph, UNPLACED } from "../market-graph/graph.ts";
import { SINGLE } from "./earning/earning.ts";
import type { Groups } from "./earning/groups.ts";
import type { End } from "./selection.ts";

/** What is read of an order. */
type Ends = {
  readonly from: number;
  readonly to: number;
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
  /** Pools that share state, by pool. */
  readonly groups?: Groups;
};

/**
 * What the first and the last crossing of a route cost at least.
 *
 * In: an order, and the pools that gain. Out: for the token sold and the one bought the least gas of a pool that trades it, in units of
 * the token bought, and which of the pools that gain trade it. A token of one expensive pool has no cheaper way out or in.
 */
export function endsOf(
  graph: Graph,
  order: Ends,
  earners: readonly { readonly index: number; readonly earned: number }[],
): End[] {
  const unasked = earners.reduce((most, { index, earned }) => (index < 0 ? Math.max(most, earned) : most), 0);
  return [order.from, order.to].map((node) => ({
    // A pool that was not asked gains no more than what is counted for those.
    leastCost: leastGasAt(graph, node, order.allowed) * order.outPerGas - unasked,
    isAt: (place) => trades(graph, order, earners[place]!.index, node),
  }));
}

/** Pairs of a token from which on some pool of it is taken to cost as little as any. */
const MANY = 64;

function leastGasAt(graph: Graph, node: number, allowed: (edge: number) => boolean): number {
  const { pairs, leastGas } = graph;
  const { start, length, data } = pairs.outgoing;
  if (length[node]! > MANY) return leastGas * SINGLE;
  let least = Infinity;
  for (let k = start[node]!; k < start[node]! + length[node]!; k++)
    for (const pair of [data[k]!, data[k]! ^ 1]) least = Math.min(least, leastGasOf(graph, pair, allowed));
  return (least < Infinity ? least : leastGas) * SINGLE;
}

function leastGasOf(
  { pairs: { edges }, curves, gas }: Graph,
  pair: number,
  allowed: (edge: number) => boolean,
): number {
  let least = Infinity;
  for (let k = edges.start[pair]!; k < edges.start[pair]! + edges.length[pair]!; k++) {
    const edge = edges.data[k]!;
    if (gas[edge]! < least && curves.count[edge]! > 0 && allowed(edge)) least = gas[edge]!;
  }
  return least;
}

/** Whether a pool, or one that shares its state, trades a token. */
function trades({ entries, tail }: Graph, { groups }: Ends, index: number, node: number): boolean {
  if (index < 0) return false;
  let found = false;
  for (const member of groups?.get(index) ?? [index]) {
    if (entries[member]!.firstEdge === UNPLACED) continue;
    forEachEdge(entries[member]!, (edge) => {
      found ||= tail[edge] === node;
    });
  }
  return found;
}
