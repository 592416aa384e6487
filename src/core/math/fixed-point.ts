/**
 * Unsigned fixed-point arithmetic with 18 decimals, rounded as in Balancer's and Gyroscope's contracts. The suffix of
 * a name states the direction of rounding. All arguments are ≥ 0; callers ensure that products fit a uint256.
 *
 * @source balancer/balancer-v2-monorepo pkg/solidity-utils/contracts/math/FixedPoint.sol, Math.sol (316ded0)
 */

export const ONE = 10n ** 18n;

/** floor(a·b / 10^18) */
export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

/** ceil(a·b / 10^18) */
export function mulUp(a: bigint, b: bigint): bigint {
  return (a * b + ONE - 1n) / ONE;
}

/** floor(a·10^18 / b), b > 0 */
export function divDown(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

/** ceil(a·10^18 / b), b > 0 */
export function divUp(a: bigint, b: bigint): bigint {
  return (a * ONE + b - 1n) / b;
}

/** ceil(a / b) of plain integers, b > 0 */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** max(0, 1 - x) */
export function complement(x: bigint): bigint {
  return x < ONE ? ONE - x : 0n;
}
