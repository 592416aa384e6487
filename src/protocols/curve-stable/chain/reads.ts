import { addressAt, callData, hasWords, uintAt } from "../../../core/abi.ts";
import { FEE_DENOMINATOR } from "../../../core/math/curve/stable-math.ts";
import { type At, type Call, type Hex, NATIVE, type Pool, type Refusal } from "../../../core/types.ts";
import type { State } from "../state.ts";
import { type Implementation, implementationOf, ownCoins } from "./implementations.ts";
import { type LendingRates, lendingRates, rateCalls } from "./lending.ts";

const ONE = 10n ** 18n;

const selectors = {
  /** balances(uint256) */
  uint256: "0x4903b0d1",
  /** balances(int128) */
  int128: "0x065a80d8",
  /** initial_A(), future_A(), initial_A_time(), future_A_time() */
  ramp: ["0x5409491a", "0xb4b577ad", "0x2081066c", "0x14052288"],
  /** fee(), admin_fee(), offpeg_fee_multiplier() */
  fees: ["0xddca3f43", "0xfee3f7f9", "0x8edfdd5f"],
  /** is_killed() */
  isKilled: "0x9c868ac0",
  /** base_virtual_price(), base_cache_updated() */
  base: ["0x95ccc02f", "0x8296f84f"],
  /** stored_rates() */
  storedRates: "0xfd0684b1",
  /** A() */
  a: "0xf446c1d0",
  /** decimals() */
  decimals: "0x313ce567",
  /** totalSupply() */
  totalSupply: "0x18160ddd",
  /** paused() */
  paused: "0x5c975abb",
  /** swapStorage() */
  swapStorage: "0x5fd65f0f",
  /** getTokenBalance(uint8) */
  getTokenBalance: "0x91ceb3eb",
  /** getToken(uint8) */
  getToken: "0x82b86600",
} as const;

/** Reads of a pool. Saddle's pools name their LP token in their storage, so its supply is read in a second round. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const calls = implementationOf(pool).reads === "saddle" ? saddleCalls(pool) : curveCalls(pool);
  if (answers.length === 0) return calls;
  if (implementationOf(pool).reads !== "saddle" || answers.length > calls.length) return [];
  return [{ to: storedLpToken(answers[1]!), data: selectors.totalSupply }];
}

/** Number of answers before those of the coins. */
const FIXED = { curve: 13, saddle: 2 } as const;

function curveCalls(pool: Pool): readonly Call[] {
  const { balanceIndex } = implementationOf(pool);
  const own = (data: Hex): Call => ({ to: pool.address, data });
  return [
    ...[...selectors.ramp, ...selectors.fees, selectors.isKilled, ...selectors.base].map(own),
    own(selectors.storedRates),
    { to: (pool.facts.lp as Hex | undefined) ?? pool.address, data: selectors.totalSupply },
    own(selectors.a),
    ...coinCalls(pool, (k) => callData(selectors[balanceIndex], k)),
    ...rateCalls(pool),
  ];
}

function saddleCalls(pool: Pool): readonly Call[] {
  return [
    { to: pool.address, data: selectors.paused },
    { to: pool.address, data: selectors.swapStorage },
    ...coinCalls(pool, (k) => callData(selectors.getTokenBalance, k)),
    ...pool.tokens.map((_, k) => ({ to: pool.address, data: callData(selectors.getToken, k) })),
  ];
}

function coinCalls(pool: Pool, balance: (k: number) => Hex): readonly Call[] {
  const coins = pool.tokens.slice(0, ownCoins(pool));
  return [
    ...coins.map((_, k) => ({ to: pool.address, data: balance(k) })),
    ...coins.map((to) => ({ to, data: selectors.decimals })),
  ];
}

/** The LP token in the last word of Saddle's storage; an earlier version has a withdrawal fee before it. */
function storedLpToken(storage: Hex): Hex {
  const words = (storage.length - 2) / 64;
  return words >= 7 ? addressAt(storage, words - 1) : `0x${"00".repeat(20)}`;
}

type Word = bigint | undefined;
type Terms = Omit<State, "rounding" | "aPrecision" | "balances" | "rates" | "worth" | "readAt">;

/**
 * The state from the answers, in the order of the calls. Functions that a contract of this kind may lack count as 0.
 */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const implementation = implementationOf(pool);
  const { rounding, aPrecision, rebases } = implementation;
  if (new Set(pool.tokens).size !== pool.tokens.length) return { refusal: "a coin is there twice" };
  const fixed = FIXED[implementation.reads];
  const coins = coinsOf(pool, answers.slice(fixed));
  if ("refusal" in coins) return coins;
  const words = answers.map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : undefined));
  const terms =
    implementation.reads === "saddle" ? saddleTerms(pool, answers) : curveTerms(words, implementation);
  if ("refusal" in terms) return terms;
  if (terms.ramp.futureA === 0n) return { refusal: "no amplification" };
  if (terms.fee >= FEE_DENOMINATOR) return { refusal: "a fee of everything" };
  const prices = pricesOf(pool, answers, { plain: coins.rates, block: at.blockNumber + 1 });
  if (prices === undefined) return { refusal: "rates failed" };
  const isMeta = implementation.base !== "none";
  const rates = isMeta ? [prices.rates[0]!, ONE] : prices.rates;
  const moves = rebases || rates.some((rate, k) => rate !== coins.rates[k] && !(isMeta && k === 1));
  const readAt = moves ? at.blockNumber : 0;
  return { ...prices, ...terms, rounding, aPrecision, balances: coins.balances, rates, readAt };
}

