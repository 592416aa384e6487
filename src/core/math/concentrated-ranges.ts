import { type Concentrated, withinWindow } from "./concentrated-swap.ts";
import { sqrtPriceAtTick, sqrtPriceGrowth } from "./tick-math.ts";
import { countUpTo } from "./tick-table.ts";

/**
 * Ranges of constant liquidity in doubles, four numbers each: the square-root price at the lower end, the liquidity, and
 * the smallest units of token 0 and token 1 that a swap over all of the range moves. Boundaries are the lowest known tick,
 * the initialised ticks, and the highest known tick; range k lies between boundary k and k + 1. After the last range comes
 * the square-root price at its upper end.
 */
export type Ranges = Float64Array;

export const LANES = 4;
export const LIQUIDITY = 1;
export const AMOUNT_0 = 2;
export const AMOUNT_1 = 3;

type Known = {
  readonly sums: readonly bigint[];
  readonly lowest: number;
  readonly highest: number;
  readonly base: bigint;
  readonly ranges: Ranges;
};

/** By the identity of immutable data: the same ticks give the same ranges, so nothing is remembered but work. */
const known = new WeakMap<readonly bigint[], Known>();

/** The ranges, and which of them the price is in; undefined where that is not known. */
export function rangesOf(pool: Concentrated): { readonly ranges: Ranges; readonly at: number } | undefined {
  if (pool.sqrtPriceX96 === 0n || !withinWindow(pool)) return undefined;
  const at = countUpTo(pool.ticks, pool.tick);
  const found = known.get(pool.nets);
  const fits = found !== undefined && found.lowest === pool.lowest && found.highest === pool.highest;
  const sums = fits ? found.sums : prefixSums(pool.nets);
  const base = pool.liquidity - sums[at]!;
  if (fits && found.base === base) return { ranges: found.ranges, at };
  const ranges = build(pool, sums, base);
  known.set(pool.nets, { sums, lowest: pool.lowest, highest: pool.highest, base, ranges });
  return { ranges, at };
}

/** The tick of a boundary. */
export function boundaryTick({ ticks, lowest, highest }: Concentrated, boundary: number): number {
  if (boundary === 0) return lowest;
  return ticks[boundary - 1] ?? highest;
}

function prefixSums(nets: readonly bigint[]): bigint[] {
  const sums = [0n];
  let sum = 0n;
  for (let k = 0; k < nets.length; k++) {
    sum += nets[k]!;
    sums.push(sum);
  }
  return sums;
}

/** @param base liquidity of the first range: what positions reach in from below the known window */
function build(pool: Concentrated, sums: readonly bigint[], base: bigint): Ranges {
  const ranges = new Float64Array(sums.length * LANES + 1);
  let tick = pool.lowest;
  let price = sqrtPriceAtTick(tick);
  for (let k = 0, lane = 0; k < sums.length; k++, lane += LANES) {
    const next = boundaryTick(pool, k + 1);
    const liquidity = Math.max(0, Number(base + sums[k]!));
    // The growth over a range is taken as such: the difference of two neighbouring prices would lose digits.
    const moved = liquidity * sqrtPriceGrowth(next - tick);
    ranges[lane] = price;
    ranges[lane + LIQUIDITY] = liquidity;
    ranges[lane + AMOUNT_1] = moved * price;
    tick = next;
    price = sqrtPriceAtTick(tick);
    ranges[lane + AMOUNT_0] = moved / price;
  }
  ranges[sums.length * LANES] = price;
  return ranges;
}
