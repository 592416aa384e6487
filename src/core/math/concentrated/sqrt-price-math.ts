/**
 * Amounts of tokens between two square-root prices at constant liquidity, and the price after an amount was swapped.
 * Prices are 64.96 fixed point. Rounding is always in the pool's favour. Every function is O(1).
 */

const RESOLUTION = 96n;
const UINT256 = 1n << 256n;

/** ceil(a / b) for a ≥ 0, b > 0. */
export function divRoundingUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/**
 * Amount of token 0 between two prices: liquidity·(upper - lower) / (upper·lower).
 *
 * @param lower     square-root price, > 0 and at most `upper`
 * @param liquidity uint128
 * @returns smallest units of token 0, rounded down
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getAmount0Delta
 */
export function amount0Down(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return ((liquidity << RESOLUTION) * (upper - lower)) / upper / lower;
}

/** `amount0Down` rounded up, at both divisions as in the contract. */
export function amount0Up(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divRoundingUp(divRoundingUp((liquidity << RESOLUTION) * (upper - lower), upper), lower);
}

/**
 * Amount of token 1 between two prices: liquidity·(upper - lower).
 *
 * @returns smallest units of token 1, rounded down
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getAmount1Delta
 */
export function amount1Down(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) >> RESOLUTION;
}

/** `amount1Down` rounded up. */
export function amount1Up(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divRoundingUp(liquidity * (upper - lower), 1n << RESOLUTION);
}

/**
 * The square-root price after an input of `amount`, net of the fee, rounded so that it never moves too far.
 *
 * @param liquidity > 0
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getNextSqrtPriceFromInput
 */
export function priceAfterInput(
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  zeroForOne: boolean,
): bigint {
  if (!zeroForOne) return price + (amount << RESOLUTION) / liquidity;
  if (amount === 0n) return price;
  const numerator = liquidity << RESOLUTION;
  const product = amount * price;
  // If a value exceeds 256 bits, the contract uses a formula that rounds differently.
  if (product < UINT256 && numerator + product < UINT256)
    return divRoundingUp(numerator * price, numerator + product);
  return divRoundingUp(numerator, numerator / price + amount);
}

/**
 * The square-root price after an output of `amount`, rounded so that it moves far enough.
 *
 * @param amount less than the output up to the target, so that the contract's overflow checks cannot fail
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getNextSqrtPriceFromOutput
 */
export function priceAfterOutput(
  price: bigint,
  liquidity: bigint,
  amount: bigint,
  zeroForOne: boolean,
): bigint {
  if (zeroForOne) return price - divRoundingUp(amount << RESOLUTION, liquidity);
  if (amount === 0n) return price;
  const numerator = liquidity << RESOLUTION;
  return divRoundingUp(numerator * price, numerator - amount * price);
}
