import type { Level } from "./level.ts";

/**
 * A crypto pool in doubles: balances and D in 18-digit units of the first coin, a = A·N^N·γ². `scale` is such units
 * per smallest unit.
 */
export type CryptoFloat = {
  readonly scale: Float64Array;
  readonly xp: Float64Array;
  readonly d: number;
  readonly a: number;
  readonly gamma: number;
  /** The first coin's balance on the level with all other balances as they are; 1 - K0 and T at that point. */
  readonly first: number;
  readonly missing: number;
  readonly excess: number;
};

/**
 * The level of a crypto pool. With u = x·N/D, K0 = Πu and T = Σu/N - 1 its invariant is
 *
 *   a·K0·T / (γ + 1 - K0)² - (1 - K0) = 0
 *
 * γ, T and 1 - K0 are small, so they are computed as differences from a point that is on the level by the contract's
 * arithmetic.
 */
export function cryptoLevel(pool: CryptoFloat): Level {
  const { scale, xp, d, a, gamma } = pool;
  const n = xp.length;
  const unit = scale.map((one) => (one * n) / d);
  const on = xp.with(0, pool.first).map((balance, k) => balance / scale[k]!);
  const at = (balances: Float64Array) => {
    let logs = 0;
    let more = 0;
    for (const [k, balance] of balances.entries()) {
      logs += Math.log(balance / on[k]!);
      more += (balance - on[k]!) * unit[k]!;
    }
    const missing = pool.missing - (1 - pool.missing) * Math.expm1(logs);
    return { k0: 1 - missing, missing, excess: pool.excess + more / n, off: gamma + missing };
  };
  return {
    held: xp.map((balance, k) => balance / scale[k]!),
    excess: (balances) => {
      const { k0, missing, excess, off } = at(balances);
      return (a * k0 * excess) / (off * off) - missing;
    },
    slopes: (balances, to) => {
      const { k0, missing, excess, off } = at(balances);
      const ofProduct = k0 * ((a * excess * (gamma + 2 - missing)) / off ** 3 + 1);
      const ofSum = (a * k0) / (n * off * off);
      for (const [k, balance] of balances.entries()) to[k] = ofProduct / balance + ofSum * unit[k]!;
    },
  };
}
