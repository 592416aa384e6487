import { type Concentrated, withinWindow } from "./concentrated-swap.ts";
import { sqrtPriceAtTick, sqrtPriceGrowth } from "./tick-math.ts";
import { countUpTo } from "./tick-table.ts";

/**
 * Ranges of constant liquidity in doubles, four numbers each: the square-root price at the lower end, the liquidity,
 * and the smallest units of token 0 and token 1 that a swap across the whole range moves. Boundaries are the lowest
 * known tick, the initialised ticks, and the highest known tick; range k lies between boundaries k and k + 1. The
 * last element is the square-root price at the upper end of the last range. An array, because a typed array of this
 * size takes ten times as long to allocate.
 */
export type Ranges = readonly number[];

export const LANES = 4;
export const LIQUIDITY = 1;
export const AMOUNT_0 = 2;
export const AMOUNT_1 = 3;

type Known = { readonly lowest: number; readonly highest: number; readonly ranges: Ranges };

/** Cache keyed by the identity of `nets`, which is immutable: the same ticks have the same ranges. */
const known = new WeakMap<readonly bigint[], Known>();

/**
 * The ranges, and the index of the one that contains the price; undefined if the price is outside of the known ticks
 * or the pool is not initialised. O(ticks) when ticks changed, else O(log ticks).
 */
export function rangesOf(pool: Concentrated): { readonly ranges: Ranges; readonly at: number } | undefined {
  if (pool.sqrtPriceX96 === 0n || !withinWindow(pool)) return undefined;
  const { ticks, nets, lowest, highest } = pool;
  const at = countUpTo(ticks, pool.tick);
  const found = known.get(nets);
  const fits = found !== undefined && found.lowest === lowest && found.highest === highest;
  // If this range has the pool's liquidity, all cached ranges are valid: the others differ from it by sums of the
  // same `nets`.
  if (fits && found.ranges[at * LANES + LIQUIDITY] === Number(pool.liquidity)) {
    return { ranges: found.ranges, at };
  }
  const ranges = build(pool, at);
  known.set(nets, { lowest, highest, ranges });
  return { ranges, at };
}

/** The tick of a boundary. */
export function boundaryTick({ ticks, lowest, highest }: Concentrated, boundary: number): number {
  if (boundary === 0) return lowest;
  return ticks[boundary - 1] ?? highest;
}

/** @param at the range that the price is in */
function build(pool: Concentrated, at: number): Ranges {
  const { nets, liquidity } = pool;
  const last = nets.length;
  const ranges = new Array<number>((last + 1) * LANES + 1);
  for (let k = 0; k <= last + 1; k++) ranges[k * LANES] = sqrtPriceAtTick(boundaryTick(pool, k));
  let held = liquidity;
  for (let k = at; ; k--) {
    fill(pool, ranges, k, held);
    if (k === 0) break;
    held -= nets[k - 1]!;
  }
  held = liquidity;
  for (let k = at + 1; k <= last; k++) {
    held += nets[k - 1]!;
    fill(pool, ranges, k, held);
  }
  return ranges;
}

/** Fills in the liquidity and amounts of range `k`; the prices at its ends must be set. */
function fill(pool: Concentrated, ranges: number[], k: number, held: bigint): void {
  const lane = k * LANES;
  const liquidity = Math.max(0, Number(held));
  // Relative growth across the range: a difference of neighbouring prices would lose digits.
  const moved = liquidity * sqrtPriceGrowth(boundaryTick(pool, k + 1) - boundaryTick(pool, k));
  ranges[lane + LIQUIDITY] = liquidity;
  ranges[lane + AMOUNT_0] = moved / ranges[lane + LANES]!;
  ranges[lane + AMOUNT_1] = moved * ranges[lane]!;
}
