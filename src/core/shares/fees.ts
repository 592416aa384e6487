/** Highest fee in thousandths of the amount (10 = 1 %), the unit of all fees. */
export const MAX_FEE_PERMILLE = 500;

/** The fee on `amount` in smallest units: floor(amount·permille / 1000), as the router rounds. */
export function feeOf(amount: bigint, permille: number): bigint {
  return (amount * BigInt(permille)) / 1000n;
}

/**
 * The least amount that leaves `rest` after a fee. `amount - feeOf(amount)` takes every integer value, so the inverse
 * is exact.
 *
 * @param rest 1 or more
 */
export function beforeFee(rest: bigint, permille: number): bigint {
  return ((rest - 1n) * 1000n) / BigInt(1000 - permille) + 1n;
}

/** The largest amount that leaves no more than `rest` after a fee. */
export function mostBeforeFee(rest: bigint, permille: number): bigint {
  return (rest * 1000n) / BigInt(1000 - permille);
}

/**
 * The minimum output: max(1, floor(total·(10^6 - slippagePpm) / 10^6)).
 *
 * @param total output of the quote in smallest units, net of all fees
 */
export function minimumOut(total: bigint, slippagePpm: number): bigint {
  const minimum = (total * BigInt(1_000_000 - slippagePpm)) / 1_000_000n;
  return minimum > 0n ? minimum : 1n;
}