type Asked = { readonly plain: readonly bigint[]; readonly block: number };

/** Rates of the coins in the block that executes. */
function pricesOf(pool: Pool, answers: readonly Hex[], { plain, block }: Asked): LendingRates | undefined {
  const { rates } = implementationOf(pool);
  if (rates === "decimals") return { rates: plain, worth: null };
  if (rates !== "stored") {
    const asked = answers.slice(FIXED.curve + 2 * plain.length);
    return lendingRates(pool, asked, { plain, block });
  }
  const stored = storedRates(answers[10]!, plain.length);
  return stored && { rates: stored, worth: null };
}

type Coins = { readonly balances: readonly bigint[]; readonly rates: readonly bigint[] };

function coinsOf(pool: Pool, answers: readonly Hex[]): Coins | Refusal {
  const count = ownCoins(pool);
  const words = answers.map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : undefined));
  const balances = words.slice(0, count);
  const rates = words.slice(count, 2 * count).map((word, k) => rateOf(pool.tokens[k]!, word));
  if (balances.length !== count || !balances.every(isKnown)) return { refusal: "balances failed" };
  if (rates.length !== count || !rates.every(isKnown)) return { refusal: "decimals failed" };
  return { balances, rates };
}

function rateOf(token: Hex, decimals: Word): Word {
  const digits = token === NATIVE ? 18n : decimals;
  return digits === undefined || digits > 36n ? undefined : 10n ** (36n - digits);
}

function isKnown(word: Word): word is bigint {
  return word !== undefined;
}

/** Stored rates, one word per coin: a fixed-size array, or a dynamic one with offset and length before it. */
function storedRates(answer: Hex, count: number): readonly bigint[] | undefined {
  const isDynamic = hasWords(answer, 1) && uintAt(answer, 0) === 32n;
  const start = isDynamic ? 2 : 0;
  if (!hasWords(answer, start + count) || (isDynamic && uintAt(answer, 1) < BigInt(count))) return undefined;
  const rates = Array.from({ length: count }, (_, k) => uintAt(answer, start + k));
  return rates.includes(0n) ? undefined : rates;
}

function curveTerms(words: readonly Word[], { base }: Implementation): Terms | Refusal {
  const [fee, adminFee] = words.slice(4);
  const ramp = rampIn(words);
  const [offpegFeeMultiplier, killed, virtualPrice, updatedAt] = words.slice(6).map(orZero);
  if (killed !== 0n) return { refusal: "killed" };
  if (ramp === undefined || fee === undefined || adminFee === undefined)
    return { refusal: "A or fee failed" };
  if (base === "cached" && !hasPrice(words)) return { refusal: "base_virtual_price failed" };
  return {
    ramp,
    fee,
    adminFee,
    offpegFeeMultiplier: offpegFeeMultiplier!,
    lpSupply: orZero(words[11]),
    base: base === "cached" ? { virtualPrice: virtualPrice!, updatedAt: Number(updatedAt) } : ofKind(base),
  };
}

/**
 * The amplification ramp. The first pools have no ramp but return the present A; their `future_A` is a proposal that
 * may never apply.
 */
function rampIn(words: readonly Word[]): Terms["ramp"] | undefined {
  const [initialA, futureA, initialTime, futureTime] = words;
  const [a, aged] = [words[12], [initialA, initialTime, futureTime]];
  if (aged.every(isKnown) && futureA !== undefined)
    return rampOf([initialA!, futureA, initialTime!, futureTime!]);
  return a === undefined || aged.some(isKnown) ? undefined : rampOf([a, a, 0n, 0n]);
}

const orZero = (word: Word) => word ?? 0n;
const hasPrice = (words: readonly Word[]) => isKnown(words[8]) && isKnown(words[9]);

const ofKind = (base: "none" | "live" | "cached") => (base === "live" ? "live" : null);

function rampOf([initialA, futureA, initialTime, futureTime]: readonly [bigint, bigint, bigint, bigint]) {
  return { initialA, futureA, initialTime: Number(initialTime), futureTime: Number(futureTime) };
}

/** swapStorage: initialA, futureA, initialATime, futureATime, swapFee, adminFee, … */
function saddleTerms({ tokens }: Pool, answers: readonly Hex[]): Terms | Refusal {
  const [paused = "0x", storage = "0x"] = answers;
  if (!hasWords(storage, 7)) return { refusal: "swapStorage failed" };
  if (!hasWords(paused, 1) || uintAt(paused, 0) !== 0n) return { refusal: "paused" };
  const named = answers.slice(FIXED.saddle + 2 * tokens.length, -1);
  const isListed = named.every((coin, k) => hasWords(coin, 1) && addressAt(coin, 0) === tokens[k]);
  if (named.length !== tokens.length || !isListed) return { refusal: "its coins are not the listed ones" };
  const supply = answers.at(-1)!;
  const word = (k: number) => uintAt(storage, k);
  return {
    ramp: rampOf([word(0), word(1), word(2), word(3)]),
    fee: word(4),
    adminFee: word(5),
    offpegFeeMultiplier: 0n,
    lpSupply: hasWords(supply, 1) ? uintAt(supply, 0) : 0n,
    base: null,
  };
}
