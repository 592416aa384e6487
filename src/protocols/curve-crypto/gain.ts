import { cryptoLevel } from "../../core/math/level-sets/crypto-level.ts";
import { levelGain, withFeesLeft, within } from "../../core/math/level-sets/level-gain.ts";
import { type Mirror, shareOfFee } from "./mirror.ts";

/**
 * The fee is assumed to be at least this fraction of the fee at the present balances and at the balances where no
 * trade gains. If it were lower, the detour would cost more than it saves.
 */
const OF_FEE = 0.99;
/** Rounds in which a failed assumption is replaced by the fee found; later rounds halve it, down to the least fee. */
const MOST_ROUNDS = 4;

/** Upper bound on the joint gain of trades over several pairs of a pool. */
export function gain(pool: Mirror, prices: readonly number[]): number | undefined {
  const { scale, xp, d, a, g, y, missing, excess, midFee, outFee } = pool;
  if (y[0] === 0) return undefined;
  const on = { first: y[0]!, missing: missing[0]!, excess: excess[0]! };
  const level = cryptoLevel({ scale, xp, d, a, gamma: g - 1, ...on });
  const least = Math.min(midFee, outFee);
  let fee = OF_FEE * shareOfFee(pool, xp);
  for (let round = 1; ; round++) {
    const taken = new Float64Array(xp.length).fill(fee / 2);
    const found = levelGain(level, within(prices, taken));
    if (found === undefined) return undefined;
    const after = found.balances.map((balance, k) => balance * scale[k]!);
    const there = OF_FEE * shareOfFee(pool, after);
    if (fee <= there || fee <= least) return withFeesLeft(found.gain, fee);
    fee = Math.max(least, round < MOST_ROUNDS ? there : there / 2);
  }
}
