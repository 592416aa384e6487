import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { MAX_TICK, MIN_TICK } from "../../core/math/concentrated/tick-math.ts";
import { isWhole, priceFitsTick, wordsAround } from "../../core/math/concentrated/tick-words.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import {
  bitmapOf,
  endsWithWords,
  type TickSource,
  tickCalls,
  tickTableOf,
  wordCalls,
} from "../shared/concentrated/tick-reads.ts";
import { asksFactory, asksPool } from "./discovery.ts";
import { FEE, feeFrom, feeReads, headWithFee, moduleReads } from "./fee-reads.ts";
import { PERIOD_GAS, type State } from "./state.ts";

const SLOT0: Hex = "0x3850c7bd";
const LIQUIDITY: Hex = "0x1a686502";
/** tickBitmap(int16) */
const TICK_BITMAP: Hex = "0x5339c296";
/** ticks(int24) */
const TICKS: Hex = "0xf30dba93";

/** The first calls, unless a module of the factory states the fee. Their answers precede the bitmap words. */
function headsOf(pool: Pool): readonly Call[] {
  const heads = asksPool(pool) ? [SLOT0, LIQUIDITY, FEE] : [SLOT0, LIQUIDITY];
  return heads.map((data) => ({ to: pool.address, data }));
}

/** @param answers those received so far; they determine the number of answers before the bitmap words */
function sourceOf(pool: Pool, answers: readonly Hex[] = []): TickSource {
  return {
    spacing: pool.facts.tickSpacing as number,
    head: asksFactory(pool) ? headWithFee(pool, answers) : headsOf(pool).length,
    word: (number) => ({ to: pool.address, data: callData(TICK_BITMAP, number) }),
    tick: (tick) => ({ to: pool.address, data: callData(TICKS, tick) }),
  };
}

/** undefined if the fee comes from the factory: more reads are then needed before the ticks. */
export function bitmap(pool: Pool): BitmapReads | undefined {
  if (asksFactory(pool)) return undefined;
  return bitmapOf(sourceOf(pool), headsOf(pool));
}

/**
 * Two rounds if all bitmap words are read: head and words, then ticks. One more if the window depends on the price,
 * two if the fee depends on a module, and three if it moves.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const source = sourceOf(pool, answers);
  if (answers.length === 0) return firstReads(pool, source);
  const slot0 = answers[0]!;
  if (!hasWords(slot0, 2) || uintAt(slot0, 0) === 0n) return [];
  if (answers.length < source.head) return moduleReads(pool, answers);
  const words = wordsAround(source.spacing, Number(intAt(slot0, 1)));
  if (answers.length === source.head) return wordCalls(source, words);
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
}

function firstReads(pool: Pool, source: TickSource): readonly Call[] {
  const head = headsOf(pool);
  if (asksFactory(pool)) return [...head, ...feeReads(pool)];
  const whole = wordsAround(source.spacing, 0);
  return isWhole(whole) ? [...head, ...wordCalls(source, whole)] : head;
}

/** The state, or why the pool is refused. A pool that is not initialised has a valid state that cannot fill. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [slot0 = "0x", inRange = "0x"] = answers;
  if (!hasWords(slot0, 2) || !hasWords(inRange, 1)) return { refusal: "slot0 or liquidity failed" };
  const tick = Number(intAt(slot0, 1));
  const fee = feeOf(pool, answers, { tick, at });
  if ("refusal" in fee) return fee;
  const tickSpacing = pool.facts.tickSpacing as number;
  if (!(fee.feePpm >= 0 && fee.feePpm < 1_000_000 && tickSpacing > 0))
    return { refusal: "fee or tick spacing out of range" };
  const sqrtPriceX96 = uintAt(slot0, 0);
  const head = { ...fee, tickSpacing, sqrtPriceX96, tick, liquidity: uintAt(inRange, 0) };
  if (sqrtPriceX96 === 0n)
    return { ...head, lowest: MIN_TICK, highest: MAX_TICK, ticks: [], nets: [], grosses: [] };
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const table = tickTableOf(sourceOf(pool, answers), wordsAround(tickSpacing, tick), answers, head);
  return "refusal" in table ? table : { ...head, ...table };
}

type Read = { readonly tick: number; readonly at: At };

function feeOf(
  pool: Pool,
  answers: readonly Hex[],
  { tick, at }: Read,
): Pick<State, "feePpm" | "fees"> | Refusal {
  if (asksFactory(pool)) return feeFrom(pool, answers, tick, at);
  if (!asksPool(pool)) return { feePpm: pool.facts.feePpm as number };
  const stated = answers[2] ?? "0x";
  if (!hasWords(stated, 1)) return { refusal: "fee failed" };
  const fees = { module: pool.address, readAt: at.timestamp, swapGas: PERIOD_GAS };
  return { feePpm: Number(uintAt(stated, 0)), fees };
}
