/** Shares that fees take of coins, each way, and of the pool's shares, such that no trade pays less than both together. */
export type Fees = { readonly coins: Float64Array; readonly shares: number };

/**
 * Fees of a pool that trades coins at `fee` of what is sold, and each coin with its own shares at a tax of its own: two ways to split them
 * between coins and shares, of which either bounds what is gained.
 */
export function splitFees(fee: number, taxes: Float64Array): readonly Fees[] {
  return [ofCoins(fee, taxes), ofShares(fee, taxes)];
}

/** Those of two coins are what they are, those of a coin and shares no more: half the fee of each coin. */
function ofCoins(fee: number, taxes: Float64Array): Fees {
  const coins = taxes.map((tax) => Math.min(fee / 2, tax));
  return { coins, shares: Math.max(0, Math.min(...taxes.map((tax, k) => besides(tax, coins[k]!)))) };
}

/** Those of a coin and shares are what they are, those of two coins no more, where no coin is nearly all of the pool. */
function ofShares(fee: number, taxes: Float64Array): Fees {
  const [most, second] = taxes.toSorted((a, b) => b - a);
  const shares = Math.max(0, 1 - Math.sqrt(((1 - most!) * (1 - second!)) / (1 - fee)));
  if (shares > Math.min(...taxes)) return ofCoins(fee, taxes);
  return { coins: taxes.map((tax) => besides(tax, shares)), shares };
}

/** What is left of a share that is taken where another is taken besides. */
function besides(taken: number, other: number): number {
  return 1 - (1 - taken) / (1 - other);
}
