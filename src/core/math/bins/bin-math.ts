/**
 * Liquidity Book bins: prices in 128.128 fixed point, and fills of one bin. `binPrice` takes O(log id), `fillBin`
 * O(1).
 */

const SCALE = 1n << 128n;
const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT128 = 2n ** 128n - 1n;
const BASIS_POINTS = 10_000n;
/** Fees have 18 digits. */
const PRECISION = 10n ** 18n;
/** The bin whose price is 1. */
const REAL_ID = 2 ** 23;
/** Exponents below this have 20 bits; the contract reverts from here on. */
const MAX_EXPONENT = 2 ** 20;

/**
 * (1 + binStep/10^4)^(id - 2^23), truncated after each multiplication as in the contract.
 *
 * @param binStep basis points, 1 … 10^4
 * @returns smallest units of token Y per smallest unit of token X, 128.128 fixed point; undefined if the contract
 *   reverts
 * @source traderjoe-xyz/joe-v2 src/libraries/math/Uint128x128Math.sol pow, src/libraries/PriceHelper.sol (v2.0 the
 *   same)
 */
export function binPrice(id: number, binStep: number): bigint | undefined {
  const exponent = id - REAL_ID;
  if (exponent === 0) return SCALE;
  let rest = Math.abs(exponent);
  if (rest >= MAX_EXPONENT) return undefined;
  // The base exceeds 1, so the contract powers its inverse and inverts the result.
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

/** A bin in the direction of a swap. */
export type Bin = {
  /** Price as returned by `binPrice`. */
  readonly price: bigint;
  /** Smallest units of the token bought. */
  readonly reserveOut: bigint;
  /** Fee as a fraction of the input, 18 digits, less than 10^18. */
  readonly fee: bigint;
};

export type BinFill = { readonly amountIn: bigint; readonly amountOut: bigint; readonly fee: bigint };

/**
 * The input for `amountOut` of a bin's output, and the fee in it, both rounded up.
 *
 * @returns undefined if the input without its fee is wider than 128 bits
 * @source traderjoe-xyz/joe-v2 src/libraries/BinHelper.sol getAmounts; pancakeswap/infinity-core
 *   src/pool-bin/libraries/BinHelper.sol getAmountsIn
 */
export function inputOfBin(
  { price, fee }: Pick<Bin, "price" | "fee">,
  swapForY: boolean,
  amountOut: bigint,
): BinFill | undefined {
  const net = swapForY ? up(amountOut << 128n, price) : up(amountOut * price, SCALE);
  if (net > MAX_UINT128) return undefined;
  const taken = up(net * fee, PRECISION - fee);
  return { amountIn: net + taken, amountOut, fee: taken };
}

/**
 * Sells up to `amountLeft` into one bin.
 *
 * @returns the input consumed, fee included, and the output, rounded down; undefined if the input of the whole bin,
 *   fee included, is wider than 128 bits
 * @source traderjoe-xyz/joe-v2 src/libraries/BinHelper.sol getAmounts; v2.0 src/libraries/SwapHelper.sol getAmounts;
 *   pancakeswap/infinity-core src/pool-bin/libraries/BinHelper.sol getAmountsOut
 */
export function fillBin(bin: Bin, swapForY: boolean, amountLeft: bigint): BinFill | undefined {
  const { price, reserveOut, fee } = bin;
  const whole = inputOfBin(bin, swapForY, reserveOut);
  if (whole === undefined || whole.amountIn > MAX_UINT128) return undefined;
  if (amountLeft >= whole.amountIn) return whole;
  const taken = up(amountLeft * fee, PRECISION);
  const net = amountLeft - taken;
  const paid = swapForY ? (net * price) >> 128n : (net << 128n) / price;
  return { amountIn: amountLeft, amountOut: paid > reserveOut ? reserveOut : paid, fee: taken };
}

/** A bin's liquidity, 128.128 fixed point, may not exceed this after a swap in it, except in the first versions of Liquidity Book. */
export const MAX_LIQUIDITY = 65251743116719673010965625540244653191619923014385985379600384103134737n;

/**
 * Whether reserves `x` and `y` of a bin are worth more than a bin may hold.
 *
 * @source traderjoe-xyz/joe-v2 v2.2.0 src/libraries/BinHelper.sol getAmounts; pancakeswap/infinity-core
 *   src/pool-bin/libraries/BinPool.sol swap
 */
export function isTooLiquid(price: bigint, x: bigint, y: bigint): boolean {
  return price * x + (y << 128n) > MAX_LIQUIDITY;
}

/** Cache of bin prices by the identity of the object that has the step; a price depends on bin and step only. */
const known = new WeakMap<{ readonly binStep: number }, Map<number, bigint>>();

/** `binPrice`, remembered for as long as the object `of`, which is immutable, is in use. */
export function knownBinPrice(id: number, of: { readonly binStep: number }): bigint | undefined {
  let prices = known.get(of);
  if (prices === undefined) {
    prices = new Map();
    known.set(of, prices);
  }
  const found = prices.get(id) ?? binPrice(id, of.binStep);
  if (found !== undefined) prices.set(id, found);
  return found;
}
