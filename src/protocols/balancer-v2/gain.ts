import { sharesGain } from "../../core/math/level-sets/shares-gain.ts";
import { sharesWorth } from "../../core/math/level-sets/sharing.ts";
import { stableLevel } from "../../core/math/level-sets/stable-level.ts";
import type { Mirror } from "./mirror.ts";

/** Upper bound on the joint gain of trades over several pairs of a stable pool that trades its own shares. */
export function gain(mirror: Mirror, prices: readonly number[]): number | undefined {
  if (mirror.kind !== "stable" || mirror.pool === undefined || mirror.shareIndex < 0) return undefined;
  const { pool, shareIndex, supply, fee } = mirror;
  const isCoin = (_: number, k: number) => k !== shareIndex;
  const scale = mirror.scale.filter(isCoin);
  return sharesGain({
    level: stableLevel(pool, scale),
    // The contract weighs coins by their balances, whatever they cost in the pool.
    weights: Array.from(scale),
    prices: prices.filter(isCoin),
    fee,
    shareFee: fee,
    shares: supply > 0 ? sharesWorth(prices[shareIndex]! * supply) : undefined,
  });
}
