/**
 * Signed fixed-point arithmetic of Gyroscope's pools: 18 decimals, or 38 decimals ("Xp" in names). "Mag" names the
 * rounding of the magnitude: down is towards zero, up is away from zero. BigInt division truncates towards zero, as
 * in Solidity.
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

/** Product of two numbers with 38 decimals, rounded towards zero. */
export function mulXp(a: bigint, b: bigint): bigint {
  return (a * b) / ONE_XP;
}

/** Quotient of two numbers with 38 decimals, rounded towards zero. */
export function divXp(a: bigint, b: bigint): bigint {
  return (a * ONE_XP) / b;
}

/** 18 decimals times 38 decimals, to 18 decimals, rounded down; a negative result may be a unit below the floor. */
export function mulDownXpToNp(a: bigint, b: bigint): bigint {
  const high = a * (b / HALF_XP);
  const low = a * (b % HALF_XP);
  const sum = high + low / HALF_XP;
  return high >= 0n && low >= 0n ? sum / HALF_XP : (sum + 1n) / HALF_XP - 1n;
}

/** 18 decimals times 38 decimals, to 18 decimals, rounded up; a positive result may be a unit above the ceiling. */
export function mulUpXpToNp(a: bigint, b: bigint): bigint {
  const high = a * (b / HALF_XP);
  const low = a * (b % HALF_XP);
  const sum = high + low / HALF_XP;
  return high <= 0n && low <= 0n ? sum / HALF_XP : (sum - 1n) / HALF_XP + 1n;
}
