import type { StableFloat } from "../../core/math/curve/stable-float.ts";
import { levelGain } from "../../core/math/level-sets/level-gain.ts";
import { stableLevel } from "../../core/math/level-sets/stable-level.ts";
import type { Mirror, StableMirror } from "./mirror.ts";

/**
 * A coin is taken to become no more of the pool than what it is and this part of the rest. Where it is more, shares cost less of a fee
 * for it: to go there and back costs more than that saves.
 */
const GROWN = 2e-4;
/** How often that is made where it does not hold. */
const GROWN_MORE = 8;
/** What fees that earlier trades left in a pool may add to what later ones gain: as often as the fee. */
const LEFT_IN = 2;

/**
 * The most that trades over several pairs of a stable pool with its own shares gain together, never below it.
 *
 * A trade of coins pays the fee on its input, one with shares on all but the coin's own part of the pool.
 *
 * @param prices worth of a smallest unit of each token, in any one unit
 */
export function gain(mirror: Mirror, prices: readonly number[]): number | undefined {
  if (mirror.kind !== "stable" || mirror.pool === undefined || mirror.shareIndex < 0) return undefined;
  if (prices.some((price) => !(price > 0))) return undefined;
  const parts = partsOf(mirror.pool.x);
  for (let grown = GROWN; ; grown = Math.min(1, grown * GROWN_MORE)) {
    const most = parts.map((part) => part + grown * (1 - part));
    const found = [feesOfCoins(mirror.fee, most), feesOfShares(mirror.fee, most)].flatMap(
      (fees) => gainAt(mirror as WithShares, { prices, fees, most }) ?? [],
    );
    const holding = found.filter(({ holds }) => holds).map(({ gain }) => gain);
    if (holding.length > 0) return Math.min(...holding) * (1 + LEFT_IN * mirror.fee);
    // Fees are lower where coins may become more: what is not bounded here is not there.
    if (found.length === 0 || grown === 1) return undefined;
  }
}

type WithShares = StableMirror & { readonly pool: StableFloat };

type Asked = {
  readonly prices: readonly number[];
  readonly fees: Fees;
  /** The most of the pool that each coin may become for these fees to hold. */
  readonly most: Float64Array;
};

/** What is gained at these fees, and whether they hold where no trade gains any more. */
function gainAt(
  mirror: WithShares,
  { prices, fees, most }: Asked,
): { gain: number; holds: boolean } | undefined {
  const { pool, scale, shareIndex, supply } = mirror;
  const isCoin = (_: number, k: number) => k !== shareIndex;
  const level = stableLevel(pool, scale.filter(isCoin));
  const shares = supply > 0 ? { worth: prices[shareIndex]! * supply, taken: fees.shares } : undefined;
  const found = levelGain(level, { prices: prices.filter(isCoin), taken: fees.coins, shares });
  if (found === undefined) return undefined;
  const there = partsOf(found.balances.map((balance, k) => (balance * pool.x[k]!) / level.held[k]!));
  return { gain: found.gain, holds: there.every((part, k) => part <= most[k]!) };
}

function partsOf(balances: Float64Array): Float64Array {
  const sum = balances.reduce((total, balance) => total + balance, 0);
  return balances.map((balance) => balance / sum);
}

/** Shares that fees take of coins, each way, and of the pool's shares, such that no trade pays less than both together. */
type Fees = { readonly coins: Float64Array; readonly shares: number };

/** Those of two coins are what they are, those of a coin and shares no more: half the fee of each coin. */
function feesOfCoins(fee: number, parts: Float64Array): Fees {
  const taxes = parts.map((part) => fee * (1 - part));
  const coins = taxes.map((tax) => Math.min(fee / 2, tax));
  return { coins, shares: Math.max(0, Math.min(...taxes.map((tax, k) => besides(tax, coins[k]!)))) };
}

/** Those of a coin and shares are what they are, those of two coins no more, where no coin is nearly all of the pool. */
function feesOfShares(fee: number, parts: Float64Array): Fees {
  const taxes = parts.map((part) => fee * (1 - part));
  const [most, second] = taxes.toSorted((a, b) => b - a);
  const shares = Math.max(0, 1 - Math.sqrt(((1 - most!) * (1 - second!)) / (1 - fee)));
  if (shares > Math.min(...taxes)) return feesOfCoins(fee, parts);
  return { coins: taxes.map((tax) => besides(tax, shares)), shares };
}

/** What is left of a share that is taken where another is taken besides. */
function besides(taken: number, other: number): number {
  return 1 - (1 - taken) / (1 - other);
}
