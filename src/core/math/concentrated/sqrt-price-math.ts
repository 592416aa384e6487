/**
 * How amounts move the square-root price of constant liquidity, and the reverse.
 * Prices are 64.96 fixed point. Rounding is always in the pool's favour.
 */

const RESOLUTION = 96n;
const UINT256 = 1n << 256n;

/** ceil(a / b) for a ≥ 0, b > 0. */
export function divRoundingUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/**
 * Token 0 between two prices: liquidity·(upper - lower) / (upper·lower).
 *
 * @param lower     square-root price, > 0 and at most `upper`
 * @param liquidity uint128
 * @returns smallest units of token 0, rounded down
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getAmount0Delta
 */
export function amount0Down(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return ((liquidity << RESOLUTION) * (upper - lower)) / upper / lower;
}

/** The same rounded up, twice as the contract does. */
export function amount0Up(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divRoundingUp(divRoundingUp((liquidity << RESOLUTION) * (upper - lower), upper), lower);
}

/**
 * Token 1 between two prices: liquidity·(upper - lower).
 *
 * @returns smallest units of token 1, rounded down
 * @source Uniswap/v4-core src/libraries/SqrtPriceMath.sol getAmount1Delta
 */
export function amount1Down(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return (liquidity * (upper - lower)) >> RESOLUTION;
}

/** The same rounded up. */
export function amount1Up(lower: bigint, upper: bigint, liquidity: bigint): bigint {
  return divRoundingUp(liquidity * (upper - lower), 1n << RESOLUTION);
}

/**
 * The price after `amount` of the token sold came in, rounded so that it never moves too far.
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
  // Past 256 bits the contract takes a form that rounds differently.
  if (product < UINT256 && numerator + product < UINT256)
    return divRoundingUp(numerator * price, numerator + product);
  return divRoundingUp(numerator, numerator / price + amount);
}

/**
 * The price after `amount` of the token bought went out, rounded so that it moves far enough.
 *
 * @param amount less than what the liquidity holds up to the target, so that no overflow check of the contract can bite
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
