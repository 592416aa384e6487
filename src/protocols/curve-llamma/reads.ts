import { callData, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { exchange } from "./exchange.ts";
import { type Generation, generations, type State } from "./state.ts";

/** A(), dynamic_fee(), get_base_price(), price_oracle(), admin_fee(), active_band(), min_band(), max_band() */
const own = [
  ...["0xf446c1d0", "0x77c34594", "0xa7db79a5", "0x86fc88d3"],
  ...["0xfee3f7f9", "0x8f8654c5", "0xca72a821", "0xaaa615fc"],
] as readonly Hex[];
/** bands_x(int256), bands_y(int256) */
const BANDS_X: Hex = "0xebcb0067";
const BANDS_Y: Hex = "0x31f7e306";
/** get_dy(uint256,uint256,uint256) */
const GET_DY: Hex = "0x556d6e9f";
/** decimals() */
const DECIMALS: Hex = "0x313ce567";

/** Number of answers of the first round: those of `own`, then the coins' decimals. */
const FIRST = own.length + 2;
/** Number of bands read on either side of the active one, more than a trade may touch. */
const REACH = 60;

/**
 * Three rounds: the terms, the bands around the active one, and two views of trades, which reveal the contract's
 * generation.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const ask = (data: Hex): Call => ({ to: pool.address, data });
  if (answers.length === 0) return [...own.map(ask), ...pool.tokens.map((to) => ({ to, data: DECIMALS }))];
  const window = windowOf(answers);
  if (window === undefined) return [];
  const { low, high } = window;
  const count = high - low + 1;
  if (answers.length === FIRST)
    return [BANDS_X, BANDS_Y].flatMap((selector) =>
      Array.from({ length: count }, (_, k) => ask(callData(selector, low + k))),
    );
  const state = answers.length === FIRST + 2 * count ? stateOf(answers, 2023) : undefined;
  if (state === undefined || "refusal" in state) return [];
  return probesOf(state).map(({ i, amount }) => ask(callData(GET_DY, i, 1 - i, amount)));
}

type Window = { readonly low: number; readonly high: number; readonly isWhole: boolean };

/** @returns undefined if the limits of the bands cannot be read */
function windowOf(answers: readonly Hex[]): Window | undefined {
  if (!answers.slice(0, FIRST).every((answer) => hasWords(answer, 1))) return undefined;
  const [active, least, most] = answers.slice(5, 8).map((answer) => Number(intAt(answer, 0))) as [
    number,
    number,
    number,
  ];
  if (![active, least, most].every(Number.isSafeInteger)) return undefined;
  const [first, last] = [Math.min(active, least), Math.max(active, most)];
  const [low, high] = [Math.max(first, active - REACH), Math.min(last, active + REACH)];
  return { low, high, isWhole: low === first && high === last };
}

/**
 * Two sales worth three quarters of the holdings on either side at the oracle's price: large enough to involve every
 * rule that differs between generations.
 */
function probesOf({
  x,
  y,
  price,
  precisions,
}: State): readonly { readonly i: number; readonly amount: bigint }[] {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  return [
    { i: 0, amount: (sum(y) * price * 3n) / 10n ** 18n / 4n / precisions[0] },
    { i: 1, amount: (sum(x) * 10n ** 18n * 3n) / price / 4n / precisions[1] },
  ];
}

function stateOf(answers: readonly Hex[], generation: Generation): State | Refusal {
  const window = windowOf(answers);
  if (window === undefined) return { refusal: "a read failed" };
  const [a, fee, basePrice, price] = answers.slice(0, 4).map((answer) => uintAt(answer, 0)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const [adminFee, first, second] = [4, 8, 9].map((k) => uintAt(answers[k]!, 0)) as [bigint, bigint, bigint];
  const count = window.high - window.low + 1;
  const bands = answers.slice(FIRST, FIRST + 2 * count);
  if (bands.length !== 2 * count || !bands.every((band) => hasWords(band, 1)))
    return { refusal: "bands failed" };
  if (a < 2n || basePrice === 0n || price === 0n) return { refusal: "no price" };
  if (first > 18n || second > 18n) return { refusal: "decimals failed" };
  const amounts = bands.map((band) => uintAt(band, 0));
  const [activeBand, minBand, maxBand] = [5, 6, 7].map((k) => Number(intAt(answers[k]!, 0))) as [
    number,
    number,
    number,
  ];
  return {
    ...{ a, generation, basePrice, price, fee, adminFee, activeBand, minBand, maxBand },
    ...{ first: window.low, x: amounts.slice(0, count), y: amounts.slice(count), isWhole: window.isWhole },
    precisions: [10n ** (18n - first), 10n ** (18n - second)],
    readAt: 0,
  };
}

/** The state with the newest generation that reproduces both views; older ones pay no less. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "a coin is there twice" };
  const state = stateOf(answers, 2023);
  if ("refusal" in state) return state;
  const told = answers
    .slice(FIRST + 2 * state.x.length)
    .map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : -1n));
  const probes = probesOf(state);
  const years = (Object.keys(generations).map(Number) as Generation[]).toReversed();
  const generation = years.find((year) =>
    probes.every(
      ({ i, amount }, k) =>
        told[k] === (exchange({ ...state, generation: year }, { i, amount })?.amountOut ?? 0n),
    ),
  );
  if (generation === undefined) return { refusal: "it reckons otherwise" };
  return { ...state, generation, readAt: at.blockNumber };
}
