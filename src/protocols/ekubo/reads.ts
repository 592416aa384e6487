import { hasWords, intAt, uintAt, word } from "../../core/abi.ts";
import { countUpTo } from "../../core/math/concentrated/tick-table.ts";
import {
  fromCompact,
  MAX_PRICE,
  MAX_TICK,
  MIN_PRICE,
  MIN_TICK,
  priceAtTick,
} from "../../core/math/ekubo/ekubo-price.ts";
import { type At, type Call, type Hex, NATIVE, type Pool, type Refusal } from "../../core/types.ts";
import { type Facts, feeIn, typeOf } from "./events.ts";
import type { State } from "./state.ts";
import type { CorePool } from "./swap.ts";

/** getQuoteData((address,address,bytes32)[],uint32) */
const GET_QUOTE_DATA: Hex = "0x1a2b199e";

/** Ticks of a bitmap word, and the ticks that are read in either direction: a factor of 2.7 in the price, */
const WORD_TICKS = 256;
const REACH = 1_000_000;
/** unless that takes more words than this in either direction. */
const MOST_WORDS = 400;

const factsOf = (pool: Pool) => pool.facts as Facts;

/** One call, of the price and all ticks around it. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const facts = factsOf(pool);
  if (!facts.isRouted || answers.length > 0) return [];
  const [token0, token1] = pool.tokens.map((token) => (token === NATIVE ? 0n : BigInt(token)));
  const words = [0x40, windowOf(facts), 1, token0!, token1!, BigInt(facts.config)];
  return [{ to: facts.lens, data: `${GET_QUOTE_DATA}${words.map(word).join("")}` }];
}

/** Number of bitmap words to either side of the price. */
function windowOf(facts: Facts): number {
  const type = typeOf(facts);
  if (type === "one range" || type.spacing === 0) return 1;
  return Math.min(MOST_WORDS, Math.ceil(REACH / (type.spacing * WORD_TICKS)));
}

/** The answer's words: offset, count, offset, then the pool's six and its ticks' two each. */
const HEAD = 3;
const TICKS = HEAD + 7;

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const facts = factsOf(pool);
  if (!facts.isRouted) return { refusal: "an extension that may change what a swap pays" };
  const [answer = "0x"] = answers;
  if (!hasWords(answer, TICKS)) return { refusal: "getQuoteData failed" };
  const count = uintAt(answer, TICKS - 1);
  if (count > 100_000n || !hasWords(answer, TICKS + 2 * Number(count)))
    return { refusal: "getQuoteData answered other than expected" };
  const found = tableOf(answer, Number(count), facts);
  const refusal = found.price === 0n ? undefined : complaintOf(found);
  if (refusal !== undefined) return { refusal };
  return { ...found, extension: { kind: "none" }, readAt: at.blockNumber };
}

/**
 * The lens gives the two ends of a pool of one range as ticks, and its liquidity whether or not the price is within
 * them. Ends at the bounds of all prices are no ticks.
 */
function tableOf(answer: Hex, count: number, facts: Facts): CorePool {
  const tick = Number(intAt(answer, HEAD));
  const listed = Array.from({ length: count }, (_, k) => ({
    tick: Number(intAt(answer, TICKS + 2 * k)),
    net: intAt(answer, TICKS + 2 * k + 1),
  }));
  const inner = listed.filter((one) => one.tick > MIN_TICK && one.tick < MAX_TICK);
  const isOutside = inner.some(({ tick: end, net }) => (net > 0n ? tick < end : tick >= end));
  return {
    price: priceIn(uintAt(answer, HEAD + 1)),
    tick,
    liquidity: typeOf(facts) === "one range" && isOutside ? 0n : uintAt(answer, HEAD + 2),
    lowest: Number(intAt(answer, HEAD + 3)),
    highest: Number(intAt(answer, HEAD + 4)),
    ticks: inner.map((one) => one.tick),
    nets: inner.map((one) => one.net),
    fee: feeIn(facts),
  };
}

/** 0 for what is no compact price. */
function priceIn(compactWord: bigint): bigint {
  return compactWord < 2n ** 96n ? fromCompact(compactWord) : 0n;
}

/** What of the answer cannot be a pool's state. */
function complaintOf(pool: CorePool): string | undefined {
  const { price, tick, ticks, lowest, highest } = pool;
  if (price < MIN_PRICE || price > MAX_PRICE) return "the price is out of bounds";
  if (lowest < MIN_TICK || highest > MAX_TICK || tick < lowest - 1 || tick > highest)
    return "the tick is outside of the window";
  if (!fits(price, tick)) return "the tick is not the price's";
  const ascends = ticks.every(
    (one, k) => one >= lowest && one <= highest && one > (ticks[k - 1] ?? -Infinity),
  );
  if (!ascends) return "ticks are not in order";
  return hasDeficit(pool) ? "liquidity below zero" : undefined;
}

/** At the very price of a tick that was crossed downwards, the pool's tick is one lower. */
function fits(price: bigint, tick: number): boolean {
  if (tick >= MIN_TICK && priceAtTick(tick) > price) return false;
  return tick >= MAX_TICK || priceAtTick(tick + 1) >= price;
}

/** Whether a range between ticks would have liquidity below zero or above what the core can hold. */
function hasDeficit({ ticks, nets, tick, liquidity }: CorePool): boolean {
  const at = countUpTo(ticks, tick);
  const held = [liquidity];
  for (let k = at - 1; k >= 0; k--) held.push(held.at(-1)! - nets[k]!);
  held.push(liquidity);
  for (let k = at; k < nets.length; k++) held.push(held.at(-1)! + nets[k]!);
  return held.some((amount) => amount < 0n || amount >= 2n ** 128n);
}
