import { barOf } from "../../math/nth-largest.ts";
import { grown } from "../../math/rows.ts";
import type { Demand } from "../convex/problem.ts";
import { slopeAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { sizeOfLevel } from "../market-graph/pair-index.ts";

/** Candidates for the first problem, by the price of the best path through them at the order's size; owned by the workspace. */
export type Ranked = {
  /** Edges that were priced, and the price of their best path. */
  count: number;
  edge: Int32Array;
  price: Float64Array;
  /** The least price a path must have, the number of edges that reach it, and the number above which it is raised. */
  least: number;
  good: number;
  crowd: number;
  /** Number of candidates wanted at most. */
  most: number;
  /** The lowest price that any range reaches. */
  floor: number;
  /** By pair, the number of its edges that were priced: the others are below the least price so far. */
  seen: Int32Array;
};

export function emptyRanked(): Ranked {
  return {
    count: 0,
    edge: new Int32Array(1024),
    price: new Float64Array(1024),
    least: 0,
    good: 0,
    crowd: 0,
    most: 0,
    floor: 0,
    seen: new Int32Array(1024),
  };
}

/** Candidates kept at once, as a multiple of those wanted. */
const CROWD = 4;

/** Clears all candidates. @param floor price below which no path is ranked */
export function beginRanking(
  ranked: Ranked,
  pairs: number,
  { most, floor }: Pick<Ranked, "most" | "floor">,
): void {
  ranked.count = ranked.good = 0;
  ranked.most = most;
  ranked.crowd = CROWD * most;
  ranked.floor = floor;
  ranked.seen = grown(ranked.seen, pairs).fill(0, 0, pairs);
}

/** Lowers the least price of a path. */
export function lowerLeast(ranked: Ranked, least: number): void {
  ranked.least = least;
  ranked.good = 0;
  for (let k = 0; k < ranked.count; k++) if (ranked.price[k]! >= least) ranked.good++;
}

type Along = {
  /** Product of the prices of the best path to the pair and on from it. */
  readonly through: number;
  /** Level of the trade after which the edge is priced. */
  readonly level: number;
  readonly allowed: Demand["allowed"];
};

/** Ranks the edges of a pair that were not priced yet and may reach the least price. */
export function rankEdges(
  { pairs, curves, values }: Graph,
  pair: number,
  ranked: Ranked,
  along: Along,
): void {
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = (along.through * values.ref[pairs.tail[pair ^ 1]!]!) / value;
  const size = sizeOfLevel(along.level) / value;
  const { start, length, data } = pairs.edges;
  let k = ranked.seen[pair]!;
  for (; k < length[pair]!; k++) {
    const edge = data[start[pair]! + k]!;
    if (spotSlope(curves, edge) * scale < ranked.least) break;
    rankEdge(ranked, edge, slopeAt(curves, edge, size) * scale, along);
  }
  ranked.seen[pair] = k;
}

function rankEdge(ranked: Ranked, edge: number, price: number, { allowed }: Along): void {
  if (price < ranked.floor || !allowed(edge)) return;
  const at = ranked.count++;
  ranked.edge = grown(ranked.edge, at + 1);
  ranked.price = grown(ranked.price, at + 1);
  ranked.edge[at] = edge;
  ranked.price[at] = price;
  if (price >= ranked.least && ++ranked.good > ranked.crowd) thinOut(ranked);
}

/** Keeps as many of the best candidates as are wanted, with ties, and raises the least price to theirs. */
function thinOut(ranked: Ranked): void {
  const { edge, price, count, most } = ranked;
  ranked.least = barOf(price.subarray(0, count), most);
  let kept = 0;
  for (let k = 0; k < count; k++) {
    if (price[k]! < ranked.least) continue;
    edge[kept] = edge[k]!;
    price[kept++] = price[k]!;
  }
  ranked.count = ranked.good = kept;
  ranked.crowd = Math.max(CROWD * most, 2 * kept);
}

/** The price that about `most` candidates reach, no lower than the least price. */
export function priceOfBest({ price, count, good, least }: Ranked, most: number): number {
  return good <= most ? least : barOf(price.subarray(0, count), most);
}

/** The edges of the `most` best ranks, the best first. */
export function bestRanked(ranked: Ranked, most: number): { readonly edge: number }[] {
  const { count, price, edge } = ranked;
  const bar = priceOfBest(ranked, most);
  const places: number[] = [];
  for (let k = 0; k < count; k++) if (price[k]! >= bar) places.push(k);
  places.sort((a, b) => price[b]! - price[a]! || a - b);
  return places.slice(0, most).map((k) => ({ edge: edge[k]! }));
}
