import { forEachEdge, type Graph, UNPLACED } from "../market-graph/graph.ts";
import { SINGLE } from "./earning/earning.ts";
import type { Groups } from "./earning/groups.ts";
import type { End } from "./selection.ts";

/** The fields of an order that the costs of its ends depend on. */
type Ends = {
  readonly from: number;
  readonly to: number;
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
  /** Pools that share state, by pool. */
  readonly groups?: Groups;
};

/**
 * The least costs of the first and the last crossing of a route.
 *
 * In: an order, and the groups of pools that gain. Out: for the token sold and for the token bought, the least cost of
 * gas of a pool that trades it, in smallest units of the token bought, and which of the groups trade it. Where one
 * expensive pool alone trades a token, every route that starts or ends there pays its gas.
 */
export function endsOf(
  graph: Graph,
  order: Ends,
  earners: readonly { readonly index: number; readonly earned: number }[],
): End[] {
  const unasked = earners.reduce((most, { index, earned }) => (index < 0 ? Math.max(most, earned) : most), 0);
  return [order.from, order.to].map((node) => ({
    // Pools that were not evaluated are entries of index -1; a pool of this end among them may gain up to `unasked`.
    leastCost: leastGasAt(graph, node, order.allowed) * order.outPerGas - unasked,
    isAt: (place) => trades(graph, order, earners[place]!.index, node),
  }));
}

/** Tokens of more pairs than this are not searched: the least gas of the whole market bounds theirs from below. */
const MANY = 64;

/** A lower bound on the gas of a crossing that sells or pays the token of `node`, in units of gas. */
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

/** Whether the pool `index`, or a pool that shares state with it, trades the token of `node`. */
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
