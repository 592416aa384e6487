import type { ConcentratedMirror } from "../../core/math/concentrated/concentrated-mirror.ts";
import {
  priceAtTick,
  priceGrowth,
  priceNumber,
  sqrtPriceOf,
} from "../../core/math/concentrated/ekubo-price.ts";
import { countUpTo } from "../../core/math/concentrated/tick-table.ts";
import type { CorePool } from "./swap.ts";

/** The pool in doubles. Extensions are not mirrored: `load` refuses those that change amounts. */
export function mirror(pool: CorePool): ConcentratedMirror {
  const keep = Number(2n ** 64n - pool.fee) / 2 ** 64;
  const { ticks, price, tick } = pool;
  if (price === 0n) return { keep, ranges: [], at: 0, sqrtPrice: 0, below: 0, above: 0 };
  const at = countUpTo(ticks, tick);
  const boundaries = [pool.lowest, ...ticks, pool.highest];
  const distance = (boundary: number) => {
    const exact = price - priceAtTick(boundaries[boundary]!);
    return priceNumber(exact < 0n ? -exact : exact);
  };
  return {
    keep,
    ranges: rangesOf(pool, boundaries, at),
    at,
    sqrtPrice: priceNumber(price),
    below: distance(at),
    above: distance(at + 1),
  };
}

/** Ranges in the form of `core/math/concentrated/concentrated-ranges.ts`. O(ticks). */
function rangesOf({ nets, liquidity }: CorePool, boundaries: readonly number[], at: number): number[] {
  const held = new Array<bigint>(nets.length + 1);
  held[at] = liquidity;
  for (let k = at - 1; k >= 0; k--) held[k] = held[k + 1]! - nets[k]!;
  for (let k = at + 1; k < held.length; k++) held[k] = held[k - 1]! + nets[k - 1]!;
  const ranges: number[] = [];
  for (let k = 0; k < held.length; k++) {
    const [lower, upper] = [sqrtPriceOf(boundaries[k]!), sqrtPriceOf(boundaries[k + 1]!)];
    const moved = Number(held[k]) * priceGrowth(boundaries[k + 1]! - boundaries[k]!);
    ranges.push(lower, Number(held[k]), moved / upper, moved * lower);
  }
  ranges.push(sqrtPriceOf(boundaries.at(-1)!));
  return ranges;
}
