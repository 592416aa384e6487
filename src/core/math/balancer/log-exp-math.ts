/**
 * x^y = exp(y·ln x) of 18-decimal fixed-point numbers, equal to Balancer's library to the last digit: the digits
 * depend on the order of its truncating divisions. BigInt division truncates towards zero, as Solidity's signed
 * division does. O(1).
 *
 * @source balancer/balancer-v2-monorepo pkg/solidity-utils/contracts/math/LogExpMath.sol (316ded0)
 */

const ONE_18 = 10n ** 18n;
const ONE_20 = 10n ** 20n;
const ONE_36 = 10n ** 36n;

const MAX_EXPONENT = 130n * ONE_18;
const MIN_EXPONENT = -41n * ONE_18;
const Y_BOUND = 2n ** 254n / ONE_20;
const NEAR_ONE = ONE_18 / 10n;

/** Pairs [x, e^x]: x has 18 decimals, e^x is a plain integer since it is too large for decimals. */
const HUGE: readonly (readonly [bigint, bigint])[] = [
  [128n * ONE_18, 38877084059945950922200000000000000000000000000000000000n],
  [64n * ONE_18, 6235149080811616882910000000n],
];

/** Pairs [x, e^x] with 20 decimals each, x = 32, 16, … 2^-4. */
const POWERS: readonly (readonly [bigint, bigint])[] = [
  [3200000000000000000000n, 7896296018268069516100000000000000n],
  [1600000000000000000000n, 888611052050787263676000000n],
  [800000000000000000000n, 298095798704172827474000n],
  [400000000000000000000n, 5459815003314423907810n],
  [200000000000000000000n, 738905609893065022723n],
  [100000000000000000000n, 271828182845904523536n],
  [50000000000000000000n, 164872127070012814685n],
  [25000000000000000000n, 128402541668774148407n],
  [12500000000000000000n, 113314845306682631683n],
  [6250000000000000000n, 106449445891785942956n],
];

/** The powers that the exponential factors out, down to x = 2^-2; its series covers the rest. */
const EXP_POWERS = POWERS.slice(0, 8);
const EXP_TERMS = 12n;
const LN_TERMS = 11n;
const LN_36_TERMS = 15n;

/**
 * x^y, neither rounded up nor down: the last digits carry the library's error.
 *
 * @param x base ≥ 0, 18 decimals
 * @param y exponent ≥ 0, 18 decimals
 * @returns 18 decimals; undefined if the contract reverts: an argument or y·ln x out of bounds
 */
export function pow(x: bigint, y: bigint): bigint | undefined {
  if (y === 0n) return ONE_18;
  if (x === 0n) return 0n;
  if (x >> 255n !== 0n || y >= Y_BOUND) return undefined;
  let exponent: bigint;
  if (ONE_18 - NEAR_ONE < x && x < ONE_18 + NEAR_ONE) {
    const precise = ln36(x);
    exponent = (precise / ONE_18) * y + ((precise % ONE_18) * y) / ONE_18;
  } else {
    exponent = ln(x) * y;
  }
  exponent /= ONE_18;
  return exponent < MIN_EXPONENT || exponent > MAX_EXPONENT ? undefined : exp(exponent);
}

/** e^x within the bounds checked by `pow`. */
function exp(exponent: bigint): bigint {
  if (exponent < 0n) return (ONE_18 * ONE_18) / exp(-exponent);
  let x = exponent;
  let whole = 1n;
  const huge = HUGE.find(([power]) => x >= power);
  if (huge !== undefined) {
    x -= huge[0];
    whole = huge[1];
  }
  x *= 100n;
  let product = ONE_20;
  for (const [power, exponential] of EXP_POWERS) {
    if (x < power) continue;
    x -= power;
    product = (product * exponential) / ONE_20;
  }
  let sum = ONE_20 + x;
  let term = x;
  for (let n = 2n; n <= EXP_TERMS; n++) {
    term = (term * x) / ONE_20 / n;
    sum += term;
  }
  return (((product * sum) / ONE_20) * whole) / 100n;
}

/** Natural logarithm of x > 0 to 18 decimals. */
function ln(x: bigint): bigint {
  if (x < ONE_18) return -ln((ONE_18 * ONE_18) / x);
  let a = x;
  let sum = 0n;
  for (const [power, exponential] of HUGE) {
    if (a < exponential * ONE_18) continue;
    a /= exponential;
    sum += power;
  }
  sum *= 100n;
  a *= 100n;
  for (const [power, exponential] of POWERS) {
    if (a < exponential) continue;
    a = (a * ONE_20) / exponential;
    sum += power;
  }
  return (sum + series(a, ONE_20, LN_TERMS)) / 100n;
}

/** Natural logarithm of x near 1, 18 decimals, to 36 decimals. */
function ln36(x: bigint): bigint {
  return series(x * ONE_18, ONE_36, LN_36_TERMS);
}

/** ln a = 2·(z + z³/3 + z⁵/5 + …), z = (a - 1)/(a + 1), up to the term of z^`last`. */
function series(a: bigint, one: bigint, last: bigint): bigint {
  const z = ((a - one) * one) / (a + one);
  const square = (z * z) / one;
  let power = z;
  let sum = z;
  for (let n = 3n; n <= last; n += 2n) {
    power = (power * square) / one;
    sum += power / n;
  }
  return sum * 2n;
}
