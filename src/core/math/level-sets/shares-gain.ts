import type { Level } from "./level.ts";
import { type LevelGain, levelGain, withFeesLeft, within } from "./level-gain.ts";
import { type Fees, splitFees } from "./share-fees.ts";

/** A pool whose level grows with the number of its shares, which it sells and buys for single coins. */
export type SharedPool = {
  readonly level: Level;
  /** What a smallest unit of each coin is worth. */
  readonly prices: readonly number[];
  /** Share of what is sold that a trade of two coins pays. */
  readonly fee: number;
  /** Share that a trade of a coin with shares pays on the part of the pool that is of other coins. */
  readonly shareFee: number;
  /** What all shares are worth; undefined where they are not traded. */
  readonly worth: number | undefined;
};

/**
 * A coin is taken to become no more of the pool than what it is and this part of the rest. Where it is more, shares cost less of a fee
 * for it: to go there and back costs more than that saves.
 */
const GROWN = 2e-4;
/** How often that is made where it does not hold. */
const GROWN_MORE = 8;
/** The most that trades of coins with each other and with shares gain together; undefined where that is not known or has no end. */
export function sharesGain(pool: SharedPool): number | undefined {
  const { level, fee, shareFee } = pool;
  const parts = partsOf(level, level.held);
  for (let grown = GROWN; ; grown = Math.min(1, grown * GROWN_MORE)) {
    const most = parts.map((part) => part + grown * (1 - part));
    const taxes = most.map((part) => shareFee * (1 - part));
    const found = splitFees(fee, taxes).flatMap((fees) => gainAt(pool, fees) ?? []);
    const holding = found.filter(({ balances }) =>
      partsOf(level, balances).every((part, k) => part <= most[k]!),
    );
    if (holding.length > 0) return withFeesLeft(Math.min(...holding.map(({ gain }) => gain)), fee);
    // Fees are lower where coins may become more: what is not bounded here is not there.
    if (found.length === 0 || grown === 1) return undefined;
  }
}

function gainAt({ level, prices, worth }: SharedPool, { coins, shares: taken }: Fees): LevelGain | undefined {
  const shares = worth === undefined ? undefined : { least: worth * (1 - taken), most: worth / (1 - taken) };
  return levelGain(level, { ...within(prices, coins), shares });
}

/** What each coin is of the pool's worth, at the pool's own prices. */
function partsOf(level: Level, balances: Float64Array): Float64Array {
  const worth = new Float64Array(balances.length);
  level.slopes(balances, worth);
  for (const [k, balance] of balances.entries()) worth[k]! *= balance;
  const sum = worth.reduce((total, one) => total + one, 0);
  return worth.map((one) => one / sum);
}
