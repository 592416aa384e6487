import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
} from "../../core/math/tick-math.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import type { State } from "./state.ts";

const SLOT0: Hex = "0x3850c7bd";
const LIQUIDITY: Hex = "0x1a686502";
/** tickBitmap(int16) */
const TICK_BITMAP: Hex = "0x5339c296";
/** ticks(int24) */
const TICKS: Hex = "0xf30dba93";

/** Answers before the bitmap words: slot0 and liquidity. */
const HEAD = 2;

/**
 * As many bitmap words as are read of one pool: all of them where the spacing is 7 or more; below, a window around the
 * price. Within it the pool is priced, beyond it refuses; at spacing 1 it spans a factor of 490,000 each way.
 */
const MAX_WORDS = 1025;

/** Bitmap words `first` … `last`, and the ticks that are known when these are read. */
type Words = {
  readonly first: number;
  readonly last: number;
  readonly lowest: number;
  readonly highest: number;
};

/** Two rounds where every word is read: head and words, then ticks. Three where the window hangs on the price. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const spacing = pool.facts.tickSpacing as number;
  const whole = wordsAround(spacing, 0);
  if (answers.length === 0) {
    const head = [SLOT0, LIQUIDITY].map((data) => ({ to: pool.address, data }));
    return isWhole(whole) ? [...head, ...wordCalls(pool, whole)] : head;
  }
  const slot0 = answers[0]!;
  if (!hasWords(slot0, 2) || uintAt(slot0, 0) === 0n) return [];
  const words = wordsAround(spacing, Number(intAt(slot0, 1)));
  if (answers.length === HEAD) return wordCalls(pool, words);
  if (answers.length > HEAD + words.last - words.first + 1) return [];
  return setTicks(spacing, words, answers).map((tick) => ({ to: pool.address, data: callData(TICKS, tick) }));
}

/** The state, or why the pool is refused. A pool that is not initialised yet is a state that cannot fill. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  const { feePpm, tickSpacing } = pool.facts as { feePpm: number; tickSpacing: number };
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  if (!(feePpm >= 0 && feePpm < 1_000_000 && tickSpacing > 0))
    return { refusal: "fee or tick spacing out of range" };
  const [slot0 = "0x", inRange = "0x"] = answers;
  if (!hasWords(slot0, 2) || !hasWords(inRange, 1)) return { refusal: "slot0 or liquidity failed" };
  const sqrtPriceX96 = uintAt(slot0, 0);
  const tick = Number(intAt(slot0, 1));
  const head = { feePpm, tickSpacing, sqrtPriceX96, tick, liquidity: uintAt(inRange, 0) };
  if (sqrtPriceX96 === 0n)
    return { ...head, lowest: MIN_TICK, highest: MAX_TICK, ticks: [], nets: [], grosses: [] };
  if (!fits(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  return withTicks(head, wordsAround(tickSpacing, tick), answers);
}

type Head = Pick<State, "feePpm" | "tickSpacing" | "sqrtPriceX96" | "tick" | "liquidity">;

function withTicks(head: Head, words: Words, answers: readonly Hex[]): State | Refusal {
  const wordAnswers = answers.slice(HEAD, HEAD + words.last - words.first + 1);
  if (wordAnswers.length <= words.last - words.first || !wordAnswers.every((answer) => hasWords(answer, 1)))
    return { refusal: "tickBitmap failed" };
  const ticks = setTicks(head.tickSpacing, words, answers);
  const tickAnswers = answers.slice(HEAD + wordAnswers.length);
  if (tickAnswers.length !== ticks.length || !tickAnswers.every((answer) => hasWords(answer, 2)))
    return { refusal: "ticks failed" };
  const grosses = tickAnswers.map((answer) => uintAt(answer, 0));
  const nets = tickAnswers.map((answer) => intAt(answer, 1));
  if (grosses.includes(0n)) return { refusal: "bitmap and ticks disagree" };
  const below = nets.reduce((sum, net, k) => (ticks[k]! <= head.tick ? sum + net : sum), 0n);
  if (isWhole(words) && below !== head.liquidity) return { refusal: "liquidity is not its ticks' sum" };
  return { ...head, lowest: words.lowest, highest: words.highest, ticks, nets, grosses };
}

/** A price that stands on a tick from above belongs to the tick below it. */
function fits(sqrtPriceX96: bigint, tick: number): boolean {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) return false;
  if (tick < MIN_TICK - 1 || tick >= MAX_TICK) return false;
  return (
    sqrtPriceX96 <= sqrtRatioAtTick(tick + 1) && (tick < MIN_TICK || sqrtPriceX96 >= sqrtRatioAtTick(tick))
  );
}

function wordsAround(spacing: number, tick: number): Words {
  const lowest = Math.ceil(MIN_TICK / spacing) >> 8;
  const highest = Math.floor(MAX_TICK / spacing) >> 8;
  const reach = highest - lowest < MAX_WORDS ? MAX_WORDS : (MAX_WORDS - 1) / 2;
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

function isWhole(words: Words): boolean {
  return words.lowest === MIN_TICK && words.highest === MAX_TICK;
}

function wordCalls(pool: Pool, { first, last }: Words): Call[] {
  return Array.from({ length: last - first + 1 }, (_, k) => ({
    to: pool.address,
    data: callData(TICK_BITMAP, first + k),
  }));
}

/** Ticks whose bit is set in the word answers, ascending. */
function setTicks(spacing: number, { first, last }: Words, answers: readonly Hex[]): number[] {
  const ticks: number[] = [];
  for (let word = first; word <= last; word++) {
    const answer = answers[HEAD + word - first] ?? "0x";
    if (!hasWords(answer, 1)) continue;
    let bits = uintAt(answer, 0);
    for (let bit = 0; bits > 0n; bit++, bits >>= 1n)
      if ((bits & 1n) === 1n) ticks.push((word * 256 + bit) * spacing);
  }
  return ticks;
}
