import { slopeAt, spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../graph.ts";
import { refreshNearPairs } from "../near-pairs.ts";
import { findPair, levelOf, pricesAt, sizeOfLevel } from "../pair-index.ts";
import { bestEdge } from "./pair-prices.ts";

/**
 * The rate of a small amount, against which price impact is measured. It is the same for every size of an order.
 *
 * In: two tokens. Out: units bought per unit sold at spot, pool fees included, along one simple path. The path, and the
 * pool that crosses each of its pairs, are those of the best prices after trades of `TINY_WEI`, so that dust with a
 * good spot price does not count. Paths lead over hubs and the tokens through which the ends are valued. O(1): these
 * are at most `HUBS` tokens and a few.
 */

/** Value of the trade by which pools are chosen, in wei. */
const TINY_WEI = 1e15;
const MOST_HOPS = 4;
/** Number of tokens along the value chain of an end that paths may lead over. */
const CHAIN = 3;

/**
 * The rate of a small amount. @returns undefined if no path of at most `MOST_HOPS` allowed pools over these tokens
 * joins the ends
 */
export function spotRate(
  graph: Graph,
  { from, to }: { readonly from: number; readonly to: number },
  allowed: (edge: number) => boolean,
): number | undefined {
  const nodes = [
    ...new Set([from, ...chainOf(graph, from), ...chainOf(graph, to), ...refreshNearPairs(graph).hubs, to]),
  ];
  const level = levelOf(TINY_WEI);
  const size = sizeOfLevel(level);
  const levels = pricesAt(graph.pairs, level);
  const quick = bestPath(graph, { nodes, from, to }, (pair) => levels[pair]!);
  if (quick === undefined) return undefined;
  const edges = quick.map((pair) => bestEdge(graph, pair, size, () => true));
  if (edges.every((edge) => edge >= 0 && allowed(edge))) return rateAlong(graph, edges);
  const best = new Map<number, number>();
  const bestAllowed = (pair: number) => {
    if (!best.has(pair)) best.set(pair, bestEdge(graph, pair, size, allowed));
    return best.get(pair)!;
  };
  const path = bestPath(graph, { nodes, from, to }, (pair) => priceOf(graph, bestAllowed(pair), size));
  return path && rateAlong(graph, path.map(bestAllowed));
}

function chainOf({ values, head }: Graph, node: number): number[] {
  const chain: number[] = [];
  for (let at = values.parent[node]!; at >= 0 && chain.length < CHAIN; at = values.parent[head[at]!]!)
    chain.push(head[at]!);
  return chain;
}

type Ends = { readonly nodes: readonly number[]; readonly from: number; readonly to: number };

/** A partial path: its pairs, its tokens, and the product of its prices. */
type Label = { readonly pairs: readonly number[]; readonly seen: readonly number[]; readonly rate: number };

/** The pairs of the path of at most `MOST_HOPS` with the best product of prices. Each token keeps its best path of each length. */
function bestPath(graph: Graph, ends: Ends, price: (pair: number) => number): readonly number[] | undefined {
  const { from, to } = ends;
  let labels = new Map<number, Label>([[from, { pairs: [], seen: [from], rate: 1 }]]);
  let best: Label | undefined;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const next = new Map<number, Label>();
    for (const [node, label] of labels) extend(graph, next, { label, node, ends, price });
    const arrived = next.get(to);
    if (arrived !== undefined && arrived.rate > (best?.rate ?? 0)) best = arrived;
    next.delete(to);
    labels = next;
  }
  return best?.pairs;
}

type Extended = {
  readonly label: Label;
  readonly node: number;
  readonly ends: Ends;
  readonly price: (pair: number) => number;
};

/** Extends a path by one pool to every token that it has not passed. */
function extend(graph: Graph, next: Map<number, Label>, { label, node, ends, price }: Extended): void {
  for (const far of ends.nodes) {
    const pair = label.seen.includes(far) ? -1 : pairBetween(graph, node, far);
    const rate = pair < 0 ? 0 : label.rate * price(pair);
    if (!(rate > (next.get(far)?.rate ?? 0))) continue;
    next.set(far, { pairs: [...label.pairs, pair], seen: [...label.seen, far], rate });
  }
}

/** The pair of two tokens. Pairs between hubs are looked up by their places, since every order needs them. */
function pairBetween({ near, pairs }: Graph, node: number, far: number): number {
  const a = near.placeOf.get(node) ?? -1;
  const b = near.placeOf.get(far) ?? -1;
  return a < 0 || b < 0 ? findPair(pairs, node, far) : near.hubPairs[a * near.hubs.length + b]!;
}

/** Normalised price of an edge after a trade of the value `size`; 0 for none. */
function priceOf({ curves, values, tail, head }: Graph, edge: number, size: number): number {
  if (edge < 0) return 0;
  const sold = values.ref[tail[edge]!]!;
  return (slopeAt(curves, edge, size / sold) * values.ref[head[edge]!]!) / sold;
}

function rateAlong({ curves }: Graph, edges: readonly number[]): number {
  return edges.reduce((rate, edge) => rate * spotSlope(curves, edge), 1);
}
