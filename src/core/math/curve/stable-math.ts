/**
 * Curve's stableswap invariant in integers, with the roundings of the Vyper contracts:
 *
 *   A·n^n·Σx + D = A·D·n^n + D^(n+1) / (n^n·Πx)
 *
 * Every division floors, and a product that does not fit a uint256 is a revert. D and single balances are found by
 * Newton's method, which stops when two iterates differ by at most 1: at most 255 steps of O(n).
 *
 * All balances here are in 18-digit units: x = balance·rate / 10^18. `undefined` stands for a revert.
 */

/**
 * How a Newton step for D computes D^(n+1) / (n^n·Πx). Contract versions differ, and so does the last unit of their
 * D.
 */
export type ProductForm =
  /** One coin at a time: P = P·D / (x·n). */
  | "perCoin"
  /** One coin at a time: P = P·D / (x·n + 1). The added unit avoids a division by zero if a balance is empty. */
  | "perCoinPlusOne"
  /** One coin at a time without n, then one division by n^n. */
  | "together";

/** The contract's `amp`: A·precision, where A stands for A·n^(n-1) of the whitepaper. */
export type Amplification = { readonly amp: bigint; readonly precision: bigint };

/** A linear change of `amp` between two times, in the contract's own precision. */
export type Ramp = {
  readonly initialA: bigint;
  readonly futureA: bigint;
  /** Unix seconds. */
  readonly initialTime: number;
  readonly futureTime: number;
};

const PRECISION = 10n ** 18n;
export const FEE_DENOMINATOR = 10n ** 10n;
const MAX_UINT256 = 2n ** 256n - 1n;
const MOST_STEPS = 255;

/**
 * `amp` at a time in Unix seconds, rounded towards the value at which the ramp starts.
 *
 * @source curvefi/curve-contract contracts/pool-templates/base/SwapTemplateBase.vy _A
 */
export function ampAt(ramp: Ramp, timestamp: number): bigint {
  const { initialA, futureA, initialTime, futureTime } = ramp;
  if (timestamp >= futureTime) return futureA;
  const passed = BigInt(timestamp - initialTime);
  const whole = BigInt(futureTime - initialTime);
  return futureA > initialA
    ? initialA + ((futureA - initialA) * passed) / whole
    : initialA - ((initialA - futureA) * passed) / whole;
}

/** Balances in 18-digit units: floor(balance·rate / 10^18). The rate of a plain token is 10^(36 - decimals). */
export function scaled(balances: readonly bigint[], rates: readonly bigint[]): bigint[] {
  return balances.map((balance, k) => (balance * rates[k]!) / PRECISION);
}

function total(xp: readonly bigint[]): bigint {
  let sum = 0n;
  for (const x of xp) sum += x;
  return sum;
}

/**
 * The invariant D: the sum of the balances of a pool in balance.
 *
 * @param xp balances in 18-digit units
 * @returns undefined if the contract reverts: an empty balance beside others, no convergence, overflow
 * @source curvefi/curve-contract SwapTemplateBase.vy _get_D ("perCoin"), pools/steth ("perCoinPlusOne");
 *   curvefi/curve-factory implementations/plain-2, curvefi/stableswap-ng CurveStableSwapNG.vy ("together")
 */
export function invariant(
  xp: readonly bigint[],
  { amp, precision }: Amplification,
  form: ProductForm,
): bigint | undefined {
  const n = BigInt(xp.length);
  const sum = total(xp);
  if (sum === 0n) return 0n;
  const divisors = divisorsOf(xp, form);
  if (divisors === undefined) return undefined;
  const last = form === "together" ? n ** n : 1n;
  const annSum = (amp * n * sum) / precision;
  const annLess = amp * n - precision;

  let d = sum;
  for (let step = 0; step < MOST_STEPS; step++) {
    const product = productOf(d, divisors, last);
    const above = (annSum + product * n) * d;
    if (product < 0n || above > MAX_UINT256) return undefined;
    const before = d;
    d = above / ((annLess * d) / precision + (n + 1n) * product);
    if (isSettled(d, before)) return d;
  }
  return undefined;
}

