import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, sqrtRatioAtTick } from "./tick-math.ts";

/** Which words of a pool's tick bitmap are read, and which ticks are known then. */

/**
 * Cap on the bitmap words read for one pool: it covers all words if the spacing is 7 or more, else a window around
 * the price. The pool is priced within the window only; at spacing 1 it spans a price factor of 490,000 in each
 * direction.
 */
const MAX_WORDS = 1025;

/** The bitmap words `first` … `last`, and the range of ticks that is known when they were read. */
export type Words = {
  readonly first: number;
  readonly last: number;
  readonly lowest: number;
  readonly highest: number;
};

/**
 * Numbers of the first and last word that a pool can have, and the number of words read on either side of the price.
 */
export function wordBounds(spacing: number): { lowest: number; highest: number; reach: number } {
  const lowest = Math.ceil(MIN_TICK / spacing) >> 8;
  const highest = Math.floor(MAX_TICK / spacing) >> 8;
  return { lowest, highest, reach: highest - lowest < MAX_WORDS ? MAX_WORDS : (MAX_WORDS - 1) / 2 };
}

/**
 * The words to read around `tick`. @param spacing ticks per bit: the pool's spacing, or 1 if its bitmap has a bit per
 * tick
 */
export function wordsAround(spacing: number, tick: number): Words {
  const { lowest, highest, reach } = wordBounds(spacing);
  const center = Math.floor(tick / spacing) >> 8;
  const first = Math.max(lowest, center - reach);
  const last = Math.min(highest, center + reach);
  return {
    first,
    last,
    lowest: first === lowest ? MIN_TICK : first * 256 * spacing,
    highest: last === highest ? MAX_TICK : (last * 256 + 255) * spacing,
  };
}

/** Whether these are all the words that a pool can have. */
export function isWhole(words: Words): boolean {
  return words.lowest === MIN_TICK && words.highest === MAX_TICK;
}

/** The words' numbers, ascending. */
export function wordNumbers({ first, last }: Words): number[] {
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}

/** Ticks whose bit is set, ascending. @param values the words from `first` on; a missing word counts as empty */
export function ticksInWords(spacing: number, { first, last }: Words, values: readonly bigint[]): number[] {
  const ticks: number[] = [];
  for (let word = first; word <= last; word++) {
    let bits = values[word - first] ?? 0n;
    for (let bit = 0; bits > 0n; bit++, bits >>= 1n)
      if ((bits & 1n) === 1n) ticks.push((word * 256 + bit) * spacing);
  }
  return ticks;
}

/**
 * Whether a pool can have this price and this tick. At a tick's own price the pool is in the tick below if it came
 * from above.
 */
export function priceFitsTick(sqrtPriceX96: bigint, tick: number): boolean {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) return false;
  if (tick < MIN_TICK - 1 || tick >= MAX_TICK) return false;
  return (
    sqrtPriceX96 <= sqrtRatioAtTick(tick + 1) && (tick < MIN_TICK || sqrtPriceX96 >= sqrtRatioAtTick(tick))
  );
}
