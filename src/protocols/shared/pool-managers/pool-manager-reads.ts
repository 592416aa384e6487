import { hasWords, intAt, uintAt } from "../../../core/abi.ts";
import { MAX_TICK, MIN_TICK } from "../../../core/math/concentrated/tick-math.ts";
import { isWhole, priceFitsTick, wordsAround } from "../../../core/math/concentrated/tick-words.ts";
import type { Address, Call, Hex, Refusal } from "../../../core/types.ts";
import {
  endsWithWords,
  type TickSource,
  tickCalls,
  tickTableOf,
  wordCalls,
} from "../concentrated/tick-reads.ts";
import { type ManagedPool, protocolFees } from "./pool-manager.ts";

/** Reads of Uniswap v4's pools and PancakeSwap Infinity's, which answer alike under other names. */

/**
 * Two rounds if all bitmap words are read: head and words, then ticks. One more if the window depends on the price.
 *
 * @param heads `source.head` calls, of which the first answers (price, tick, protocol fee, providers' fee)
 */
export function managedReads(
  source: TickSource,
  heads: readonly Call[],
  answers: readonly Hex[],
): readonly Call[] {
  const whole = wordsAround(source.spacing, 0);
  if (answers.length === 0) return isWhole(whole) ? [...heads, ...wordCalls(source, whole)] : heads;
  const slot0 = answers[0]!;
  if (!hasWords(slot0, 4) || uintAt(slot0, 0) === 0n) return [];
  const words = wordsAround(source.spacing, Number(intAt(slot0, 1)));
  if (answers.length === source.head) return wordCalls(source, words);
  return endsWithWords(source, words, answers) ? tickCalls(source, words, answers) : [];
}

/** What the answers do not say of a pool. */
type Described = { readonly manager: Address; readonly dynamic: boolean; readonly readAt: number };

/** The state from the answers of `managedReads`, of which the second is the liquidity in range; or a refusal. */
export function managedState(
  source: TickSource,
  answers: readonly Hex[],
  described: Described,
): ManagedPool | Refusal {
  const [slot0 = "0x", inRange = "0x"] = answers;
  if (!hasWords(slot0, 4) || !hasWords(inRange, 1)) return { refusal: "getSlot0 or getLiquidity failed" };
  const [sqrtPriceX96, tick] = [uintAt(slot0, 0), Number(intAt(slot0, 1))];
  const head = {
    ...described,
    feePpm: Number(uintAt(slot0, 3)),
    protocolFees: protocolFees(uintAt(slot0, 2)),
    tickSpacing: source.spacing,
    sqrtPriceX96,
    tick,
    liquidity: uintAt(inRange, 0),
  };
  if (sqrtPriceX96 === 0n)
    return { ...head, lowest: MIN_TICK, highest: MAX_TICK, ticks: [], nets: [], grosses: [] };
  if (!priceFitsTick(sqrtPriceX96, tick)) return { refusal: "the tick is not the price's" };
  const table = tickTableOf(source, wordsAround(source.spacing, tick), answers, head);
  return "refusal" in table ? table : { ...head, ...table };
}
