import { sharesGain } from "../../core/math/level-sets/shares-gain.ts";
import { stableLevel } from "../../core/math/level-sets/stable-level.ts";
import type { Mirror } from "./mirror.ts";

/**
 * The most that trades over several pairs of a stable pool with its own shares gain together, never below it.
 *
 * @param prices worth of a smallest unit of each token, in any one unit
 */
export function gain(mirror: Mirror, prices: readonly number[]): number | undefined {
  if (mirror.kind !== "stable" || mirror.pool === undefined || mirror.shareIndex < 0) return undefined;
  if (prices.some((price) => !(price > 0))) return undefined;
  const { pool, shareIndex, supply, fee } = mirror;
  const isCoin = (_: number, k: number) => k !== shareIndex;
  const worth = prices[shareIndex]! * supply;
  return sharesGain({
    level: stableLevel(pool, mirror.scale.filter(isCoin)),
    prices: prices.filter(isCoin),
    fee,
    taxFee: fee,
    sharesAt: (taken) => (supply > 0 ? { least: worth * (1 - taken), most: worth / (1 - taken) } : undefined),
  });
}
