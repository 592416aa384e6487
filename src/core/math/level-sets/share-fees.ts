/**
 * Fees split between the two sides of a trade: the fraction taken of each coin, in either direction, and the fraction
 * taken of the pool's share token. No trade pays less than the fractions of its two sides together.
 */
export type Fees = { readonly coins: Float64Array; readonly shares: number };

/**
 * Splits the fees of a pool that charges `fee` of the input for trades between coins, and a tax of each coin for its
 * trades with the share token. Both splits returned give valid bounds.
 */
export function splitFees(fee: number, taxes: Float64Array): readonly Fees[] {
  return [ofCoins(fee, taxes), ofShares(fee, taxes)];
}

/** Charges trades between coins in full, half on each coin, and trades with the share token at most their tax. */
function ofCoins(fee: number, taxes: Float64Array): Fees {
  const coins = taxes.map((tax) => Math.min(fee / 2, tax));
  return { coins, shares: Math.max(0, Math.min(...taxes.map((tax, k) => besides(tax, coins[k]!)))) };
}

/**
 * Charges trades with the share token in full, and trades between coins at most their fee; falls back to `ofCoins` if
 * one coin is nearly all of the pool.
 */
function ofShares(fee: number, taxes: Float64Array): Fees {
  const [most, second] = taxes.toSorted((a, b) => b - a);
  const shares = Math.max(0, 1 - Math.sqrt(((1 - most!) * (1 - second!)) / (1 - fee)));
  if (shares > Math.min(...taxes)) return ofCoins(fee, taxes);
  return { coins: taxes.map((tax) => besides(tax, shares)), shares };
}

/** The fraction that must be taken beside `other` so that both together take `taken`. */
function besides(taken: number, other: number): number {
  return 1 - (1 - taken) / (1 - other);
}
