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

/** fee() */
const FEE: Hex = "0xddca3f43";

/** Positions in the first round: those of `own`, the coins' decimals, then the fee. */
const DYNAMIC_FEE = 1;
const ADMIN_FEE = 4;
const FEE_AT = own.length + 2;
const FIRST = FEE_AT + 1;
const ONE = 10n ** 18n;
/** Generations whose contracts have an admin's fee, the newest first. */
const older = (Object.keys(generations).map(Number) as Generation[])
  .filter((year) => year < 2026)
  .toReversed();
/** Number of bands read on either side of the active one, more than a trade may touch. */
const REACH = 60;

/**
 * Three rounds: the terms, the bands around the active one, and two views of trades, which reveal the contract's
 * generation.
 */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const ask = (data: Hex): Call => ({ to: pool.address, data });
  if (answers.length === 0)
    return [...own.map(ask), ...pool.tokens.map((to) => ({ to, data: DECIMALS })), ask(FEE)];
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

/**
 * Whether the answers of the first round are complete. Contracts of 2026 lack `admin_fee()` and the later ones of them `dynamic_fee()`,
 * so that these two calls may revert there; `fee()`, the market's own fee, is read in place of the latter. Older contracts may lack
 * `fee()` alone.
 */
function hasTerms(answers: readonly Hex[]): boolean {
  const known = answers.slice(0, FIRST).map((answer) => hasWords(answer, 1));
  const isNewest = !known[ADMIN_FEE];
  const may = isNewest ? [ADMIN_FEE, known[DYNAMIC_FEE] ? FEE_AT : DYNAMIC_FEE] : [FEE_AT];
  return known.length === FIRST && known.every((isKnown, k) => isKnown || may.includes(k));
}

/** @returns undefined if the limits of the bands or the terms cannot be read */
function windowOf(answers: readonly Hex[]): Window | undefined {
  if (!hasTerms(answers)) return undefined;
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
  const valueAt = (k: number) => (hasWords(answers[k]!, 1) ? uintAt(answers[k]!, 0) : undefined);
  const fee = valueAt(DYNAMIC_FEE) ?? valueAt(FEE_AT) ?? 0n;
  const adminFee = valueAt(ADMIN_FEE) ?? 0n;
  const [a, basePrice, price, first, second] = [0, 2, 3, 8, 9].map((k) => uintAt(answers[k]!, 0)) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
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

/** By probe, the amount out that the contract's view returned; -1 if the call reverted. */
type Told = readonly { readonly i: number; readonly amount: bigint; readonly out: bigint }[];

const outOf = (state: State, { i, amount }: Told[number]) => exchange(state, { i, amount })?.amountOut ?? 0n;
const agrees = (state: State, told: Told) => told.every((probe) => outOf(state, probe) === probe.out);

/**
 * The largest fee that explains what the contract pays: it is higher than the market's own for two minutes after the
 * oracle's price changed. Amounts fall as the fee grows.
 */
function withHigherFee(state: State, told: Told): State {
  let low = state.fee;
  let high = ONE - 1n;
  while (low < high) {
    const fee = (low + high + 1n) / 2n;
    if (told.every((probe) => outOf({ ...state, fee }, probe) >= probe.out)) low = fee;
    else high = fee - 1n;
  }
  return { ...state, fee: low };
}

/** The state with the newest generation that reproduces both views; older ones pay no less. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  if (pool.tokens[0] === pool.tokens[1]) return { refusal: "a coin is there twice" };
  const state = stateOf(answers, 2023);
  if ("refusal" in state) return state;
  const views = answers.slice(FIRST + 2 * state.x.length);
  const told = probesOf(state).map((probe, k) => ({
    ...probe,
    out: hasWords(views[k] ?? "0x", 1) ? uintAt(views[k]!, 0) : -1n,
  }));
  const found = explained(state, answers, told);
  return found === undefined ? { refusal: "it reckons otherwise" } : { ...found, readAt: at.blockNumber };
}

/**
 * The state for which the mirror computes the amounts that the contract's views returned, with the newest generation of contract that
 * fits; undefined if none does.
 */
function explained(state: State, answers: readonly Hex[], told: Told): State | undefined {
  if (hasWords(answers[ADMIN_FEE]!, 1)) {
    return older.map((generation) => ({ ...state, generation })).find((one) => agrees(one, told));
  }
  const newest: State = { ...state, generation: 2026 };
  if (agrees(newest, told)) return newest;
  const higher = hasWords(answers[DYNAMIC_FEE]!, 1) ? newest : withHigherFee(newest, told);
  return agrees(higher, told) ? higher : undefined;
}
