import type { LevelGain } from "./bound.ts";
import type { Level } from "./level.ts";
import { levelGain, withFeesLeft, within } from "./level-gain.ts";
import { type Fees, splitFees } from "./share-fees.ts";
import type { TradedShares } from "./sharing.ts";

/** A pool whose level grows with the number of its shares, which it sells and buys for single coins. */
export type SharedPool = {
  readonly level: Level;
  /** What a smallest unit of each coin is worth. */
  readonly prices: readonly number[];
  /** Share of what is sold that a trade of two coins pays. */
  readonly fee: number;
  /** Share that a trade of a coin with shares pays on the part of the pool that is of other coins. */
  readonly shareFee: number;
  /** Undefined where shares are not traded. */
  readonly shares: TradedShares | undefined;
};

/**
 * A coin is taken to become no more of the pool than what it is and this part of the rest. Where it is more, shares cost less of a fee
 * for it: to go there and back costs more than that saves.
 */
const GROWN = 2e-4;
/** By how much more than what it was found to be it is taken to become then; the next time that is at least doubled. */
const GROWN_MORE = 1.25;

/** The most that trades of coins with each other and with shares gain together; undefined where that is not known or has no end. */
export function sharesGain(pool: SharedPool): number | undefined {
  const { level, fee, shareFee } = pool;
  const parts = partsOf(level, level.held);
  for (let grown = GROWN; ; ) {
    const taxes = parts.map((part) => shareFee * (1 - grown) * (1 - part));
    const found = splitFees(fee, taxes).flatMap((fees) => gainAt(pool, fees) ?? []);
    const needed = found.map(({ balances }) => grownTo(parts, partsOf(level, balances)));
    const gains = found.flatMap((one, k) => (needed[k]! <= grown ? [withLeft(one, fee)] : []));
    if (gains.length > 0) return Math.min(...gains);
    // Fees are lower where coins may become more: what is not bounded here is not there.
    if (found.length === 0 || grown === 1) return undefined;
    grown = Math.min(1, Math.max(2 * grown, GROWN_MORE * Math.min(...needed)));
  }
}

/** What of the rest of the pool a coin has become at most. */
function grownTo(parts: Float64Array, after: Float64Array): number {
  return after.reduce((most, part, k) => Math.max(most, (part - parts[k]!) / (1 - parts[k]!)), 0);
}

function withLeft({ gain, others }: LevelGain, fee: number): number {
  return withFeesLeft(gain - others, fee) + others;
}

function gainAt(
  { level, prices, shares }: SharedPool,
  { coins, shares: taken }: Fees,
): LevelGain | undefined {
  return levelGain(level, { ...within(prices, coins), shares: shares && { ...shares, taken } });
}

/** What each coin is of the pool's worth, at the pool's own prices. */
function partsOf(level: Level, balances: Float64Array): Float64Array {
  const worth = new Float64Array(balances.length);
  level.slopes(balances, worth);
  for (const [k, balance] of balances.entries()) worth[k]! *= balance;
  const sum = worth.reduce((total, one) => total + one, 0);
  return worth.map((one) => one / sum);
}
