/**
 * Signed fixed-point arithmetic of Gyroscope's pools, 18 decimals and, where a name says Xp, 38. "Mag" rounds the
 * magnitude: down towards zero, up away from it. BigInt truncates towards zero as Solidity does.
 *
 * @source gyrostable/concentrated-lps libraries/SignedFixedPoint.sol (7e9bd3b)
 */

const ONE = 10n ** 18n;
export const ONE_XP = 10n ** 38n;
const HALF_XP = 10n ** 19n;

export function mulDownMag(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

export function mulUpMag(a: bigint, b: bigint): bigint {
  return awayFromZero(a * b, ONE);
}

export function divDownMag(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

export function divUpMag(a: bigint, b: bigint): bigint {
  return b < 0n ? awayFromZero(-a * ONE, -b) : awayFromZero(a * ONE, b);
}

function awayFromZero(dividend: bigint, divisor: bigint): bigint {
  if (dividend > 0n) return (dividend - 1n) / divisor + 1n;
  return dividend < 0n ? (dividend + 1n) / divisor - 1n : 0n;
}

/** 38 decimals times 38 decimals, towards zero. */
export function mulXp(a: bigint, b: bigint): bigint {
  return (a * b) / ONE_XP;
}

/** 38 decimals by 38 decimals, towards zero. */
export function divXp(a: bigint, b: bigint): bigint {
  return (a * ONE_XP) / b;
}

/** 18 decimals times 38 decimals, to 18 decimals, rounded down; a negative product may lose a unit more. */
export function mulDownXpToNp(a: bigint, b: bigint): bigint {
  const [high, low] = [a * (b / HALF_XP), a * (b % HALF_XP)];
  const sum = high + low / HALF_XP;
  return high >= 0n && low >= 0n ? sum / HALF_XP : (sum + 1n) / HALF_XP - 1n;
}

/** 18 decimals times 38 decimals, to 18 decimals, rounded up; a positive product may gain a unit more. */
export function mulUpXpToNp(a: bigint, b: bigint): bigint {
  const [high, low] = [a * (b / HALF_XP), a * (b % HALF_XP)];
  const sum = high + low / HALF_XP;
  return high <= 0n && low <= 0n ? sum / HALF_XP : (sum - 1n) / HALF_XP + 1n;
}
