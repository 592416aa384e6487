import { hasWords, uintAt } from "../../../core/abi.ts";
import type { Call, Hex, Pool } from "../../../core/types.ts";
import { worthOf } from "../exact/lent.ts";
import type { Holdings, State } from "../state.ts";
import { implementationOf, ownCoins } from "./implementations.ts";

/** Rates of coins that represent a growing amount of an underlying coin. */

const ONE = 10n ** 18n;
/** getCash(), totalBorrows(), totalReserves(), totalSupply() */
const HOLDINGS = ["0x3b1d21a2", "0x47bd3718", "0x8f840ddd", "0x18160ddd"] as const;
/** borrowRatePerBlock(), reserveFactorMantissa(), accrualBlockNumber() */
const TERMS = ["0xf8f9da28", "0x173b9904", "0x6c540baf"] as const;
/** getPricePerFullShare() */
const PRICE_PER_SHARE = "0x77c7b8fc";
/** decimals() */
const DECIMALS = "0x313ce567";

/** Calls needed for the rate of every coin, and for its underlying coin. */
export function rateCalls(pool: Pool): readonly Call[] {
  const own = ownCoins(pool);
  return pool.tokens.slice(0, own).flatMap((coin, k) => {
    const { rates } = implementationOf(pool);
    const ask = (data: Hex): Call => ({ to: coin, data });
    if (rates === "share") return [ask(PRICE_PER_SHARE)];
    if (rates !== "compound") return [];
    return [...[...HOLDINGS, ...TERMS].map(ask), { to: pool.tokens[own + k] ?? coin, data: DECIMALS }];
  });
}

/** Rates as used by the pool, the worth of one wrapped unit in its underlying coin, 18 digits, and what it follows from. */
export type LendingRates = Pick<State, "rates" | "worth" | "lent">;

/**
 * @param answers of `rateCalls`
 * @param plain   10^(36 - decimals) of every coin
 * @param block   the block that executes: a lending pool's interest grows in every block
 * @returns undefined if a coin does not answer
 */
export function lendingRates(
  pool: Pool,
  answers: readonly Hex[],
  { plain, block }: { readonly plain: readonly bigint[]; readonly block: number },
): LendingRates | undefined {
  const words = answers.map((answer) => (hasWords(answer, 1) ? uintAt(answer, 0) : undefined));
  if (words.includes(undefined) || words.length !== rateCalls(pool).length) return undefined;
  const known = words as readonly bigint[];
  const { rates, depositsFirst } = implementationOf(pool);
  if (rates === "share") return { rates: plain.map((rate, k) => (rate / ONE) * known[k]!), worth: null };
  const each = 1 + HOLDINGS.length + TERMS.length;
  const holdings = plain.map((_, k) => holdingsOf(known.slice(k * each, (k + 1) * each), block));
  const worth = holdings.map(worthOf);
  const digits = plain.map((_, k) => known[(k + 1) * each - 1]!);
  if (worth.includes(0n) || digits.some((count) => count > 18n)) return undefined;
  const scaled = worth.map((rate, k) => rate * 10n ** (18n - digits[k]!));
  return { rates: scaled, worth, lent: { holdings, depositsFirst } };
}

/**
 * The holdings behind `exchangeRateCurrent` of a cToken in a future block, if nothing accrues interest before: interest
 * at the present rate.
 *
 * @source compound-finance/compound-protocol contracts/CToken.sol accrueInterest, exchangeRateStoredInternal
 */
function holdingsOf(words: readonly bigint[], block: number): Holdings {
  const [cash, borrows, reserves, shares, borrowRate, reserveFactor, accruedAt] = words as Seven;
  const blocks = BigInt(block) - accruedAt;
  const interest = blocks > 0n ? (borrowRate * blocks * borrows) / ONE : 0n;
  const kept = (reserveFactor * interest) / ONE + reserves;
  return { assets: cash + borrows + interest - kept, shares };
}

type Seven = readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint];
