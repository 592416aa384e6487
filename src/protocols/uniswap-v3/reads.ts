import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { MAX_TICK, MIN_TICK } from "../../core/math/tick-math.ts";
import { isWhole, priceFitsTick, wordsAround } from "../../core/math/tick-words.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { endsWithWords, type TickSource, tickCalls, tickTableOf, wordCalls } from "../tick-reads.ts";
import type { State } from "./state.ts";

const SLOT0: Hex = "0x3850c7bd";
const LIQUIDITY: Hex = "0x1a686502";
/** tickBitmap(int16) */
const TICK_BITMAP: Hex = "0x5339c296";
/** ticks(int24) */
const TICKS: Hex = "0xf30dba93";

/** Answers before the bitmap words: slot0 and liquidity. */
const HEAD = 2;

function sourceOf(pool: Pool): TickSource {
  return {
    spacing: pool.facts.tickSpacing as number,
    head: HEAD,
    word: (number) => ({ to: pool.address, data: callData(TICK_BITMAP, number) }),
    tick: (tick) => ({ to: pool.address, data: callData(TICKS, tick) }),
  };
}

/** Two rounds where every word is read: head and words, then ticks. Three where the window hangs on the price. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const source = sourceOf(pool);
  const whole = wordsAround(source.spacing, 0);
  if (answers.length === 0) {
    const head = [SLOT0, LIQUIDITY].map((data) => ({ to: pool.address, data }));
    return isWhole(whole) ? [...head, ...wordCalls(source, whole)] : head;
  }
  const slot0 = answers[0]!;
  if (!hasWords(slot0, 2) || uintAt(slot0, 0) === 0n) return [];
  const words = wordsAround(source.spacing, Number(intAt(slot0, 1)));
  if (answers.length === HEAD) return wordCalls(source, words);
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
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
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const table = tickTableOf(sourceOf(pool), wordsAround(tickSpacing, tick), answers, head);
  return "refusal" in table ? table : { ...head, ...table };
}
