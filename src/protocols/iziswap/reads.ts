import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import { sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import {
  isWhole,
  ticksInWords,
  type Words,
  wordNumbers,
  wordsAround,
} from "../../core/math/concentrated/tick-words.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { LAST_POINT, type Mark, type State } from "./state.ts";

/** state() → square-root price, point, three numbers of observations, is locked, liquidity, liquidity of X */
const STATE: Hex = "0xc19d93fb";
const STATE_WORDS = 8;
/** fee(), pointDelta() */
const FACTS: readonly Hex[] = ["0xddca3f43", "0x58c51ce6"];
/** pointBitmap(int16) */
const BITMAP: Hex = "0x98a0f72e";
/** points(int24) → sum and change of liquidity, two fees, is endpoint */
const POINT: Hex = "0x75c0e0d5";
const POINT_WORDS = 5;
/** limitOrderData(int24) → X left to sell, three and a fourth of earned Y, Y left to sell … */
const ORDERS: Hex = "0x8790aca3";
const ORDER_WORDS = 6;

/** Number of answers of the first round. */
const HEAD = 3;
/** Cap on marks per pool: no honest pool has as many. */
const MOST_MARKS = 16_384;
const PPM = 1_000_000n;

type Facts = { readonly feePpm: number; readonly spacing: number };
const factsOf = (pool: Pool) => pool.facts as Facts;

/** The words around the present point; undefined without one. */
function wordsOf(pool: Pool, [state = "0x"]: readonly Hex[]): Words | undefined {
  if (!hasWords(state, STATE_WORDS)) return undefined;
  const point = Number(intAt(state, 1));
  const { spacing } = factsOf(pool);
  return Math.abs(point) > LAST_POINT || !(spacing > 0) ? undefined : wordsAround(spacing, point);
}

const countOf = ({ first, last }: Words): number => last - first + 1;

/** Points whose bit is set, ascending. */
function setPoints(pool: Pool, words: Words, answers: readonly Hex[]): number[] {
  const values = answers
    .slice(HEAD, HEAD + countOf(words))
    .map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : 0n));
  return ticksInWords(factsOf(pool).spacing, words, values);
}

/** Three rounds: the head; the bitmap around the price; liquidity and limit orders of the points whose bits are set. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const call = (data: Hex): Call => ({ to: pool.address, data });
  if (answers.length === 0) return [STATE, ...FACTS].map(call);
  const words = wordsOf(pool, answers);
  if (words === undefined) return [];
  if (answers.length === HEAD) return wordNumbers(words).map((number) => call(callData(BITMAP, number)));
  if (answers.length > HEAD + countOf(words)) return [];
  const points = setPoints(pool, words, answers);
  if (points.length > MOST_MARKS) return [];
  return points.flatMap((point) => [POINT, ORDERS].map((selector) => call(callData(selector, point))));
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "both tokens are the same" };
  const [state = "0x", ...facts] = answers.slice(0, HEAD);
  const words = wordsOf(pool, answers);
  if (words === undefined || facts.length !== HEAD - 1 || !facts.every((one) => hasWords(one, 1)))
    return { refusal: "state, fee or pointDelta failed" };
  const { feePpm, spacing } = factsOf(pool);
  const [fee, delta] = facts.map((answer) => uintAt(answer, 0));
  if (fee !== BigInt(feePpm) || delta !== BigInt(spacing) || fee >= PPM)
    return { refusal: "the pool states another fee or spacing than its factory" };
  const [point, liquidity, liquidityX] = [Number(intAt(state, 1)), uintAt(state, 6), uintAt(state, 7)];
  if (uintAt(state, 0) !== sqrtRatioAtTick(point) || liquidityX > liquidity)
    return { refusal: "price, point and liquidity disagree" };
  const marks = marksOf(pool, words, answers);
  if ("refusal" in marks) return marks;
  const below = marks.reduce((sum, mark) => (mark.point <= point ? sum + mark.delta : sum), 0n);
  if (isWhole(words) && below !== liquidity) return { refusal: "liquidity is not its points' sum" };
  const { lowest, highest } = words;
  return { feePpm, spacing, point, liquidity, liquidityX, lowest, highest, marks };
}

function marksOf(pool: Pool, words: Words, answers: readonly Hex[]): readonly Mark[] | Refusal {
  const found = answers.slice(HEAD, HEAD + countOf(words));
  if (found.length < countOf(words) || !found.every((answer) => hasWords(answer, 1)))
    return { refusal: "the point bitmap failed" };
  const points = setPoints(pool, words, answers);
  if (points.length > MOST_MARKS) return { refusal: "more points than are read" };
  const rest = answers.slice(HEAD + found.length);
  if (rest.length !== 2 * points.length) return { refusal: "points failed" };
  const marks = points.map((point, k) => markOf(point, rest[2 * k]!, rest[2 * k + 1]!));
  return marks.every((mark) => mark !== undefined) ? marks : { refusal: "points failed" };
}

/** undefined where an answer failed, or where neither liquidity nor an order explains the point's bit. */
function markOf(point: number, liquidity: Hex, orders: Hex): Mark | undefined {
  if (!hasWords(liquidity, POINT_WORDS) || !hasWords(orders, ORDER_WORDS)) return undefined;
  const isEndpoint = uintAt(liquidity, 4) === 1n;
  const [sellsX, sellsY] = [uintAt(orders, 0), uintAt(orders, 5)];
  if (!isEndpoint && sellsX === 0n && sellsY === 0n) return undefined;
  return { point, isEndpoint, delta: isEndpoint ? intAt(liquidity, 1) : 0n, sellsX, sellsY };
}
