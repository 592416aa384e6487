import type { LevelGain } from "./bound.ts";
import type { Level } from "./level.ts";
import { levelGain, withFeesLeft, within } from "./level-gain.ts";
import { type Fees, splitFees } from "./share-fees.ts";
import type { TradedShares } from "./sharing.ts";

/** A pool whose level grows with the supply of its share token, which it mints and redeems for single coins. */
export type SharedPool = {
  readonly level: Level;
  /** Price of a smallest unit of each coin, in any one unit. */
  readonly prices: readonly number[];
  /** Fee of a trade between two coins, as a fraction of the input. */
  readonly fee: number;
  /** Fee of a trade between a coin and shares, as a fraction of the part that represents other coins. */
  readonly shareFee: number;
  /** Undefined if shares are not traded. */
  readonly shares: TradedShares | undefined;
  /** By coin, the weight of a smallest unit in a coin's part of the pool; absent: the pool's own marginal price. */
  readonly weights?: readonly number[];
};

/**
 * The fraction of a coin's tax that a change of the pool is assumed to save at most. The tax falls as the coin's part
 * of the pool grows, and a trade in one piece is charged at the prices after it, in coins that it has made cheaper.
 * The assumption is checked at the balances found.
 */
const SAVED = 2e-4;
/** If the assumption fails, it becomes this factor times the saving found, but at least twice what it was. */
const SAVED_MORE = 1.25;

/**
 * Upper bound on the joint gain of trades between coins and with shares; undefined if none is known or the gain is
 * unbounded.
 */
export function sharesGain(pool: SharedPool): number | undefined {
  const { level, fee, shareFee } = pool;
  const before = partsOf(pool, level.held);
  for (let saved = SAVED; ; ) {
    const taxes = before.map((part) => shareFee * (1 - saved) * (1 - part));
    const found = splitFees(fee, taxes).flatMap((fees) => gainWithFees(pool, fees) ?? []);
    const needed = found.map(({ balances }) => savedBy(pool, before, balances));
    const gains = found.flatMap((one, k) => (needed[k]! <= saved ? [withLeft(one, fee)] : []));
    if (gains.length > 0) return Math.min(...gains);
    // Larger savings mean lower fees: if no bound exists here, none exists there.
    if (found.length === 0 || saved === 1) return undefined;
    saved = Math.min(1, Math.max(2 * saved, SAVED_MORE * Math.min(...needed)));
  }
}

/**
 * The largest fraction of a tax that a change of the pool to these balances saves, from the coins' parts of the pool
 * and their prices in it.
 */
function savedBy(pool: SharedPool, before: Float64Array, balances: Float64Array): number {
  const { held } = pool.level;
  let rest = 1;
  let worth = 1;
  for (const [k, part] of partsOf(pool, balances).entries()) {
    rest = Math.min(rest, (1 - part) / (1 - before[k]!));
    worth = Math.min(worth, part / balances[k]! / (before[k]! / held[k]!));
  }
  return 1 - rest * worth;
}

function withLeft({ gain, others }: LevelGain, fee: number): number {
  return withFeesLeft(gain - others, fee) + others;
}

function gainWithFees(
  { level, prices, shares }: SharedPool,
  { coins, shares: taken }: Fees,
): LevelGain | undefined {
  return levelGain(level, { ...within(prices, coins), shares: shares && { ...shares, taken } });
}

/** Each coin's part of the pool, by which its tax is reduced. */
function partsOf({ level, weights }: SharedPool, balances: Float64Array): Float64Array {
  const parts = new Float64Array(balances.length);
  if (weights === undefined) level.slopes(balances, parts);
  else parts.set(weights);
  for (const [k, balance] of balances.entries()) parts[k]! *= balance;
  const sum = parts.reduce((total, one) => total + one, 0);
  return parts.map((one) => one / sum);
}
