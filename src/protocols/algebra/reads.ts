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
} from "../shared/concentrated/tick-reads.ts";
import { last } from "./history.ts";
import { ANY_VOLUME, type Fees, feesAtNewest, type Past } from "./past.ts";
import { type FeeSource, type Operator, progressOf, readFeeSource } from "./past-reads.ts";
import { isBeforeSwap, pluginCalls, pluginsOf, provenPlugin, readPluginFee } from "./plugin-reads.ts";
import { slidingFees } from "./sliding-fee.ts";
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

/**
 * Differences between the generations' reads. The bitmap of v1 has a bit per 60 ticks, the others' a bit per tick.
 * `operator` is the kind of the operator's timepoints; Integral has no operator. `fees` is the number of fees in globalState, one after the other; the timepoint, or Integral's plugin configuration,
 * follows them.
 */
const GENERATIONS = {
  v1: { operator: "v1", spacing: 60, feeWord: 2, fees: 1, linked: false },
  "v1.9": { operator: "v1", spacing: 1, feeWord: 2, fees: 1, linked: false },
  "v1.9-directional": { operator: "v1", spacing: 1, feeWord: 2, fees: 2, linked: false },
  v2: { operator: "v2", spacing: 1, feeWord: 3, fees: 1, linked: true },
  integral: { operator: undefined, spacing: 1, feeWord: 2, fees: 1, linked: true },
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

/** @param head number of answers before the bitmap words: `headCalls`, and reads of the operator or the plugin */
function sourceOf(pool: Pool, head: number): TickSource {
  return {
    spacing: generationOf(pool).spacing,
    head,
    word: (number) => ({ to: pool.address, data: callData(TICK_TABLE, number) }),
    tick: (tick) => ({ to: pool.address, data: callData(TICKS, tick) }),
  };
}

/** Price and liquidity, and who sets the fee, if that is not the pool alone. */
function headCalls(pool: Pool): readonly Call[] {
  const heads = [GLOBAL_STATE, LIQUIDITY].map((data) => ({ to: pool.address, data }));
  if (generationOf(pool).operator !== undefined) return [...heads, { to: pool.address, data: OPERATOR }];
  const plugins = pluginsOf(pool);
  return plugins === undefined ? heads : [...heads, ...pluginCalls(pool, plugins)];
}

/** undefined if an operator or a plugin sets the fee, which needs reads before the ticks. */
export function bitmap(pool: Pool): BitmapReads | undefined {
  if (generationOf(pool).operator !== undefined || pluginsOf(pool) !== undefined) return undefined;
  const heads = headCalls(pool);
  return bitmapOf(sourceOf(pool, heads.length), heads);
}

/**
 * Rounds: the head; the basis of the fee, in several rounds, if an operator or a plugin sets it; the bitmap words,
 * around the price if the spacing is small; the ticks.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length === 0) return headCalls(pool);
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

type FeeReading = {
  readonly source: FeeSource;
  readonly head: number;
  /** Whether a plugin sets the fee, whose parameters may change without a log of the pool. */
  readonly isPlugged: boolean;
};

/** The source of the fee and the number of answers before the bitmap words, or the calls still needed for them. */
function feeReading(
  pool: Pool,
  answers: readonly Hex[],
): FeeReading | { readonly calls: readonly Call[] } | Refusal {
  const { operator: generation } = generationOf(pool);
  const [globalState = "0x"] = answers;
  const head = headCalls(pool).length;
  const isPlugged = generation === undefined && isBeforeSwap(uintAt(globalState, wordAfterFees(pool)));
  if (generation === undefined && !isPlugged)
    return { source: { fees: feesAnswered(pool, globalState) }, head, isPlugged };
  const reading = isPlugged ? pluginReading(pool, answers) : operatorReading(pool, answers);
  if ("refusal" in reading) return reading;
  const progress = progressOf(reading, answers.slice(head));
  if ("calls" in progress) return progress;
  const { value, used } = progress;
  return "refusal" in value ? value : { source: value, head: head + used, isPlugged };
}

function operatorReading(
  pool: Pool,
  [globalState = "0x", , operator = "0x"]: readonly Hex[],
): ReturnType<typeof readFeeSource> | Refusal {
  if (!hasWords(operator, 1)) return { refusal: "dataStorageOperator failed" };
  const { operator: generation, fees } = generationOf(pool);
  const asked: Operator = {
    address: addressAt(operator, 0),
    generation: generation!,
    directional: fees === 2,
    lastIndex: Number(uintAt(globalState, wordAfterFees(pool))),
  };
  return readFeeSource(asked);
}

function pluginReading(
  pool: Pool,
  [globalState = "0x", , ...plugin]: readonly Hex[],
): ReturnType<typeof readPluginFee> | Refusal {
  const plugins = pluginsOf(pool);
  if (plugins === undefined) return { refusal: "a plugin may set the fee of a swap" };
  const proven = provenPlugin(uintAt(globalState, wordAfterFees(pool)), plugin);
  return typeof proven === "string" ? readPluginFee(proven, plugins) : proven;
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
  const fees = feesOf(reading, feesAnswered(pool, globalState), at);
  if ([fees.feePpm, fees.feeOneToZeroPpm].some((fee) => fee >= 1_000_000))
    return { refusal: "the fee takes everything" };
  const source = sourceOf(pool, reading.head);
  const words = wordsAround(source.spacing, tick);
  const head = { sqrtPriceX96, tick, liquidity: uintAt(inRange, 0) };
  const table = tickTableOf(source, words, answers, head);
  if ("refusal" in table) return table;
  if (
    generationOf(pool).operator === "v2" &&
    answers.slice(answers.length - table.ticks.length).some(hasOrders)
  )
    return { refusal: "limit orders stand at its ticks" };
  const state = { ...fees, tickSpacing: source.spacing, ...head, ...table };
  return generationOf(pool).linked ? { ...state, linked: true } : state;
}

const hasOrders = (tick: Hex) => !hasWords(tick, 9) || uintAt(tick, 8) !== 0n;

type FeeState = Pick<State, "feePpm" | "feeOneToZeroPpm" | "past" | "sliding" | "readAt">;

/** The fees now, and what the next block's follow from. */
function feesOf({ source, isPlugged }: FeeReading, answered: Fees, { timestamp: readAt }: At): FeeState {
  const withFees = ([feePpm, feeOneToZeroPpm]: Fees) => ({ feePpm, feeOneToZeroPpm });
  if ("fees" in source) return { ...withFees(source.fees), ...(isPlugged ? { readAt } : {}) };
  if ("sliding" in source) return { ...withFees(slidingFees(source.sliding)), ...source, readAt };
  const past: Past = {
    ...source,
    pending: 0n,
    slack: source.history.generation === "v1" ? ANY_VOLUME : 0n,
    volumeKnownUntil: last(source.history).timestamp,
    readAt,
  };
  return { ...withFees(feesNow(past, answered)), past };
}

/**
 * The fees of the block read. A plugin of Integral may return its fee to the pool with each swap, and then the pool's
 * own fee is not that of the newest timepoint.
 */
function feesNow(past: Past, answered: Fees): Fees {
  const isNow = past.history.generation === "integral" && last(past.history).timestamp === past.readAt;
  return (isNow ? feesAtNewest(past) : undefined) ?? answered;
}
