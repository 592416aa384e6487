import { addressAt, callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { priceFitsTick, wordsAround } from "../../core/math/tick-words.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { endsWithWords, type TickSource, tickCalls, tickTableOf, wordCalls } from "../tick-reads.ts";
import type { State } from "./state.ts";

/** globalState() → price, tick, fee; then v1: timepoint …, Integral: pluginConfig … */
const GLOBAL_STATE: Hex = "0xe76c01e4";
const LIQUIDITY: Hex = "0x1a686502";
/** dataStorageOperator() of v1: the contract that sets the fee */
const OPERATOR: Hex = "0x29047dfa";
/** feeConfig() of that contract → alpha1, alpha2, beta1, beta2, gamma1, gamma2, volumeBeta, volumeGamma, baseFee */
const FEE_CONFIG: Hex = "0x1e5eb1d0";
/** tickTable(int16), ticks(int24) */
const TICK_TABLE: Hex = "0xc677e3e0";
const TICKS: Hex = "0xf30dba93";

/** v1 keeps a bit for every 60th tick, Integral one for every tick. */
const V1_SPACING = 60;
/** Integral: the plugin is called before a swap, and may set another fee for it. */
const BEFORE_SWAP = 1n;

const isV1 = (pool: Pool) => pool.facts.version === "v1";

/** Before the words: globalState, liquidity; v1 adds the operator and its configuration. */
function sourceOf(pool: Pool): TickSource {
  return {
    spacing: isV1(pool) ? V1_SPACING : 1,
    head: isV1(pool) ? 4 : 2,
    word: (number) => ({ to: pool.address, data: callData(TICK_TABLE, number) }),
    tick: (tick) => ({ to: pool.address, data: callData(TICKS, tick) }),
  };
}

/** Head; words (v1: and the fee's configuration); ticks. Integral's words are a window around the price. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const heads = isV1(pool) ? [GLOBAL_STATE, LIQUIDITY, OPERATOR] : [GLOBAL_STATE, LIQUIDITY];
  if (answers.length === 0) return heads.map((data) => ({ to: pool.address, data }));
  const [globalState = "0x", , operator = "0x"] = answers;
  if (!hasWords(globalState, 4) || uintAt(globalState, 0) === 0n) return [];
  const source = sourceOf(pool);
  const words = wordsAround(source.spacing, Number(intAt(globalState, 1)));
  if (answers.length === heads.length) {
    if (!isV1(pool)) return wordCalls(source, words);
    if (!hasWords(operator, 1)) return [];
    return [{ to: addressAt(operator, 0), data: FEE_CONFIG }, ...wordCalls(source, words)];
  }
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
}

/** The state, or why the pool is refused: above all a fee that cannot be known before the swap. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [globalState = "0x", inRange = "0x"] = answers;
  if (!hasWords(globalState, 4) || !hasWords(inRange, 1))
    return { refusal: "globalState or liquidity failed" };
  const [sqrtPriceX96, tick] = [uintAt(globalState, 0), Number(intAt(globalState, 1))];
  if (sqrtPriceX96 === 0n) return { refusal: "not initialised" };
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const fee = isV1(pool) ? fixedFee(answers[3]) : feeWithoutPlugin(globalState);
  if (typeof fee !== "number") return fee;
  if (fee >= 1_000_000) return { refusal: "the fee takes everything" };
  const source = sourceOf(pool);
  const head = { sqrtPriceX96, tick, liquidity: uintAt(inRange, 0) };
  const table = tickTableOf(source, wordsAround(source.spacing, tick), answers, head);
  if ("refusal" in table) return table;
  const facts = { feePpm: fee, feeOneToZeroPpm: fee, tickSpacing: source.spacing };
  return isV1(pool) ? { ...facts, ...head, ...table } : { ...facts, ...head, ...table, linked: true };
}

/** v1 sets the fee by volatility in the first swap of a block, unless both of its sigmoids have no height. */
function fixedFee(config: Hex | undefined): number | Refusal {
  if (config === undefined || !hasWords(config, 9)) return { refusal: "feeConfig failed" };
  if (uintAt(config, 0) !== 0n || uintAt(config, 1) !== 0n) return { refusal: "the fee follows volatility" };
  return Number(uintAt(config, 8));
}

function feeWithoutPlugin(globalState: Hex): number | Refusal {
  if ((uintAt(globalState, 3) & BEFORE_SWAP) !== 0n) return { refusal: "a plugin may set the fee of a swap" };
  return Number(uintAt(globalState, 2));
}
