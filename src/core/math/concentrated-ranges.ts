import type { Concentrated } from "./concentrated-swap.ts";
import { sqrtPriceAtTick, sqrtPriceGrowth, sqrtRatioAtTick } from "./tick-math.ts";

/**
 * Ranges of constant liquidity in doubles. Boundaries are the lowest known tick, the initialised ticks, and the highest
 * known tick; range k lies between boundary k and k + 1.
 */
export type Ranges = {
  readonly boundaries: readonly number[];
  /** Square-root price in 64.96 fixed point of the boundaries that were asked for. */
  readonly ratios: (bigint | undefined)[];
  /** One for each boundary. */
  readonly sqrtPrice: Float64Array;
  /** One for each range, like the amounts that a swap over all of it moves, in smallest units. */
  readonly liquidity: Float64Array;
  readonly amount0: Float64Array;
  readonly amount1: Float64Array;
};

type Known = {
  readonly sums: readonly bigint[];
  readonly lowest: number;
  readonly highest: number;
  readonly base: bigint;
  readonly ranges: Ranges;
};

/** By the identity of immutable data: the same ticks give the same ranges, so nothing is remembered but work. */
const known = new WeakMap<readonly bigint[], Known>();

/** @param at range of the current price */
export function rangesOf(pool: Concentrated, at: number): Ranges {
  const found = known.get(pool.nets);
  const fits = found !== undefined && found.lowest === pool.lowest && found.highest === pool.highest;
  const sums = fits ? found.sums : prefixSums(pool.nets);
  const base = pool.liquidity - sums[at]!;
  if (fits && found.base === base) return found.ranges;
  const ranges = build(pool, sums, base);
  known.set(pool.nets, { sums, lowest: pool.lowest, highest: pool.highest, base, ranges });
  return ranges;
}

/** The exact square-root price of a boundary, in 64.96 fixed point. */
export function ratioAt({ boundaries, ratios }: Ranges, boundary: number): bigint {
  const known = ratios[boundary];
  if (known !== undefined) return known;
  const ratio = sqrtRatioAtTick(boundaries[boundary]!);
  ratios[boundary] = ratio;
  return ratio;
}

function prefixSums(nets: readonly bigint[]): bigint[] {
  const sums = [0n];
  for (const net of nets) sums.push(sums[sums.length - 1]! + net);
  return sums;
}

/** @param base liquidity of the first range: what positions reach in from below the known window */
function build(pool: Concentrated, sums: readonly bigint[], base: bigint): Ranges {
  const boundaries = [pool.lowest, ...pool.ticks, pool.highest];
  const sqrtPrice = Float64Array.from(boundaries, sqrtPriceAtTick);
  const liquidity = Float64Array.from(sums, (sum) => Math.max(0, Number(base + sum)));
  const amount0 = new Float64Array(liquidity.length);
  const amount1 = new Float64Array(liquidity.length);
  for (let k = 0; k < liquidity.length; k++) {
    // The growth over a range is taken as such: the difference of two neighbouring prices would lose digits.
    const growth = sqrtPriceGrowth(boundaries[k + 1]! - boundaries[k]!);
    amount0[k] = (liquidity[k]! * growth) / sqrtPrice[k + 1]!;
    amount1[k] = liquidity[k]! * growth * sqrtPrice[k]!;
  }
  const ratios = new Array<bigint | undefined>(boundaries.length).fill(undefined);
  return { boundaries, ratios, sqrtPrice, liquidity, amount0, amount1 };
}
