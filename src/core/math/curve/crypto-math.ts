import { cbrt, isqrt } from "../roots.ts";

/**
 * The invariant of Curve's crypto pools in integers, with the roundings of the Vyper contracts:
 *
 *   K·D^(N-1)·Σx + Πx = K·D^N + (D/N)^N,   K = A·K0·γ² / (γ + 1 - K0)²,   K0 = Πx·N^N / D^N
 *
 * Balances are in 18-digit units of the first coin: x_k = balance·precision·priceScale_k. γ and K0 have 18 digits. D
 * and single balances are found by Newton's method: at most 255 steps of O(N). `undefined` stands for a revert.
 */

/** `ann` = A·N^N·multiplier, where multiplier is 10000 (100 in the pools of May 2021). */
export type Shape = { readonly ann: bigint; readonly gamma: bigint; readonly multiplier: bigint };

const ONE = 10n ** 18n;
const MOST_STEPS = 255;
const MAX_UINT256 = 2n ** 256n - 1n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);

/** Balances in falling order. The contracts sort before they multiply, and the order affects the last digits. */
export function falling(x: readonly bigint[]): bigint[] {
  return x.slice().sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
}

/** K0 of balances in falling order. Contracts of two coins apply N^N at once, those of three apply N per coin. */
function k0Of(x: readonly bigint[], d: bigint): bigint {
  if (x.length === 2) return (((4n * ONE * x[0]!) / d) * x[1]!) / d;
  const n = BigInt(x.length);
  let k0 = ONE;
  for (const value of x) k0 = (k0 * value * n) / d;
  return k0;
}

/** D·(γ + 1 - K0)² / (γ²·A), a term of every Newton step; `g` is |γ + 1 - K0| + 1. */
function shared({ ann, gamma, multiplier }: Shape, d: bigint, g: bigint): bigint {
  return (((((ONE * d) / gamma) * g) / gamma) * g * multiplier) / ann;
}

function gapOf({ gamma }: Shape, k0: bigint): bigint {
  return distance(gamma + ONE, k0) + 1n;
}

/** One step of Newton's method towards D. */
function nextD(shape: Shape, x: readonly bigint[], sum: bigint, d: bigint): bigint | undefined {
  const n = BigInt(x.length);
  const k0 = k0Of(x, d);
  if (k0 === 0n) return undefined;
  const g = gapOf(shape, k0);
  const mul1 = shared(shape, d, g);
  const mul2 = (2n * ONE * n * k0) / g;
  const slope = sum + (sum * mul2) / ONE + (mul1 * n) / k0 - (mul2 * d) / ONE;
  if (slope <= 0n) return undefined;
  const plus = (d * (slope + sum)) / slope;
  const part = (d * (mul1 / slope)) / ONE;
  const minus = (d * d) / slope + (ONE > k0 ? (part * (ONE - k0)) / k0 : -((part * (k0 - ONE)) / k0));
  if (minus < 0n) return undefined;
  return plus > minus ? plus - minus : (minus - plus) / 2n;
}

/** Inclusive bounds on a balance as a share of D, 18 digits; contracts revert outside of them. */
export type Bounds = { readonly least: bigint; readonly most: bigint };

export function isWithin(x: bigint, d: bigint, { least, most }: Bounds): boolean {
  const share = (x * ONE) / d;
  return share >= least && share <= most;
}

/**
 * D by Newton's method from `start`, until a step changes it by less than 1e-14 of itself.
 *
 * @param x balances in falling order
 * @returns undefined if a balance is outside `bounds`, or the method does not converge
 * @source curvefi/curve-crypto-contract CurveCryptoMath3.vy, CurveCryptoSwap2ETH.vy newton_D; curvefi/tricrypto-ng
 *   CurveCryptoMathOptimized3.vy, curvefi/twocrypto-ng CurveCryptoMathOptimized2.vy newton_D
 */
export function newtonD(
  shape: Shape,
  x: readonly bigint[],
  start: bigint,
  bounds: Bounds,
): bigint | undefined {
  let sum = 0n;
  for (const value of x) sum += value;
  let d = start;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (d <= 0n) return undefined;
    const next = nextD(shape, x, sum, d);
    if (next === undefined) return undefined;
    const change = distance(next, d);
    d = next;
    if (change * 10n ** 14n < max(10n ** 16n, d))
      return d > 0n && x.every((value) => isWithin(value, d, bounds)) ? d : undefined;
  }
  return undefined;
}

