import { BEYOND, compact } from "./ekubo-price.ts";

/**
 * Amounts and prices of a stretch of constant liquidity L in Ekubo's core; s is a square-root price in 64.128 fixed
 * point:
 *
 *   Δ0 = L · (1/s - 1/s')      Δ1 = L · (s' - s)
 *
 * @source EkuboProtocol/evm-contracts src/math/delta.sol, src/math/sqrtRatio.sol, src/math/fee.sol
 */

const MAX_UINT128 = 2n ** 128n - 1n;
const MAX_UINT192 = 2n ** 192n - 1n;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Fees are fractions of 2^64. */
const FEE_ONE = 2n ** 64n;

function divUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

function withinUint128(amount: bigint): bigint | undefined {
  return amount <= MAX_UINT128 ? amount : undefined;
}

/** The fee on an amount that includes it, rounded up. */
export function feeOf(amount: bigint, fee: bigint): bigint {
  return divUp(amount * fee, FEE_ONE);
}

/** The amount of which `after` is left once the fee is taken, rounded up; undefined if the contract reverts. */
export function beforeFee(after: bigint, fee: bigint): bigint | undefined {
  return withinUint128(divUp(after * FEE_ONE, FEE_ONE - fee));
}

/** A stretch of prices, ascending. */
export type Stretch = { readonly low: bigint; readonly high: bigint; readonly liquidity: bigint };

/** Amount of token 0 between two prices; undefined if the contract reverts. */
export function amount0({ low, high, liquidity }: Stretch, up: boolean): bigint | undefined {
  const scaled = (liquidity << 128n) * (high - low);
  return withinUint128(up ? divUp(divUp(scaled, high), low) : scaled / high / low);
}

/** Amount of token 1 between two prices; undefined if the contract reverts. */
export function amount1({ low, high, liquidity }: Stretch, up: boolean): bigint | undefined {
  const scaled = liquidity * (high - low);
  return withinUint128(up ? divUp(scaled, MAX_UINT128 + 1n) : scaled >> 128n);
}

/**
 * The price after the pool received, or if negative paid, an amount of token 0: rounded towards the start for what is
 * received, away from it for what is paid.
 */
export function priceAfter0(price: bigint, liquidity: bigint, amount: bigint): bigint | undefined {
  if (amount === 0n) return price;
  const scaled = liquidity << 128n;
  if (amount > 0n) return compact(divUp(scaled, scaled / price + amount), true);
  const product = -amount * price;
  if (product > MAX_UINT256 || product >= scaled) return BEYOND;
  const next = divUp(scaled * price, scaled - product);
  return next > MAX_UINT192 + 1n - 2n ** 98n ? BEYOND : compact(next, true);
}

/** As `priceAfter0`, for token 1. */
export function priceAfter1(price: bigint, liquidity: bigint, amount: bigint): bigint | undefined {
  if (amount < 0n) {
    const fall = divUp(-amount << 128n, liquidity);
    return compact(fall > price ? 0n : price - fall, false);
  }
  const next = price + (amount << 128n) / liquidity;
  return next > MAX_UINT192 ? BEYOND : compact(next, false);
}
