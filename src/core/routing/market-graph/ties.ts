import type { Graph } from "./graph.ts";
import type { Tied, Ties } from "./prices/prices.ts";

/**
 * Tokens whose price is one price: pools of constant price (a wrapper, a vault, a converter without a fee) turn each into the others
 * and back without loss. Prices that are found in doubles differ from such a pool's by some last digits, and a pool without depth
 * would gain on any amount; so they are set to the pool's own.
 */

/** Going there and back may lose so much, as a share: what doubles lose. */
const LOSS = 1e-12;

/** What a pool of constant price pays for a unit, the best of the pair's; 0 where it has none. */
function constantRate({ pairs, curves }: Graph, pair: number): number {
  const { start, length, data } = pairs.edges;
  let best = 0;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    const lane = curves.at[edge]!;
    if (curves.count[edge] === 1 && curves.lanes[lane + 3] === 0)
      best = Math.max(best, curves.lanes[lane + 2]!);
  }
  return best;
}

/** Ties the two tokens of a pair where constant prices lead both ways. */
export function tiePair(graph: Graph, ties: Ties, pair: number): void {
  const there = constantRate(graph, pair);
  if (there === 0) return;
  const back = constantRate(graph, pair ^ 1);
  if (!(there * back >= 1 - LOSS)) return;
  const [sold, bought] = [graph.pairs.tail[pair]!, graph.pairs.tail[pair ^ 1]!];
  const [ours, theirs] = [groupOf(ties, sold), groupOf(ties, bought)];
  if (ours === theirs) return;
  // A unit sold is worth `there` units bought.
  const factor = ratioOf(ours, sold) / ratioOf(theirs, bought) / there;
  const joined = [...ours, ...theirs.map(({ node, ratio }) => ({ node, ratio: ratio * factor }))];
  for (const { node } of joined) ties.set(node, joined);
}

function groupOf(ties: Ties, node: number): readonly Tied[] {
  return ties.get(node) ?? [{ node, ratio: 1 }];
}

function ratioOf(group: readonly Tied[], node: number): number {
  return group.find((one) => one.node === node)!.ratio;
}

/** Calls `visit` with the other tokens of a node's group, and with their prices where the node has this one. */
export function forEachTied(
  ties: Ties,
  node: number,
  price: number,
  visit: (other: number, price: number) => void,
): void {
  const group = ties.get(node);
  if (group === undefined) return;
  const unit = price / ratioOf(group, node);
  for (const one of group) if (one.node !== node) visit(one.node, unit * one.ratio);
}