/** The start of Newton's method for y, K0 and the sum over the other balances, and the size of a step that ends it. */
type Others = { readonly y: bigint; readonly k0: bigint; readonly sum: bigint; readonly limit: bigint };

function othersOf(x: readonly bigint[], i: number, d: bigint): Others {
  const n = BigInt(x.length);
  const others = falling(x.filter((_, k) => k !== i));
  const limit = max(max(others[0]! / 10n ** 14n, d / 10n ** 14n), 100n);
  const sum = others.reduce((total, value) => total + value, 0n);
  if (x.length === 2) {
    const other = others[0]!;
    return { y: (d * d) / (other * 4n), k0: (2n * ONE * other) / d, sum, limit };
  }
  let y = d / n;
  for (const value of others.toReversed()) y = (y * d) / (value * n);
  let k0 = ONE;
  for (const value of others) k0 = (k0 * value * n) / d;
  return { y, k0, sum, limit };
}

/** `isLeap` if y was halved because the step led below zero: the contracts do not end on such a step. */
type Step = { readonly y: bigint; readonly isLeap: boolean };

/** One step of Newton's method towards y. */
function nextY(
  shape: Shape,
  y: bigint,
  d: bigint,
  others: Others & { readonly n: bigint },
): Step | undefined {
  const k0 = (others.k0 * y * others.n) / d;
  const sum = others.sum + y;
  const g = gapOf(shape, k0);
  const mul1 = shared(shape, d, g);
  const mul2 = ONE + (2n * ONE * k0) / g;
  const rise = ONE * y + sum * mul2 + mul1 - d * mul2;
  if (rise < 0n) return { y: y / 2n, isLeap: true };
  if (y === 0n || k0 === 0n || rise < y) return undefined;
  const slope = rise / y;
  const minus = mul1 / slope;
  const plus = (rise + ONE * d) / slope + (minus * ONE) / k0;
  const less = minus + (ONE * sum) / slope;
  return { y: plus < less ? y / 2n : plus - less, isLeap: false };
}

/**
 * The balance of coin `i` that gives D with the other balances, by Newton's method.
 *
 * @param x balances in the pool's order; that of `i` is not read
 * @returns undefined if the method does not converge; callers check bounds
 * @source as `newtonD`: newton_y
 */
export function newtonY(shape: Shape, x: readonly bigint[], d: bigint, i: number): bigint | undefined {
  const others = { ...othersOf(x, i, d), n: BigInt(x.length) };
  let y = others.y;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = nextY(shape, y, d, others);
    if (next === undefined) return undefined;
    const change = distance(next.y, y);
    y = next.y;
    if (!next.isLeap && change < max(others.limit, y / 10n ** 14n)) return y;
  }
  return undefined;
}

/**
 * The geometric mean as in the first contracts, by Newton's method.
 *
 * @param x in falling order
 * @source curvefi/curve-crypto-contract CurveCryptoMath3.vy _geometric_mean, CurveCryptoSwap2ETH.vy geometric_mean
 */
export function iteratedMean(x: readonly bigint[]): bigint | undefined {
  const n = BigInt(x.length);
  let mean = x[0]!;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (mean === 0n) return undefined;
    const before = mean;
    if (x.length === 2) mean = (mean + (x[0]! * x[1]!) / mean) / 2n;
    else {
      let ratio = ONE;
      for (const value of x) ratio = (ratio * value) / before;
      mean = (before * ((n - 1n) * ONE + ratio)) / (n * ONE);
    }
    const change = distance(mean, before);
    if (change <= 1n || change * ONE < mean) return mean;
  }
  return undefined;
}

/**
 * The geometric mean as in newer contracts, in closed form.
 *
 * @returns undefined if the product of three is wider than 256 bits
 * @source as `newtonD`: isqrt of two, _geometric_mean of three
 */
export function rootMean(x: readonly bigint[]): bigint | undefined {
  if (x.length === 2) return isqrt(x[0]! * x[1]!);
  const product = ((x[0]! * x[1]!) / ONE) * x[2]!;
  return product > MAX_UINT256 ? undefined : cbrt(product / ONE);
}
