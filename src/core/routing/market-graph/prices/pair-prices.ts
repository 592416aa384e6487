import { type Curves, LANES, slopeAt, spotSlope } from "../../curves/segments.ts";
import { FIRST_LEVEL, LEVELS, type Pairs } from "../pair-index.ts";

/** Limit of a price of a level, near the largest number of single precision. */
const MOST = 1e38;
/**
 * Largest share by which the spot price may exceed the cost for a pair's depth to bound its earnings. A larger share
 * decides more pairs without a read of their edges, but by the flattest of more segments (`npm run bench:routing`
 * over 100,000 pools: the bound is minimised in a third of the time that 0.02 takes).
 */
export const NEAR = 0.5;
/** Factor that keeps a depth an upper bound when it is rounded to single precision. */
const ROUNDED_UP = 1 + 1e-6;
/** Number of insertions after which a row is sorted as a whole. */
const MOST_SIFTED = 8;

/**
 * Sorts the edges of a pair by spot price, the best first, ties by number, so that loops can stop at the first edge
 * that pays too little.
 */
function sortEdges({ edges: { data, start, length } }: Pairs, pair: number, curves: Curves): void {
  const first = start[pair]!;
  const last = first + length[pair]!;
  let moved = 0;
  for (let k = first + 1; k < last; k++) {
    if (!isBefore(curves, data[k]!, data[k - 1]!)) continue;
    if (++moved > MOST_SIFTED) {
      data.subarray(first, last).sort((a, b) => (isBefore(curves, a, b) ? -1 : 1));
      return;
    }
    sift(data, first, k, curves);
  }
}

function sift(data: Int32Array, first: number, from: number, curves: Curves): void {
  const edge = data[from]!;
  let at = from;
  for (; at > first && isBefore(curves, edge, data[at - 1]!); at--) data[at] = data[at - 1]!;
  data[at] = edge;
}

function isBefore(curves: Curves, a: number, b: number): boolean {
  const ours = spotSlope(curves, a);
  const theirs = spotSlope(curves, b);
  return ours > theirs || (ours === theirs && a < b);
}

/**
 * Recomputes the prices of a pair from the curves of its edges.
 *
 * @param ref reference value of each node's token, in wei of native value per smallest unit; 0 = unknown
 */
export function weigh(pairs: Pairs, pair: number, curves: Curves, ref: Float64Array): void {
  const { weighed, levels, spot, tail, edges } = pairs;
  const value = ref[tail[pair]!]!;
  const scale = value > 0 ? ref[tail[pair ^ 1]!]! / value : 0;
  const units = { scale: scale < Infinity ? scale : 0, first: FIRST_LEVEL / value };
  for (let l = 0; l <= LEVELS; l++) weighed[l] = 0;
  const last = edges.start[pair]! + edges.length[pair]!;
  let before = -1;
  let sorted = true;
  let depth = 0;
  for (let k = edges.start[pair]!; k < last; k++) {
    const edge = edges.data[k]!;
    sorted &&= before < 0 || !isBefore(curves, edge, before);
    before = edge;
    raise(weighed, curves, edge, units);
    depth += depthOf(curves, edge);
  }
  if (!sorted) sortEdges(pairs, pair, curves);
  for (let l = 0; l < LEVELS; l++) levels[l]![pair] = Math.min(weighed[l]!, MOST);
  spot[pair] = weighed[LEVELS]!;
  pairs.depth[pair] = depth * ref[tail[pair ^ 1]!]! * ROUNDED_UP;
}

/**
 * If the spot price of an edge exceeds the cost by a share g of at most `NEAR`, the edge earns at most this times g², in units
 * bought: as much as the flattest of the segments within that share would earn if it had no end.
 */
function depthOf({ lanes, at, count }: Curves, edge: number): number {
  if (count[edge] === 0) return 0;
  let lane = at[edge]!;
  const last = lane + (count[edge]! - 1) * LANES;
  const steep = lanes[lane + 2]!;
  let bend = lanes[lane + 3]!;
  for (; lane < last && lanes[lane + LANES + 2]! * (1 + NEAR) >= steep; lane += LANES)
    bend = Math.min(bend, lanes[lane + LANES + 3]!);
  return steep / (4 * bend);
}

/**
 * What the pools of a pair earn together at most, in units bought, if the spot price exceeds the cost by a share of at
 * most `NEAR`.
 *
 * @param ref reference value of each node's token, as for `weigh`
 */
export function mostByDepth({ depth, tail }: Pairs, pair: number, share: number, ref: Float64Array): number {
  return (depth[pair]! / ref[tail[pair ^ 1]!]!) * share * share;
}

/** Factor that normalises a price, 0 if a token has no value; and the first trade size in units of the token sold. */
type Units = { readonly scale: number; readonly first: number };

/** Raises the prices of a pair to those of one edge where these are better. */
function raise(weighed: Float64Array, curves: Curves, edge: number, { scale, first }: Units): void {
  const { lanes } = curves;
  const count = curves.count[edge]!;
  if (count === 0 || scale === 0) return;
  const end = curves.end[edge]!;
  let lane = curves.at[edge]!;
  const stop = lane + (count - 1) * LANES;
  let steep = lanes[lane + 2]! * scale;
  if (steep > weighed[LEVELS]!) weighed[LEVELS] = steep;
  for (let l = 0, x = first; l < LEVELS && x <= end; l++, x *= 10) {
    // Prices fall with size: if another edge pays more than this one did a level before, its segment need not be read.
    if (weighed[l]! >= steep) continue;
    while (lane < stop && lanes[lane + LANES]! <= x) {
      lane += LANES;
      steep = lanes[lane + 2]! * scale;
    }
    const bend = 1 + lanes[lane + 3]! * (x - lanes[lane]!);
    const square = bend * bend;
    // Most edges are not better: comparing by a product avoids a division.
    if (steep > weighed[l]! * square) weighed[l] = steep / square;
  }
}

/** Pairs, and the reference values that normalise their prices. */
type Valued = { readonly pairs: Pairs; readonly values: { readonly ref: Float64Array } };

/** Value bought per value sold through the best pool of a pair at spot, at the given prices: above 1 it earns. */
export function rateOf({ pairs, values }: Valued, pair: number, price: ArrayLike<number>): number {
  const tail = pairs.tail[pair]!;
  const head = pairs.tail[pair ^ 1]!;
  const paid = pairs.spot[pair]! * price[head]! * values.ref[tail]!;
  return paid > 0 ? paid / (price[tail]! * values.ref[head]!) : 0;
}

/** Of the parallel pools of a pair, the allowed one with the best price after a trade of the value `size`; -1 if there is none. */
export function bestEdge(
  { pairs, values, curves }: Valued & { readonly curves: Curves },
  pair: number,
  size: number,
  allowed: (edge: number) => boolean,
): number {
  const { start, length, data } = pairs.edges;
  const x = size / values.ref[pairs.tail[pair]!]!;
  let best = -1;
  let most = 0;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const edge = data[k]!;
    if (spotSlope(curves, edge) <= most) break;
    const price = slopeAt(curves, edge, x);
    if (!(price > most) || !allowed(edge)) continue;
    best = edge;
    most = price;
  }
  return best;
}
