import { grown } from "../../../math/rows.ts";
import type { Graph } from "../graph.ts";
import { gateOf } from "../pair-index.ts";
import { tiesOf } from "../ties.ts";
import { bestGroupPrice, bestPrice, EDGE } from "./best-price.ts";
import { rateOf } from "./pair-prices.ts";
import type { BasePrices, Tied, Ties } from "./prices.ts";
import { midPrice } from "./reference-prices.ts";
import { isFollower, isRoot } from "./roots.ts";

/**
 * Base prices: token prices at which the pools of a block agree as well as they can.
 *
 * In: the market of one block. Out: by node, ν⁰ in wei of the native coin per smallest unit, near the minimum of
 *
 *   Σ_e φ(E_e(ν)),   φ(E) = E²/4θ  up to E = 2θ,  E - θ  beyond
 *
 * over ν of the native coin = 1, where E_e is the most that one direction of a pool earns and θ what a crossing costs at
 * `REFERENCE_GAS_WEI`. φ is convex, smooth and within θ of (E - θ)₊: gains that no searcher would take hardly count, and the sum is
 * the arbitrage that the market holds. If no cycle of pools is profitable it is 0, and every price lies inside its pools' bands.
 *
 * Method: coordinate descent from the prices of the value tree (`best-price.ts`). A smooth convex sum has no stationary points but
 * its minimum; but a pool of constant price earns so much at any other price that neither of its tokens could be moved alone. So
 * tokens that such pools tie (`ties.ts`) are one coordinate.
 * A change queues the tokens of the changed pools that earn, did earn or nearly do: other pools contribute nothing to the sum, before
 * or after. A token with one neighbour follows that one's price and moves no other.
 * Components without the native coin have a numeraire of their own.
 */

/** Visits a token, on average, at most. Stopping early only makes bounds looser. */
const MOST_VISITS = 60;
/** A relative move of a price below this does not queue its neighbours. */
const STILL = 1e-6;

/** Brings base prices up to the newest block: O(what changed). */
export function refreshBasePrices(graph: Graph): BasePrices {
  const { base } = graph;
  if (!base.outdated && base.changed.size === 0) return base;
  const queue = base.outdated ? beginPrices(graph) : concernedNodes(graph);
  base.outdated = false;
  base.changed.clear();
  base.version++;
  settle(graph, queue);
  return base;
}

/** Starts from the mid prices along the value tree. @returns every token, that of the widest chain first */
function beginPrices(graph: Graph): number[] {
  const { base, tokens, values } = graph;
  base.price = grown(base.price, tokens.length).fill(0);
  for (let node = 0; node < tokens.length; node++) treePrice(graph, node);
  return [...tokens.keys()].sort((a, b) => values.width[b]! - values.width[a]!);
}

/** The tokens whose best price the changed pairs may have moved. */
function concernedNodes(graph: Graph): number[] {
  const { base, near, pairs, tokens } = graph;
  base.price = grown(base.price, tokens.length);
  const earned = new Set(near.leaning);
  const nodes = new Set<number>();
  for (const pair of base.changed) {
    const ends = [pairs.tail[pair]!, pairs.tail[pair ^ 1]!];
    const isNew = ends.some((node) => base.price[node] === 0 || isFollower(graph, node));
    const mayEarn = [pair, pair ^ 1].some((one) => rateOf(graph, one, base.price) * (1 + EDGE) > 1);
    if (isNew || mayEarn || earned.has(pair)) for (const node of ends) nodes.add(node);
  }
  return [...nodes];
}

function treePrice(graph: Graph, node: number): number {
  const { base, values } = graph;
  const chain: number[] = [];
  let at = node;
  while (base.price[at] === 0 && values.ref[at]! > 0 && values.parent[at]! >= 0) {
    chain.push(at);
    at = graph.head[values.parent[at]!]!;
    if (chain.length > graph.tokens.length) return 0;
  }
  if (base.price[at] === 0) base.price[at] = values.ref[at]!;
  for (let k = chain.length - 1; k >= 0; k--) {
    const edge = values.parent[chain[k]!]!;
    base.price[chain[k]!] = midPrice(graph, edge) * base.price[graph.head[edge]!]!;
  }
  return base.price[node]!;
}