/** D^(n+1) / (n^n·Πx), floored after each coin; -1 if a product does not fit a uint256. */
function productOf(d: bigint, divisors: readonly bigint[], last: bigint): bigint {
  let product = d;
  for (const divisor of divisors) {
    product *= d;
    if (product > MAX_UINT256) return -1n;
    product /= divisor;
  }
  return last === 1n ? product : product / last;
}

function divisorsOf(xp: readonly bigint[], form: ProductForm): readonly bigint[] | undefined {
  const n = BigInt(xp.length);
  const more = form === "perCoinPlusOne" ? 1n : 0n;
  const divisors = form === "together" ? xp : xp.map((x) => x * n + more);
  return divisors.includes(0n) ? undefined : divisors;
}

function isSettled(now: bigint, before: bigint): boolean {
  const change = now - before;
  return change <= 1n && change >= -1n;
}

/**
 * The balance of coin `j` that gives D with the other balances: the positive root of
 *
 *   y² + (S + D/(A·n) - D)·y = D^(n+1) / (n^n·P·A·n),   S, P = sum and product of the others.
 *
 * @param xp balances in 18-digit units; that of `j` is not read
 * @returns undefined if the contract reverts: another balance is empty, no convergence, overflow
 * @source curvefi/curve-contract SwapTemplateBase.vy _get_y, _get_y_D: one function, since D is given
 */
export function balanceFor(
  j: number,
  xp: readonly bigint[],
  d: bigint,
  { amp, precision }: Amplification,
): bigint | undefined {
  const n = BigInt(xp.length);
  const ann = amp * n;
  let c = d;
  let sum = 0n;
  for (let k = 0; k < xp.length; k++) {
    if (k === j) continue;
    const x = xp[k]!;
    if (x === 0n) return undefined;
    sum += x;
    c *= d;
    if (c > MAX_UINT256) return undefined;
    c /= x * n;
  }
  c *= d * precision;
  if (c > MAX_UINT256) return undefined;
  c /= ann * n;
  if (d * d + c > MAX_UINT256) return undefined;
  return newtonY(sum + (d * precision) / ann - d, c, d);
}

/**
 * Up to this D, in 18-digit units, Newton's method starts where the contract's does: the last unit may depend on the
 * start.
 */
const LEAST_D_TO_GUESS = 2n ** 64n;

/**
 * Iterates y = (y² + c) / (2y + b) until two iterates differ by at most 1.
 *
 * The contract starts from D. From any start the method converges to the floor of the root r and never falls below
 * it: one step from y leads to r + (y - r)²/(2y + b). A start from the root in doubles therefore gives the same
 * integer, two steps later.
 */
function newtonY(b: bigint, c: bigint, d: bigint): bigint | undefined {
  let y = d > LEAST_D_TO_GUESS ? rootOf(Number(b), Number(c)) : d;
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = y;
    const divisor = y + y + b;
    if (divisor <= 0n) return undefined;
    y = (y * y + c) / divisor;
    if (isSettled(y, before)) return y;
  }
  return undefined;
}

/** The positive root of y² + b·y = c in doubles, rounded down. */
function rootOf(b: number, c: number): bigint {
  const root = Math.sqrt(b * b + 4 * c);
  return BigInt(Math.floor(b > 0 ? (2 * c) / (b + root) : (root - b) / 2));
}

/**
 * A fee that grows towards `fee·multiplier` as two balances move apart.
 *
 * @param fee        share of 10^10
 * @param multiplier share of 10^10; up to 10^10 the fee is constant
 * @returns share of 10^10, rounded down; undefined if a product does not fit a uint256
 * @source curvefi/curve-contract pool-templates/a/SwapTemplateA.vy _dynamic_fee
 */
export function dynamicFee(xpi: bigint, xpj: bigint, fee: bigint, multiplier: bigint): bigint | undefined {
  if (multiplier <= FEE_DENOMINATOR) return fee;
  const square = (xpi + xpj) ** 2n;
  const product = (multiplier - FEE_DENOMINATOR) * 4n * xpi * xpj;
  if (square > MAX_UINT256 || product > MAX_UINT256) return undefined;
  return (multiplier * fee) / (product / square + FEE_DENOMINATOR);
}
