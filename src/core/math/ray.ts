/** Fixed point of 27 decimals, in which Sky states its savings rates and lending pools their indices. */

export const RAY = 10n ** 27n;

/**
 * x^n with 27 decimals, each product rounded to the nearest. O(log n).
 *
 * @source makerdao/dss src/pot.sol _rpow; makerdao/sdai src/SUsds.sol _rpow is the same
 */
export function rayPower(base: bigint, exponent: number): bigint {
  const half = RAY / 2n;
  let square = base;
  let result = exponent % 2 === 1 ? base : RAY;
  for (let left = Math.floor(exponent / 2); left > 0; left = Math.floor(left / 2)) {
    square = (square * square + half) / RAY;
    if (left % 2 === 1) result = (result * square + half) / RAY;
  }
  return result;
}

/** Largest growth per second that is believed, about 1,000 % a year: a power of it stays small. */
const MAX_RATE = RAY + RAY / 13_000_000n;

/** Whether a factor per second can be a savings rate. */
export const isSavingsRate = (rate: bigint): boolean => rate >= RAY && rate <= MAX_RATE;

/** What a share is worth: `chi` at Unix second `rho`, growing by the factor `rate` each second; 27 decimals. */
export type Savings = { readonly chi: bigint; readonly rate: bigint; readonly rho: number };

/**
 * The worth of a share at a second; before `rho` that at `rho`.
 *
 * @source makerdao/sdai src/SUsds.sol; sparkdotfi/xchain-ssr-oracle src/SSROracleBase.sol getConversionRate
 */
export function grownRay({ chi, rate, rho }: Savings, timestamp: number): bigint {
  return timestamp > rho ? (rayPower(rate, timestamp - rho) * chi) / RAY : chi;
}
