import type { Graph } from "./graph.ts";
import type { Tied, Ties } from "./prices/prices.ts";

/**
 * Groups of tokens with tied prices: pools of constant price (a wrapper, a vault, a converter without a fee) exchange them for
 * each other and back without loss. Prices found in doubles differ from such a pool's price in the last digits, and a pool
 * without price impact would gain by that on any amount. So the prices of a group are set by the pools' own rates.
 */

/** Largest loss of a round trip, as a share, that is attributed to the precision of doubles. */
const LOSS = 1e-12;

/** The best rate of a pair's pools of constant price, in units bought per unit sold; 0 if it has none. */
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

/** Ties the two tokens of a pair if pools of constant price lead in both directions without loss. */
export function tiePair(graph: Graph, ties: Ties, pair: number): void {
  const there = constantRate(graph, pair);
  if (there === 0) return;
  const back = constantRate(graph, pair ^ 1);
  if (!(there * back >= 1 - LOSS)) return;
  const sold = graph.pairs.tail[pair]!;
  const bought = graph.pairs.tail[pair ^ 1]!;
  const ours = groupOf(ties, sold);
  const theirs = groupOf(ties, bought);
  if (ours === theirs) return;
  // A unit sold is worth `there` units bought.
  const factor = ratioOf(ours, sold) / ratioOf(theirs, bought) / there;
  if (ours.length < theirs.length) join(ties, theirs, ours, 1 / factor);
  else join(ties, ours, theirs, factor);
}

/** Adds a group to another that is at least as large: anyone can make vaults, and a copy for each would take their square. */
function join(ties: Ties, group: Tied[], smaller: readonly Tied[], factor: number): void {
  for (const { node, ratio } of smaller) group.push({ node, ratio: ratio * factor });
  for (const { node } of smaller) ties.set(node, group);
}

/** All groups of tokens that pools of constant price tie. @param mayTie whether a token may belong to a group */
export function tiesOf(graph: Graph, mayTie: (node: number) => boolean): Ties {
  const { pairs } = graph;
  const ties: Ties = new Map();
  for (let pair = 0; pair < pairs.count; pair += 2) {
    // The best rates there and back are at least those of the pools of constant price.
    if (!(pairs.spot[pair]! * pairs.spot[pair + 1]! >= 1 - LOSS)) continue;
    if (mayTie(pairs.tail[pair]!) && mayTie(pairs.tail[pair + 1]!)) tiePair(graph, ties, pair);
  }
  return ties;
}

/** The group of a token, which begins with itself alone. */
function groupOf(ties: Ties, node: number): Tied[] {
  const group = ties.get(node) ?? [{ node, ratio: 1 }];
  ties.set(node, group);
  return group;
}

function ratioOf(group: readonly Tied[], node: number): number {
  return group.find((one) => one.node === node)!.ratio;
}

/** Calls `visit` with the other tokens of a node's group, and the prices they have if the node has `price`. */
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
