import { addressAt, callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { priceFitsTick, wordsAround } from "../../core/math/concentrated/tick-words.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import {
  bitmapOf,
  endsWithWords,
  type TickSource,
  tickCalls,
  tickTableOf,
  wordCalls,
} from "../tick-reads.ts";
import { last } from "./history.ts";
import { ANY_VOLUME, type Fees, type Past } from "./past.ts";
import { type FeeSource, type Operator, progressOf, readFeeSource } from "./past-reads.ts";
import type { State } from "./state.ts";

/**
 * globalState() → price, tick; v1 and v1.9: fee, timepoint …; v1.9 with a fee a direction: both fees, timepoint …; v2:
 * tick before, fee, timepoint …; Integral: fee, pluginConfig …
 */
const GLOBAL_STATE: Hex = "0xe76c01e4";
const LIQUIDITY: Hex = "0x1a686502";
/** dataStorageOperator(), except for Integral: the contract that sets the fee */
const OPERATOR: Hex = "0x29047dfa";
/** tickTable(int16), ticks(int24) → total and net liquidity; v2: the ninth word says whether limit orders stand there */
const TICK_TABLE: Hex = "0xc677e3e0";
const TICKS: Hex = "0xf30dba93";

/** Flag of Integral's plugin configuration: the plugin is called before a swap, and may replace its fee. */
const BEFORE_SWAP = 1n;

/**
 * Differences between the generations' reads. The bitmap of v1 has a bit per 60 ticks, the others' a bit per tick.
 * `fees` is the number of fees in globalState, one after the other; the timepoint, or Integral's plugin configuration,
 * follows them.
 */
const GENERATIONS = {
  v1: { history: "v1", spacing: 60, feeWord: 2, fees: 1, linked: false },
  "v1.9": { history: "v1", spacing: 1, feeWord: 2, fees: 1, linked: false },
  "v1.9-directional": { history: "v1", spacing: 1, feeWord: 2, fees: 2, linked: false },
  v2: { history: "v2", spacing: 1, feeWord: 3, fees: 1, linked: true },
  integral: { history: undefined, spacing: 1, feeWord: 2, fees: 1, linked: true },
} as const;

type Version = keyof typeof GENERATIONS;

/** Whether globalState answered up to the fee and the word after it. */
const isAnswered = (pool: Pool, globalState: Hex) => hasWords(globalState, wordAfterFees(pool) + 1);

const generationOf = (pool: Pool) => GENERATIONS[pool.facts.version as Version];

const wordAfterFees = (pool: Pool): number => {
  const { feeWord, fees } = generationOf(pool);
  return feeWord + fees;
};

function feesAnswered(pool: Pool, globalState: Hex): Fees {
  const { feeWord, fees } = generationOf(pool);
  return [Number(uintAt(globalState, feeWord)), Number(uintAt(globalState, feeWord + fees - 1))];
}

/**
 * @param head number of answers before the bitmap words: globalState and liquidity, and except for Integral the
 *   operator and reads of it
 */
function sourceOf(pool: Pool, head: number): TickSource {
  return {
    spacing: generationOf(pool).spacing,
    head,
    word: (number) => ({ to: pool.address, data: callData(TICK_TABLE, number) }),
    tick: (tick) => ({ to: pool.address, data: callData(TICKS, tick) }),
  };
}

/** undefined for older generations, whose fee needs reads before the ticks. */
export function bitmap(pool: Pool): BitmapReads | undefined {
  if (generationOf(pool).history !== undefined) return undefined;
  const heads = [GLOBAL_STATE, LIQUIDITY].map((data) => ({ to: pool.address, data }));
  return bitmapOf(sourceOf(pool, heads.length), heads);
}

