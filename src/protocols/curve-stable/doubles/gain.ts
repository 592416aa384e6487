import type { Level } from "../../../core/math/level-sets/level.ts";
import { levelGain, withFeesLeft } from "../../../core/math/level-sets/level-gain.ts";
import { stableLevel } from "../../../core/math/level-sets/stable-level.ts";
import { type Coins, FEE_DENOMINATOR } from "./coins.ts";
import type { Mirror } from "./mirror.ts";

/**
 * Upper bound on the joint gain of trades over all pairs of a pool's own coins.
 *
 * A dynamic fee grows from `fee` towards a multiple of it as two balances move apart, so no trade pays less than
 * `fee`, and none leaves more than that multiple in the pool. A lending pool sells each coin under two names. Trades
 * under each name are bounded separately, and both are bounded by prices within the fees of either name.
 *
 * @param prices of a smallest unit of each token, in any one unit, > 0
 * @returns in that unit; undefined if unknown, or if trades between the two names of a coin gain without limit
 */
export function gain({ coins, base }: Mirror, prices: readonly number[]): number | undefined {
  if (coins === undefined || base !== undefined || !coins.xp.every((x) => x > 0)) return undefined;
  const fee = coins.fee / FEE_DENOMINATOR;
  const least = new Float64Array(coins.xp.length);
  const most = new Float64Array(coins.xp.length).fill(Number.POSITIVE_INFINITY);
  for (const [token, price] of prices.entries()) {
    const k = token % least.length;
    const worth = token < least.length ? price : price * coins.worth[k]!;
    least[k] = Math.max(least[k]!, worth * (1 - fee / 2));
    most[k] = Math.min(most[k]!, worth / (1 - fee / 2));
  }
  if (least.some((price, k) => price > most[k]!)) return undefined;
  const found = levelGain(levelOf(coins), { least, most });
  const dearest = fee * Math.max(1, coins.offpegFeeMultiplier / FEE_DENOMINATOR);
  return found && withFeesLeft(found.gain, dearest);
}

/** The level of a pool's own coins, divided by A·n^n. */
export function levelOf({ xp, y, c, rates }: Coins): Level {
  return stableLevel({ x: xp, ann: 1, g: c[0]! / y[0]! }, rates);
}
