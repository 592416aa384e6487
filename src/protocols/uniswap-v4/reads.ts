import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { MAX_TICK, MIN_TICK } from "../../core/math/concentrated/tick-math.ts";
import { isWhole, priceFitsTick, wordsAround } from "../../core/math/concentrated/tick-words.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import {
  bitmapOf,
  endsWithWords,
  type TickSource,
  tickCalls,
  tickTableOf,
  wordCalls,
} from "../tick-reads.ts";
import { DYNAMIC_FEE, GET_SLOT0, protocolFees } from "./events.ts";
import type { State } from "./state.ts";

/** Functions of StateView: getLiquidity(bytes32), getTickBitmap(bytes32,int16), getTickLiquidity(bytes32,int24) */
const GET_LIQUIDITY: Hex = "0xfa6793d5";
const GET_TICK_BITMAP: Hex = "0x1c7ccb4c";
const GET_TICK_LIQUIDITY: Hex = "0xcaedab54";

/** Number of answers before the bitmap words: slot0 and liquidity. */
const HEAD = 2;

/** Permission bits in a hook's address for calls around a swap, with or without changes of amounts. */
const SWAP_HOOKS = 0b1100_1100n;

type Facts = {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
  readonly listed: boolean;
  readonly stateView: Address;
};

const factsOf = (pool: Pool) => pool.facts as Facts;

/** Whether hooks may make a swap deviate from the pool's ticks. */
function isHooked({ hooks, listed }: Facts): boolean {
  return !listed && (BigInt(hooks) & SWAP_HOOKS) !== 0n;
}

function call(pool: Pool, selector: Hex, ...more: readonly number[]): Call {
  return { to: factsOf(pool).stateView, data: callData(selector, BigInt(pool.id), ...more) };
}

function sourceOf(pool: Pool): TickSource {
  return {
    spacing: factsOf(pool).tickSpacing,
    head: HEAD,
    word: (number) => call(pool, GET_TICK_BITMAP, number),
    tick: (tick) => call(pool, GET_TICK_LIQUIDITY, tick),
  };
}

export function bitmap(pool: Pool): BitmapReads | undefined {
  if (isHooked(factsOf(pool))) return undefined;
  return bitmapOf(sourceOf(pool), [call(pool, GET_SLOT0), call(pool, GET_LIQUIDITY)]);
}

/** Two rounds if all bitmap words are read: head and words, then ticks. One more if the window depends on the price. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const facts = factsOf(pool);
  if (isHooked(facts)) return [];
  const source = sourceOf(pool);
  const whole = wordsAround(facts.tickSpacing, 0);
  if (answers.length === 0) {
    const head = [call(pool, GET_SLOT0), call(pool, GET_LIQUIDITY)];
    return isWhole(whole) ? [...head, ...wordCalls(source, whole)] : head;
  }
  const slot0 = answers[0]!;
  if (!hasWords(slot0, 4) || uintAt(slot0, 0) === 0n) return [];
  const words = wordsAround(facts.tickSpacing, Number(intAt(slot0, 1)));
  if (answers.length === HEAD) return wordCalls(source, words);
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const facts = factsOf(pool);
  if (isHooked(facts)) return { refusal: "a hook that is not listed may change what a swap pays" };
  const [slot0 = "0x", inRange = "0x"] = answers;
  if (!hasWords(slot0, 4) || !hasWords(inRange, 1)) return { refusal: "getSlot0 or getLiquidity failed" };
  const [sqrtPriceX96, tick] = [uintAt(slot0, 0), Number(intAt(slot0, 1))];
  const head = {
    manager: pool.address,
    feePpm: Number(uintAt(slot0, 3)),
    protocolFees: protocolFees(uintAt(slot0, 2)),
    dynamic: facts.fee === DYNAMIC_FEE,
    readAt: at.blockNumber,
    tickSpacing: facts.tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity: uintAt(inRange, 0),
  };
  if (sqrtPriceX96 === 0n)
    return { ...head, lowest: MIN_TICK, highest: MAX_TICK, ticks: [], nets: [], grosses: [] };
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const table = tickTableOf(sourceOf(pool), wordsAround(facts.tickSpacing, tick), answers, head);
  return "refusal" in table ? table : { ...head, ...table };
}
