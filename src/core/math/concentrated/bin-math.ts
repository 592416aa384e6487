/** Prices of bins in 128.128 fixed point, and fees on what goes into them. */

const SCALE = 1n << 128n;
const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT128 = 2n ** 128n - 1n;
const BASIS_POINTS = 10_000n;
/** Fees have 18 digits. */
const PRECISION = 10n ** 18n;
/** The bin whose price is 1. */
const REAL_ID = 2 ** 23;
/** Exponents are of 20 bits. */
const MAX_EXPONENT = 2 ** 20;

/**
 * (1 + binStep/10^4)^(id - 2^23), cut at every multiplication as the contract does.
 *
 * @param binStep basis points, 1 … 10^4
 * @returns smallest units of token Y for one of token X in 128.128 fixed point; undefined where the contract reverts
 * @source traderjoe-xyz/joe-v2 src/libraries/math/Uint128x128Math.sol pow, src/libraries/PriceHelper.sol (v2.0 the same)
 */
export function binPrice(id: number, binStep: number): bigint | undefined {
  const exponent = id - REAL_ID;
  if (exponent === 0) return SCALE;
  let rest = Math.abs(exponent);
  if (rest >= MAX_EXPONENT) return undefined;
  // The base is over 1: the contract works with its inverse, and turns the result once more.
  let squared = MAX_UINT256 / (SCALE + (BigInt(binStep) << 128n) / BASIS_POINTS);
  let result = SCALE;
  for (; rest > 0; rest >>= 1) {
    if ((rest & 1) === 1) result = (result * squared) >> 128n;
    squared = (squared * squared) >> 128n;
  }
  if (result === 0n) return undefined;
  return exponent > 0 ? MAX_UINT256 / result : result;
}

const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** A bin as a swap meets it. */
export type Bin = {
  /** Of `binPrice`. */
  readonly price: bigint;
  /** Smallest units of the token bought. */
  readonly reserveOut: bigint;
  /** Share of the input with 18 digits, less than 10^18. */
  readonly fee: bigint;
};

export type BinFill = { readonly amountIn: bigint; readonly amountOut: bigint; readonly fee: bigint };

/**
 * Sells up to `amountLeft` into one bin.
 *
 * @returns what the bin takes, fee included, and what it pays; undefined where an amount is wider than 128 bits
 * @source traderjoe-xyz/joe-v2 src/libraries/BinHelper.sol getAmounts; v2.0 src/libraries/SwapHelper.sol getAmounts
 */
export function fillBin(
  { price, reserveOut, fee }: Bin,
  swapForY: boolean,
  amountLeft: bigint,
): BinFill | undefined {
  const most = swapForY ? up(reserveOut << 128n, price) : up(reserveOut * price, SCALE);
  const mostFee = up(most * fee, PRECISION - fee);
  if (most > MAX_UINT128) return undefined;
  if (amountLeft >= most + mostFee) return { amountIn: most + mostFee, amountOut: reserveOut, fee: mostFee };
  const taken = up(amountLeft * fee, PRECISION);
  const net = amountLeft - taken;
  const paid = swapForY ? (net * price) >> 128n : (net << 128n) / price;
  return { amountIn: amountLeft, amountOut: paid > reserveOut ? reserveOut : paid, fee: taken };
}
