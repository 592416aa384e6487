import type { Level } from "./level.ts";
import { type LevelGain, levelGain, type Shares, within } from "./level-gain.ts";
import { type Fees, splitFees } from "./share-fees.ts";

/** A pool whose level grows with the number of its shares, which it sells and buys for single coins. */
export type SharedPool = {
  readonly level: Level;
  /** What a smallest unit of each coin is worth. */
  readonly prices: readonly number[];
  /** Share of what is sold that a trade of two coins pays. */
  readonly fee: number;
  /** Share that a trade of a coin with shares pays, over the part of the pool's worth that is of other coins. */
  readonly taxFee: number;
  /** What is known of the shares where fees take so much of them. */
  readonly sharesAt: (taken: number) => Shares | undefined;
};

/**
 * A coin is taken to become no more of the pool than what it is and this part of the rest. Where it is more, shares cost less of a fee
 * for it: to go there and back costs more than that saves.
 */
const GROWN = 2e-4;
/** How often that is made where it does not hold. */
const GROWN_MORE = 8;
/** What fees that earlier trades left in a pool may add to what later ones gain: as often as the fee. */
const LEFT_IN = 2;

/** The most that trades of coins with each other and with shares gain together; undefined where that is not known or has no end. */
export function sharesGain(pool: SharedPool): number | undefined {
  const { level, fee, taxFee } = pool;
  const parts = partsOf(level, level.held);
  for (let grown = GROWN; ; grown = Math.min(1, grown * GROWN_MORE)) {
    const most = parts.map((part) => part + grown * (1 - part));
    const taxes = most.map((part) => taxFee * (1 - part));
    const found = splitFees(fee, taxes).flatMap((fees) => gainAt(pool, fees) ?? []);
    const holding = found.filter(({ balances }) =>
      partsOf(level, balances).every((part, k) => part <= most[k]!),
    );
    if (holding.length > 0) return Math.min(...holding.map(({ gain }) => gain)) * (1 + LEFT_IN * fee);
    // Fees are lower where coins may become more: what is not bounded here is not there.
    if (found.length === 0 || grown === 1) return undefined;
  }
}

function gainAt({ level, prices, sharesAt }: SharedPool, fees: Fees): LevelGain | undefined {
  return levelGain(level, { ...within(prices, fees.coins), shares: sharesAt(fees.shares) });
}

/** What each coin is of the pool's worth, at the pool's own prices. */
function partsOf(level: Level, balances: Float64Array): Float64Array {
  const worth = new Float64Array(balances.length);
  level.slopes(balances, worth);
  for (const [k, balance] of balances.entries()) worth[k]! *= balance;
  const sum = worth.reduce((total, one) => total + one, 0);
  return worth.map((one) => one / sum);
}
