import { addressAt, callData, hasWords, uintAt } from "../../core/abi.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { type DesignName, designs } from "./designs.ts";
import { implementationOf } from "./pools.ts";
import type { Ramp, State } from "./state.ts";

/** Calls of the pool common to all designs, in this order. */
const own = [
  "0x0f529ba2", // D()
  "0x92526c0c", // mid_fee()
  "0xee8de675", // out_fee()
  "0x72d4f0e2", // fee_gamma()
  "0x0c46b72a", // virtual_price()
  "0x7ba1a74d", // xcp_profit()
  "0x49fe9e77", // allowed_extra_profit()
  "0x204fe3d5", // initial_A_gamma()
  "0xf30cfad5", // future_A_gamma()
  "0xe89876ff", // initial_A_gamma_time()
  "0xf9ed9597", // future_A_gamma_time()
] as const satisfies readonly Hex[];

const selectors = {
  isKilled: "0x9c868ac0",
  version: "0x54fd4d50",
  math: "0xed6c1546",
  totalSupply: "0x18160ddd",
  balances: "0x4903b0d1",
  decimals: "0x313ce567",
  priceScale: "0xb9e8c9fd",
  priceScaleOf: "0xa3f7cdd5",
} as const;

/** Indexes of answers of the first round. */
const AT = { killed: 11, version: 12, math: 13, supply: 14, coins: 15 } as const;

/** One round. Newer pools name their maths contract, whose version is read in a second round. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const first = calls(pool);
  if (answers.length === 0) return first;
  if (implementationOf(pool).versions === undefined || answers.length > first.length) return [];
  const math = answers[AT.math]!;
  return [{ to: hasWords(math, 1) ? addressAt(math, 0) : pool.address, data: selectors.version }];
}

function calls(pool: Pool): readonly Call[] {
  const count = pool.tokens.length;
  const ask = (data: Hex): Call => ({ to: pool.address, data });
  const prices = Array.from({ length: count - 1 }, (_, k) =>
    count === 2 ? selectors.priceScale : callData(selectors.priceScaleOf, k),
  );
  return [
    ...[...own, selectors.isKilled, selectors.version, selectors.math].map(ask),
    { to: (pool.facts.lp as Hex | undefined) ?? pool.address, data: selectors.totalSupply },
    ...pool.tokens.map((_, k) => ask(callData(selectors.balances, k))),
    ...pool.tokens.map((to) => ({ to, data: selectors.decimals })),
    ...prices.map(ask),
  ];
}

type Word = bigint | undefined;

function wordOf(answer: Hex | undefined): Word {
  return answer !== undefined && hasWords(answer, 1) ? uintAt(answer, 0) : undefined;
}

function isKnown(word: Word): word is bigint {
  return word !== undefined;
}

/** An ABI string of at most 32 bytes, or undefined. */
function textOf(answer: Hex | undefined): string | undefined {
  if (answer === undefined || !hasWords(answer, 3) || uintAt(answer, 0) !== 32n) return undefined;
  const length = Number(uintAt(answer, 1));
  if (length > 32) return undefined;
  const bytes = answer.slice(130, 130 + 2 * length).match(/../g) ?? [];
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
}

/** Why a pool is not one of its implementation, or not in use; undefined if it is both. */
function strangeness(pool: Pool, answers: readonly Hex[]): string | undefined {
  if (designs[implementationOf(pool).design].coins !== pool.tokens.length) return "another number of coins";
  if (new Set(pool.tokens).size !== pool.tokens.length) return "a coin is there twice";
  return (wordOf(answers[AT.killed]) ?? 0n) !== 0n ? "killed" : undefined;
}

/** The design of the version that both the pool and its maths contract report; undefined if it is not known. */
function designIn(pool: Pool, answers: readonly Hex[]): DesignName | undefined {
  const { design, versions } = implementationOf(pool);
  if (versions === undefined) return design;
  const [own = "", math] = [answers[AT.version], answers.at(-1)].map(textOf);
  return own === math && Object.hasOwn(versions, own) ? versions[own] : undefined;
}

/** The state from the answers, in the order of the calls. */
export function load(pool: Pool, answers: readonly Hex[], _at: At): State | Refusal {
  const refusal = strangeness(pool, answers);
  if (refusal !== undefined) return { refusal };
  const design = designIn(pool, answers);
  if (design === undefined) return { refusal: "unknown version" };
  const count = pool.tokens.length;
  const coins = answers.slice(AT.coins).map(wordOf);
  const balances = coins.slice(0, count);
  const decimals = coins.slice(count, 2 * count);
  const priceScale = coins.slice(2 * count, 3 * count - 1);
  const terms = [...answers.slice(0, own.length), answers[AT.supply]].map(wordOf);
  if (!terms.every(isKnown) || !balances.every(isKnown) || !priceScale.every(isKnown))
    return { refusal: "a read failed" };
  if (!decimals.every((digits) => isKnown(digits) && digits <= 18n)) return { refusal: "decimals failed" };
  if (priceScale.includes(0n) || terms[8] === 0n) return { refusal: "not initialised" };
  const { multiplier } = implementationOf(pool);
  return {
    ...{ design, multiplier, balances, priceScale, ...termsOf(terms) },
    precisions: decimals.map((digits) => 10n ** (18n - digits!)),
    isSettled: true,
  };
}

function termsOf(words: readonly bigint[]) {
  const [d, midFee, outFee, feeGamma, virtualPrice, xcpProfit, allowedExtraProfit] = words as Seven;
  const lpSupply = words.at(-1)!;
  const ramp = rampOf(words.slice(7) as unknown as Four);
  return { d, midFee, outFee, feeGamma, virtualPrice, xcpProfit, allowedExtraProfit, lpSupply, ramp };
}

type Four = readonly [bigint, bigint, bigint, bigint];
type Seven = readonly [...Four, bigint, bigint, bigint];

/** A and gamma are packed in a word, A in the upper half. */
function rampOf([initial, future, initialTime, futureTime]: Four): Ramp {
  const low = (1n << 128n) - 1n;
  return {
    initialAnn: initial >> 128n,
    initialGamma: initial & low,
    futureAnn: future >> 128n,
    futureGamma: future & low,
    initialTime: Number(initialTime),
    futureTime: Number(futureTime),
  };
}