/** Visits queued tokens until no price moves, then sets the prices of tokens with one neighbour. */
function settle(graph: Graph, changed: readonly number[]): void {
  const { tokens, base } = graph;
  base.price = grown(base.price, tokens.length);
  base.ratio = grown(base.ratio, tokens.length);
  const ties = tiesOf(graph, (node) => !isFollower(graph, node));
  for (const group of new Set(ties.values())) align(graph, group);
  const queue: Queue = { nodes: [], waiting: new Uint8Array(tokens.length), ties };
  for (const node of changed) if (!isFollower(graph, node)) enqueue(queue, node);
  const most = MOST_VISITS * tokens.length;
  for (let at = 0; at < queue.nodes.length && at < most; at++) {
    queue.waiting[queue.nodes[at]!] = 0;
    visit(graph, queue, queue.nodes[at]!);
  }
  for (const node of changed) if (isFollower(graph, node)) follow(graph, node);
  for (let node = 0; node < tokens.length; node++)
    if (isFollower(graph, node))
      base.price[node] = base.ratio[node]! * base.price[gateOf(graph.pairs, node)]!;
}

/** Sets the price of a token with one neighbour, and what it is worth of that one. */
function follow(graph: Graph, node: number): void {
  const { price, ratio } = graph.base;
  const after = bestPrice(graph, node, price);
  if (hasMoved(price[node]!, after)) price[node] = after;
  ratio[node] = price[node]! / price[gateOf(graph.pairs, node)]! || 0;
}

const hasMoved = (before: number, after: number): boolean => Math.abs(after - before) > STILL * before;

/** Tokens to visit, each once at a time; of a group of tied ones the first. */
type Queue = { readonly nodes: number[]; readonly waiting: Uint8Array; readonly ties: Ties };

function enqueue({ nodes, waiting, ties }: Queue, node: number): void {
  const [first = { node }] = ties.get(node) ?? [];
  if (waiting[first.node] === 1) return;
  waiting[first.node] = 1;
  nodes.push(first.node);
}

/** Sets the prices of a group to one: that of its numeraire, or else of its first token that has a price. */
function align(graph: Graph, group: readonly Tied[]): void {
  const { price } = graph.base;
  const known = group.find(({ node }) => isRoot(graph, node)) ?? group.find(({ node }) => price[node]! > 0);
  if (known === undefined) return;
  const unit = price[known.node]! / known.ratio;
  for (const { node, ratio } of group) price[node] = unit * ratio;
}

/** Moves the price of a token, and of those tied to it, to its best value, the others held, and queues the neighbours that this affects. */
function visit(graph: Graph, queue: Queue, node: number): void {
  const group = queue.ties.get(node) ?? [{ node, ratio: 1 }];
  if (group.some((one) => isRoot(graph, one.node))) return;
  const { price } = graph.base;
  const before = price[group[0]!.node]! / group[0]!.ratio;
  const after = bestGroupPrice(graph, group, price);
  if (!hasMoved(before, after)) return;
  for (const { node: moved, ratio } of group)
    queueConcerned(graph, { node: moved, before: before * ratio, after: after * ratio }, queue);
  for (const { node: moved, ratio } of group) price[moved] = after * ratio;
}

function areTied({ ties }: Queue, node: number, other: number): boolean {
  const group = ties.get(node);
  return group !== undefined && group === ties.get(other);
}

/** Queues the neighbours over pairs that earn at the price before or after. */
function queueConcerned(
  graph: Graph,
  { node, before, after }: { readonly node: number; readonly before: number; readonly after: number },
  queue: Queue,
): void {
  const { pairs, base, values } = graph;
  const { start, length, data } = pairs.outgoing;
  const least = Math.min(before, after);
  const most = Math.max(before, after);
  for (let k = start[node]!; k < start[node]! + length[node]!; k++) {
    const pair = data[k]!;
    const other = pairs.tail[pair ^ 1]!;
    if (queue.waiting[other] === 1 || isFollower(graph, other) || areTied(queue, node, other)) continue;
    const unit = (base.price[other]! * values.ref[node]!) / values.ref[other]!;
    const earns = pairs.spot[pair]! * unit > least || pairs.spot[pair ^ 1]! * most > unit;
    if (earns) enqueue(queue, other);
  }
}

/** Notes that a pool of a pair changed. */
export function noteChange({ base }: Graph, pair: number): void {
  base.changed.add(pair & ~1);
}
