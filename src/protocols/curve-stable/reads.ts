import { callData, hasWords, uintAt } from "../../core/abi.ts";
import { FEE_DENOMINATOR } from "../../core/math/stable-math.ts";
import { type At, type Call, type Hex, NATIVE, type Pool, type Refusal } from "../../core/types.ts";
import { implementationOf } from "./pools.ts";
import type { State } from "./state.ts";

type Terms = Pick<State, "ramp" | "fee" | "adminFee" | "offpegFeeMultiplier" | "lpSupply">;

const selectors = {
  /** balances(uint256) */
  uint256: "0x4903b0d1",
  /** balances(int128) */
  int128: "0x065a80d8",
  /** initial_A(), future_A(), initial_A_time(), future_A_time() */
  ramp: ["0x5409491a", "0xb4b577ad", "0x2081066c", "0x14052288"],
  /** fee(), admin_fee() */
  fees: ["0xddca3f43", "0xfee3f7f9"],
  /** offpeg_fee_multiplier() */
  offpegFeeMultiplier: "0x8edfdd5f",
  /** decimals() */
  decimals: "0x313ce567",
  /** totalSupply() */
  totalSupply: "0x18160ddd",
} as const;

/** Everything in one round: the pool's own words, each coin's decimals, the LP supply where it is asked for. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  return answers.length === 0 ? calls(pool) : [];
}

function calls(pool: Pool): readonly Call[] {
  const { balanceIndex } = implementationOf(pool);
  const own = (data: Hex): Call => ({ to: pool.address, data });
  return [
    ...selectors.ramp.map(own),
    ...selectors.fees.map(own),
    own(selectors.offpegFeeMultiplier),
    { to: lpToken(pool), data: selectors.totalSupply },
    ...pool.tokens.map((_, k) => own(callData(selectors[balanceIndex], k))),
    ...pool.tokens.map((to) => ({ to, data: selectors.decimals })),
  ];
}

function lpToken(pool: Pool): Hex {
  return (pool.facts.lp as Hex | undefined) ?? pool.address;
}

/** Words before the balances, in the order of `calls`. */
const FIXED = 8;

/** The answers in the order of `calls`; what a contract may lack is 0. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const count = pool.tokens.length;
  if (new Set(pool.tokens).size !== count) return { refusal: "a coin is there twice" };
  const words = answers.map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : undefined));
  const balances = words.slice(FIXED, FIXED + count);
  const rates = words.slice(FIXED + count).map((word, k) => rateOf(pool.tokens[k]!, word));
  if (balances.length !== count || !balances.every(isKnown)) return { refusal: "balances failed" };
  if (rates.length !== count || !rates.every(isKnown)) return { refusal: "decimals failed" };
  const terms = termsOf(words);
  if ("refusal" in terms) return terms;
  const { rounding, aPrecision, rebases } = implementationOf(pool);
  return { ...terms, rounding, balances, rates, aPrecision, onlyIn: rebases ? at.blockNumber : 0 };
}

type Word = bigint | undefined;

/** What does not depend on the number of coins. A contract without a ramp has its times in the past. */
function termsOf([
  initialA,
  futureA,
  initialTime,
  futureTime,
  fee,
  adminFee,
  offpeg,
  supply,
]: readonly Word[]): Terms | Refusal {
  if (futureA === undefined || fee === undefined) return { refusal: "A or fee failed" };
  if (futureA === 0n || fee >= FEE_DENOMINATOR)
    return { refusal: "no amplification, or a fee of everything" };
  const known = (word: Word) => word ?? 0n;
  const ramp = { initialTime: Number(known(initialTime)), futureTime: Number(known(futureTime)) };
  return {
    ramp: { initialA: initialA ?? futureA, futureA, ...ramp },
    fee,
    adminFee: known(adminFee),
    offpegFeeMultiplier: known(offpeg),
    lpSupply: known(supply),
  };
}

function rateOf(token: Hex, decimals: Word): Word {
  const digits = token === NATIVE ? 18n : decimals;
  return digits === undefined || digits > 36n ? undefined : 10n ** (36n - digits);
}

function isKnown(word: Word): word is bigint {
  return word !== undefined;
}
