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

type Known = { readonly lowest: number; readonly highest: number; readonly ranges: Ranges };

/** By the identity of immutable data: the same ticks give the same ranges, so nothing is remembered but work. */
const known = new WeakMap<readonly bigint[], Known>();

/** The ranges, and which of them the price is in; undefined where that is not known. */
export function rangesOf(pool: Concentrated): { readonly ranges: Ranges; readonly at: number } | undefined {
  if (pool.sqrtPriceX96 === 0n || !withinWindow(pool)) return undefined;
  const { ticks, nets, lowest, highest } = pool;
  const at = countUpTo(ticks, pool.tick);
  const found = known.get(nets);
  const fits = found !== undefined && found.lowest === lowest && found.highest === highest;
  // One range of the liquidity that the pool has says that all have theirs: they differ by the same sums.
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
  const { nets } = pool;
  const last = nets.length;
  const ranges = new Float64Array((last + 1) * LANES + 1);
  let held = pool.liquidity;
  for (let k = at; k > 0; k--) held -= nets[k - 1]!;
  let tick = pool.lowest;
  let price = sqrtPriceAtTick(tick);
  for (let k = 0, lane = 0; k <= last; k++, lane += LANES) {
    const next = boundaryTick(pool, k + 1);
    const liquidity = Math.max(0, Number(held));
    // The growth over a range is taken as such: the difference of two neighbouring prices would lose digits.
    const moved = liquidity * sqrtPriceGrowth(next - tick);
    ranges[lane] = price;
    ranges[lane + LIQUIDITY] = liquidity;
    ranges[lane + AMOUNT_1] = moved * price;
    tick = next;
    price = sqrtPriceAtTick(tick);
    ranges[lane + AMOUNT_0] = moved / price;
    if (k < last) held += nets[k]!;
  }
  ranges[(last + 1) * LANES] = price;
  return ranges;
}
