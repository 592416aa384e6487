import { hasWords, intAt, uintAt } from "../../../core/abi.ts";
import type { LiveTickTable } from "../../../core/math/concentrated/tick-table.ts";
import {
  isWhole,
  ticksInWords,
  type Words,
  wordNumbers,
} from "../../../core/math/concentrated/tick-words.ts";
import type { BitmapReads } from "../../../core/protocol.ts";
import type { Call, Hex, Refusal } from "../../../core/types.ts";

/** How to read a pool's ticks. Answers are the head, then the bitmap words, then the ticks whose bits are set. */
export type TickSource = {
  /** Ticks per bit of the bitmap. */
  readonly spacing: number;
  /** Number of answers before the bitmap words. */
  readonly head: number;
  readonly word: (number: number) => Call;
  /** The answer starts with gross and net liquidity. */
  readonly tick: (tick: number) => Call;
};

/** Number of words needed of a tick's answer: gross and net liquidity. */
const TICK_WORDS = 2;

/** The same reads as one call. */
export function bitmapOf(source: TickSource, heads: readonly Call[]): BitmapReads {
  const word = source.word(0);
  return {
    heads,
    target: word.to,
    word: word.data,
    tick: source.tick(0).data,
    spacing: source.spacing,
    kept: TICK_WORDS,
  };
}

export function wordCalls({ word }: TickSource, words: Words): readonly Call[] {
  return wordNumbers(words).map(word);
}

/**
 * Cap on ticks per pool. No honest pool has as many; a bitmap with all bits set would cause a quarter of a million
 * reads.
 */
const MOST_TICKS = 16_384;

/** Reads of the ticks whose bits are set; none if there are more than `MOST_TICKS`, since the pool is then refused. */
export function tickCalls(source: TickSource, words: Words, answers: readonly Hex[]): readonly Call[] {
  const ticks = setTicks(source, words, answers);
  return ticks.length > MOST_TICKS ? [] : ticks.map(source.tick);
}

/** Whether the answers end with the bitmap words. */
export function endsWithWords(
  { head }: TickSource,
  { first, last }: Words,
  answers: readonly Hex[],
): boolean {
  return answers.length === head + last - first + 1;
}

function wordAnswers({ head }: TickSource, { first, last }: Words, answers: readonly Hex[]): readonly Hex[] {
  return answers.slice(head, head + last - first + 1);
}

function setTicks(source: TickSource, words: Words, answers: readonly Hex[]): number[] {
  const values = wordAnswers(source, words, answers).map((answer) =>
    hasWords(answer, 1) ? uintAt(answer, 0) : 0n,
  );
  return ticksInWords(source.spacing, words, values);
}

/**
 * The tick table from all answers.
 *
 * @param pool present tick and liquidity: if all words are known, the net liquidity of the ticks up to it must add up
 *   to the liquidity in range
 */
export function tickTableOf(
  source: TickSource,
  words: Words,
  answers: readonly Hex[],
  pool: { readonly tick: number; readonly liquidity: bigint },
): LiveTickTable | Refusal {
  const found = wordAnswers(source, words, answers);
  if (found.length <= words.last - words.first || !found.every((answer) => hasWords(answer, 1)))
    return { refusal: "the tick bitmap failed" };
  const ticks = setTicks(source, words, answers);
  if (ticks.length > MOST_TICKS) return { refusal: "more ticks than are read" };
  const tickAnswers = answers.slice(source.head + found.length);
  if (tickAnswers.length !== ticks.length || !tickAnswers.every((answer) => hasWords(answer, 2)))
    return { refusal: "ticks failed" };
  const grosses = tickAnswers.map((answer) => uintAt(answer, 0));
  const nets = tickAnswers.map((answer) => intAt(answer, 1));
  if (grosses.includes(0n)) return { refusal: "bitmap and ticks disagree" };
  const below = nets.reduce((sum, net, k) => (ticks[k]! <= pool.tick ? sum + net : sum), 0n);
  if (isWhole(words) && below !== pool.liquidity) return { refusal: "liquidity is not its ticks' sum" };
  return { lowest: words.lowest, highest: words.highest, ticks, nets, grosses };
}
