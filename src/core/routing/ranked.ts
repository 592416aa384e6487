import { slopeAt, spotSlope } from "./curves.ts";
import type { Demand } from "./demand.ts";
import type { Graph } from "./graph.ts";
import { grown } from "./rows.ts";

/** Candidates for the first problem by what a path through them pays at the order's size; owned by the workshop. */
export type Ranked = {
  /** Edges that were looked at, and the price of their best path. */
  count: number;
  edge: Int32Array;
  price: Float64Array;
  /** What a path must pay now, and how many of the edges do. */
  least: number;
  good: number;
  /** What a path pays at the least that any window reaches. */
  floor: number;
  /** By pair, how many of its edges were looked at: the rest pay less than any path had to. */
  seen: Int32Array;
};

export function emptyRanked(): Ranked {
  return {
    count: 0,
    edge: new Int32Array(1024),
    price: new Float64Array(1024),
    least: 0,
    good: 0,
    floor: 0,
    seen: new Int32Array(1024),
  };
}

/** Forgets all candidates. @param floor paths that pay less are never asked for */
export function beginRanking(ranked: Ranked, pairs: number, floor: number): void {
  ranked.count = ranked.good = 0;
  ranked.floor = floor;
  ranked.seen = grown(ranked.seen, pairs).fill(0, 0, pairs);
}

/** Lets paths pay as little as this, which is less than before. */
export function lowerLeast(ranked: Ranked, least: number): void {
  ranked.least = least;
  ranked.good = 0;
  for (let k = 0; k < ranked.count; k++) if (ranked.price[k]! >= least) ranked.good++;
}

type Along = {
  /** Product of the prices of the best path before and behind the pair. */
  readonly through: number;
  /** Value that the edge takes before it is priced. */
  readonly size: number;
  readonly allowed: Demand["allowed"];
};

/** Ranks the edges of a pair that were not looked at yet and may pay enough. */
export function rankEdges(
  { pairs, curves, values }: Graph,
  pair: number,
  ranked: Ranked,
  { through, size, allowed }: Along,
): void {
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = (through * values.ref[pairs.tail[pair ^ 1]!]!) / value;
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  let k = start[pair]! + ranked.seen[pair]!;
  for (; k < last && spotSlope(curves, data[k]!) * scale >= ranked.least; k++) {
    const price = slopeAt(curves, data[k]!, size / value) * scale;
    if (price < ranked.floor || !allowed(data[k]!)) continue;
    const at = ranked.count++;
    ranked.edge = grown(ranked.edge, at + 1);
    ranked.price = grown(ranked.price, at + 1);
    ranked.edge[at] = data[k]!;
    ranked.price[at] = price;
    if (price >= ranked.least) ranked.good++;
  }
  ranked.seen[pair] = k - start[pair]!;
}

/** What the paths of about `most` candidates pay, and none that pays less than it has to. */
export function priceOfBest({ price, count, good, least }: Ranked, most: number): number {
  return good <= most ? least : barOf(price.subarray(0, count), most);
}

/** The rank that about `most` candidates reach, and none at or below `least`. */
export function barOf(rank: Float64Array, most: number, least = 0): number {
  const good = new Float64Array(rank.length);
  let count = 0;
  for (let k = 0; k < rank.length; k++) if (rank[k]! > least) good[count++] = rank[k]!;
  return count <= most ? least : nthLargest(good.subarray(0, count), most);
}

/** The number that `nth` of all reach; changes their order. */
function nthLargest(numbers: Float64Array, nth: number): number {
  let [low, high] = [0, numbers.length - 1];
  const wanted = nth - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (numbers[left]! > pivot) left++;
      while (numbers[right]! < pivot) right--;
      if (left > right) break;
      const one = numbers[left]!;
      numbers[left++] = numbers[right]!;
      numbers[right--] = one;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return numbers[wanted]!;
}