/**
 * Rounds: the head; except for Integral the basis of the fee, in several rounds; the bitmap words, around the price
 * if the spacing is small; the ticks.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const hasOperator = generationOf(pool).history !== undefined;
  const heads = hasOperator ? [GLOBAL_STATE, LIQUIDITY, OPERATOR] : [GLOBAL_STATE, LIQUIDITY];
  if (answers.length === 0) return heads.map((data) => ({ to: pool.address, data }));
  const [globalState = "0x"] = answers;
  if (!isAnswered(pool, globalState) || uintAt(globalState, 0) === 0n) return [];
  const fee = feeReading(pool, answers);
  if ("refusal" in fee) return [];
  if ("calls" in fee) return fee.calls;
  const source = sourceOf(pool, fee.head);
  const words = wordsAround(source.spacing, Number(intAt(globalState, 1)));
  if (answers.length === fee.head) return wordCalls(source, words);
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
}

type FeeReading = { readonly source: FeeSource; readonly head: number };

/** The source of the fee and the number of answers before the bitmap words, or the calls still needed for them. */
function feeReading(
  pool: Pool,
  answers: readonly Hex[],
): FeeReading | { readonly calls: readonly Call[] } | Refusal {
  const { history: generation, fees } = generationOf(pool);
  const [globalState = "0x", , operator = "0x"] = answers;
  const following = uintAt(globalState, wordAfterFees(pool));
  if (generation === undefined) {
    if ((following & BEFORE_SWAP) !== 0n) return { refusal: "a plugin may set the fee of a swap" };
    return { source: { fees: feesAnswered(pool, globalState) }, head: 2 };
  }
  if (!hasWords(operator, 1)) return { refusal: "dataStorageOperator failed" };
  const asked: Operator = {
    address: addressAt(operator, 0),
    generation,
    directional: fees === 2,
    lastIndex: Number(following),
  };
  const progress = progressOf(readFeeSource(asked), answers.slice(3));
  if ("calls" in progress) return progress;
  const { value, used } = progress;
  return "refusal" in value ? value : { source: value, head: 3 + used };
}

/**
 * The state, or why the pool is refused, in particular if its fee cannot be known before the swap.
 *
 * @param at the block of the answers
 */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [globalState = "0x", inRange = "0x"] = answers;
  if (!isAnswered(pool, globalState) || !hasWords(inRange, 1))
    return { refusal: "globalState or liquidity failed" };
  const [sqrtPriceX96, tick] = [uintAt(globalState, 0), Number(intAt(globalState, 1))];
  if (sqrtPriceX96 === 0n) return { refusal: "not initialised" };
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const reading = feeReading(pool, answers);
  if ("refusal" in reading) return reading;
  if ("calls" in reading) return { refusal: "timepoints failed" };
  const fees = feesOf(reading.source, feesAnswered(pool, globalState), at);
  if ([fees.feePpm, fees.feeOneToZeroPpm].some((fee) => fee >= 1_000_000))
    return { refusal: "the fee takes everything" };
  const source = sourceOf(pool, reading.head);
  const words = wordsAround(source.spacing, tick);
  const head = { sqrtPriceX96, tick, liquidity: uintAt(inRange, 0) };
  const table = tickTableOf(source, words, answers, head);
  if ("refusal" in table) return table;
  if (
    generationOf(pool).history === "v2" &&
    answers.slice(answers.length - table.ticks.length).some(hasOrders)
  )
    return { refusal: "limit orders stand at its ticks" };
  const state = { ...fees, tickSpacing: source.spacing, ...head, ...table };
  return generationOf(pool).linked ? { ...state, linked: true } : state;
}

const hasOrders = (tick: Hex) => !hasWords(tick, 9) || uintAt(tick, 8) !== 0n;

/** The fees now, and what the next block's follow from. */
function feesOf(
  source: FeeSource,
  [feePpm, feeOneToZeroPpm]: Fees,
  at: At,
): Pick<State, "feePpm" | "feeOneToZeroPpm" | "past"> {
  if ("fees" in source) return { feePpm: source.fees[0], feeOneToZeroPpm: source.fees[1] };
  const past: Past = {
    ...source,
    pending: 0n,
    slack: source.history.generation === "v1" ? ANY_VOLUME : 0n,
    volumeKnownUntil: last(source.history).timestamp,
    readAt: at.timestamp,
  };
  return { feePpm, feeOneToZeroPpm, past };
}
