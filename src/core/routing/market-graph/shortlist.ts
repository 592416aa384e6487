import { barOf } from "../../math/nth-largest.ts";
import { slopeAt } from "../curves/segments.ts";
import type { Graph } from "./graph.ts";
import { type Pairs, type Shortlist, sizeOfLevel } from "./pair-index.ts";

/** Pools from which on looking at each of a pair for every order takes longer than all else that a first look does. */
const MANY = 16;
/** More than any first problem is made of. */
const LONGEST = 200;

/** The pools of a pair that pay most after a trade of a level's size; undefined where it has few. */
export function shortlistOf(graph: Graph, pair: number, level: number): Shortlist | undefined {
  if (!hasMany(graph.pairs, pair)) return undefined;
  let lists = graph.pairs.shortlists.get(pair);
  if (lists === undefined) {
    lists = [];
    graph.pairs.shortlists.set(pair, lists);
  }
  const known = lists[level + 1] ?? list(graph, pair, level);
  lists[level + 1] = known;
  return known;
}

/** Forgets what was listed of a pair. */
export function forgetPair(pairs: Pairs, pair: number): void {
  if (hasMany(pairs, pair)) pairs.shortlists.delete(pair);
}

function hasMany({ edges }: Pairs, pair: number): boolean {
  return edges.length[pair]! >= MANY;
}

function list({ pairs, curves, values }: Graph, pair: number, level: number): Shortlist {
  const { start, length, data } = pairs.edges;
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = values.ref[pairs.tail[pair ^ 1]!]! / value;
  const size = sizeOfLevel(level) / value;
  const row = data.subarray(start[pair]!, start[pair]! + length[pair]!);
  const price = Float64Array.from(row, (edge) => slopeAt(curves, edge, size) * scale);
  const bar = barOf(price, LONGEST);
  const best = [...row.keys()]
    .filter((k) => price[k]! > 0 && price[k]! >= bar)
    .sort((a, b) => price[b]! - price[a]! || row[a]! - row[b]!)
    .slice(0, LONGEST);
  return { edges: Int32Array.from(best, (k) => row[k]!), prices: Float64Array.from(best, (k) => price[k]!) };
}
