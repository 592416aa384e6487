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
 * The part of a coin's tax that changes of the pool are taken to save at most. A coin that has become more of the pool pays on a smaller
 * rest, and a trade in one piece pays at the prices that it leaves, in coins that it has made cheaper. Where the pool changes by more, to go
 * there and back costs more than that saves.
 */
const SAVED = 2e-4;
/** By how much more than what was found they are taken to save then; the next time that is at least doubled. */
const SAVED_MORE = 1.25;

/** The most that trades of coins with each other and with shares gain together; undefined where that is not known or has no end. */
export function sharesGain(pool: SharedPool): number | undefined {
  const { level, fee, shareFee } = pool;
  const before = partsOf(level, level.held);
  for (let saved = SAVED; ; ) {
    const taxes = before.map((part) => shareFee * (1 - saved) * (1 - part));
    const found = splitFees(fee, taxes).flatMap((fees) => gainWithFees(pool, fees) ?? []);
    const needed = found.map(({ balances }) => savedBy(level, before, balances));
    const gains = found.flatMap((one, k) => (needed[k]! <= saved ? [withLeft(one, fee)] : []));
    if (gains.length > 0) return Math.min(...gains);
    // Fees are lower where coins may become more: what is not bounded here is not there.
    if (found.length === 0 || saved === 1) return undefined;
    saved = Math.min(1, Math.max(2 * saved, SAVED_MORE * Math.min(...needed)));
  }
}

/** The part of a tax that a change of the pool to these balances saves at most: by what coins have become of it, and by what they are worth. */
function savedBy(level: Level, before: Float64Array, balances: Float64Array): number {
  let [rest, worth] = [1, 1];
  for (const [k, part] of partsOf(level, balances).entries()) {
    rest = Math.min(rest, (1 - part) / (1 - before[k]!));
    worth = Math.min(worth, part / balances[k]! / (before[k]! / level.held[k]!));
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

/** What each coin is of the pool's worth, at the pool's own prices. */
function partsOf(level: Level, balances: Float64Array): Float64Array {
  const worth = new Float64Array(balances.length);
  level.slopes(balances, worth);
  for (const [k, balance] of balances.entries()) worth[k]! *= balance;
  const sum = worth.reduce((total, one) => total + one, 0);
  return worth.map((one) => one / sum);
}
