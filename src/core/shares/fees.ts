/** Fees are counted in thousandths: 10 = 1 %, at most 500. */
export const MAX_FEE_PERMILLE = 500;

/** The share of `amount` that a fee takes, rounded down: floor(amount·permille / 1000). The router rounds the same way. */
export function feeOf(amount: bigint, permille: number): bigint {
  return (amount * BigInt(permille)) / 1000n;
}

/**
 * The least amount that leaves `rest` after a fee: the inverse of `amount - feeOf(amount)`, which takes every whole value.
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
 * The least that the recipient accepts: max(1, floor(total·(10^6 - slippagePpm) / 10^6)).
 *
 * @param total what the offer promises, net of every fee, in smallest units
 */
export function minimumOut(total: bigint, slippagePpm: number): bigint {
  const minimum = (total * BigInt(1_000_000 - slippagePpm)) / 1_000_000n;
  return minimum > 0n ? minimum : 1n;
}
