import { mulDown, mulUp, ONE } from "../fixed-point.ts";

const MAX_UINT256 = 2n ** 256n - 1n;
const STEPS = 7;
const TOLERANCE = 5n;

/**
 * Starting points of Newton's method for inputs below 1.0: an upper bound of the input, and about the root of that
 * bound.
 */
const SMALL: readonly (readonly [bigint, bigint])[] = [
  [10n, 3162277660n],
  [10n ** 2n, 10n ** 10n],
  [10n ** 3n, 31622776601n],
  [10n ** 4n, 10n ** 11n],
  [10n ** 5n, 316227766016n],
  [10n ** 6n, 10n ** 12n],
  [10n ** 7n, 3162277660168n],
  [10n ** 8n, 10n ** 13n],
  [10n ** 9n, 31622776601683n],
  [10n ** 10n, 10n ** 14n],
  [10n ** 11n, 316227766016837n],
  [10n ** 12n, 10n ** 15n],
  [10n ** 13n, 3162277660168379n],
  [10n ** 14n, 10n ** 16n],
  [10n ** 15n, 31622776601683793n],
  [10n ** 16n, 10n ** 17n],
  [10n ** 17n, 316227766016837933n],
];

/**
 * Square root of a number with 18 decimals: seven steps of Newton's method from a table, as in Gyroscope's contract.
 * The result is not always rounded down.
 *
 * @returns undefined if the contract reverts: seven steps were not enough, or the input is too large
 * @source gyrostable/concentrated-lps libraries/GyroPoolMath.sol _sqrt (7e9bd3b)
 */
export function sqrt(input: bigint): bigint | undefined {
  if (input === 0n) return 0n;
  const inflated = input * ONE;
  if (inflated > MAX_UINT256) return undefined;
  let guess = startOf(input);
  for (let step = 0; step < STEPS; step++) guess = (guess + inflated / guess) / 2n;
  const slack = mulUp(guess, TOLERANCE);
  const square = mulDown(guess, guess);
  return square <= input + slack && square >= input - slack ? guess : undefined;
}

function startOf(input: bigint): bigint {
  if (input >= ONE) return (1n << BigInt(halfLog2(input / ONE))) * ONE;
  return SMALL.find(([most]) => input <= most)?.[1] ?? input;
}

/** Half of the binary logarithm of x ≥ 1, rounded down. */
function halfLog2(x: bigint): number {
  return (x.toString(2).length - 1) >> 1;
}
