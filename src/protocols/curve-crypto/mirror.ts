import { designs } from "./designs.ts";
import { startOf } from "./exchange.ts";
import type { State } from "./state.ts";

/**
 * The pool in doubles. Balances are u_k = x_k·N/D, so they are 1 in balance. Formulas compute the fall of u_j
 * directly, from a point that is on the curve by the contract's arithmetic, so that small amounts lose no digits to
 * cancellation.
 */
export type Mirror = {
  /** Per coin: 18-digit units of the first coin per smallest unit, and its balance in these units. */
  readonly scale: Float64Array;
  readonly xp: Float64Array;
  readonly d: number;
  /** ANN·γ², and γ + 1. */
  readonly a: number;
  readonly g: number;
  /**
   * Per coin j at the point on the curve: y in 18-digit units, 1 - K0, and Σu/N - 1; y is 0 if nothing can be bought.
   */
  readonly y: Float64Array;
  readonly missing: Float64Array;
  readonly excess: Float64Array;
  /** Output of coin j for a zero input, a rounding residue, in 18-digit units. */
  readonly offset: Float64Array;
  readonly midFee: number;
  readonly outFee: number;
  readonly feeGamma: number;
  /** Whether balances are limited as in the pools of two coins of 2024. */
  readonly isOf2024: boolean;
};

const DIGITS = 10n ** 36n;

/**
 * The mirror of a state; it changes in every block while A and gamma ramp. A pool that cannot be priced pays 0 in
 * every direction.
 */
export function mirrorOf(state: State, timestamp: number): Mirror {
  const { coins } = designs[state.design];
  const zeros = () => new Float64Array(coins);
  const prices = [10n ** 18n, ...state.priceScale];
  const built = {
    ...{ scale: zeros(), xp: zeros(), y: zeros(), missing: zeros(), excess: zeros(), offset: zeros() },
    ...{ d: 0, a: 0, g: 1, isOf2024: state.design === "twocrypto-ng-2024" },
    midFee: Number(state.midFee) / 1e10,
    outFee: Number(state.outFee) / 1e10,
    feeGamma: Number(state.feeGamma) / 1e18,
  };
  const start = startOf(state, timestamp);
  if (start === undefined) return built;
  const { xp, d, shape, design } = start;
  const gamma = Number(shape.gamma) / 1e18;
  for (let j = 0; j < coins; j++) {
    built.scale[j] = (Number(prices[j]!) / 1e18) * Number(state.precisions[j]!);
    built.xp[j] = Number(xp[j]!);
    const y = design.balanceFor(shape, xp, d, j)?.y;
    if (y === undefined) continue;
    const on = xp.with(j, y);
    built.y[j] = Number(y);
    built.missing[j] = Number(DIGITS - k0Of(on, d)) / 1e36;
    built.excess[j] = Number(on.reduce((sum, x) => sum + x, 0n) - d) / Number(d);
    built.offset[j] = Number(xp[j]! - y - 1n);
  }
  const a = (Number(shape.ann) / Number(shape.multiplier)) * gamma * gamma;
  return { ...built, d: Number(d), a, g: 1 + gamma };
}

/** Πx·N^N / D^N with 36 digits. */
function k0Of(x: readonly bigint[], d: bigint): bigint {
  const n = BigInt(x.length);
  let k0 = DIGITS;
  for (const value of x) k0 = (k0 * value * n) / d;
  return k0;
}

const MOST_STEPS = 64;
/** Permitted range of a balance as a fraction of D. */
const LEAST_SHARE = 0.01;
const MOST_SHARE = 100;

/** Output of coin `j` for `x` of coin `i` in doubles, smallest units; 0 if it cannot fill. */
export function quoteFloat(pool: Mirror, i: number, j: number, x: number): number {
  const h = x * pool.scale[i]!;
  const y = pool.y[j]!;
  if (!(h > 0) || y === 0 || pool.xp[i]! + h > bound(pool, MOST_SHARE)) return 0;
  const fall = fallOf(pool, i, j, h);
  if (y - fall < bound(pool, LEAST_SHARE)) return 0;
  const paid = (fall + pool.offset[j]!) / pool.scale[j]!;
  return paid > 0 ? paid * (1 - feeAfter(pool, i, j, { h, y: y - fall })) : 0;
}

/** The limit of a balance. Pools of two coins of 2024 have limits relative to D/2, which narrow with gamma. */
function bound({ d, isOf2024, g }: Mirror, share: number): number {
  if (!isOf2024) return share * d;
  const limit = 100 * Math.min(1, 0.02 / (g - 1));
  return ((share > 1 ? limit : 1 / limit) * d) / 2;
}

/**
 * The fall of y when coin `i` rises by `h`, both in 18-digit units: the root of `missOf`, by Newton's method with
 * bisection.
 */
function fallOf(pool: Mirror, i: number, j: number, h: number): number {
  const n = pool.scale.length;
  const unit = n / pool.d;
  const trade = { u: pool.y[j]! * unit, more: h / pool.xp[i]!, added: h * unit, j };
  let low = 0;
  let high = trade.u;
  let v = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const [miss, slope] = missOf(pool, trade, v);
    if (miss > 0) low = v;
    else high = v;
    let next = v - miss / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const isDone = Math.abs(next - v) <= 4e-16 * next;
    v = next;
    if (isDone) break;
  }
  return v / unit;
}

type Trade = { readonly u: number; readonly more: number; readonly added: number; readonly j: number };

/**
 * The residual of the invariant if u_j falls by v, and its derivative with respect to v:
 *
 *   a·(K·T - K0·T0) + (K - 1)(g - K)² - (K0 - 1)(g - K0)²,   T = Σu/N - 1
 *
 * All differences are formed before they are multiplied.
 */
function missOf(pool: Mirror, { u, more, added, j }: Trade, v: number): readonly [number, number] {
  const { a, g } = pool;
  const n = pool.scale.length;
  const missing = pool.missing[j]!;
  const k0 = 1 - missing;
  const kappa = (k0 / u) * (1 + more);
  const change = k0 * more - kappa * v;
  const shift = (added - v) / n;
  const p0 = g - 1 + missing;
  const p = p0 - change;
  const weight = a * (pool.excess[j]! + shift) + p * p + missing * (p + p0);
  const miss = change * weight + a * k0 * shift;
  const slope = -kappa * weight + change * (-a / n + (2 * p + missing) * kappa) - (a * k0) / n;
  return [miss, slope];
}

/** The fee after a trade, as a fraction of the output. */
function feeAfter(pool: Mirror, i: number, j: number, after: After): number {
  const { xp } = pool;
  const third = xp.length === 3 ? xp[3 - i - j]! : undefined;
  return feeAmong(pool, xp[i]! + after.h, after.y, third);
}

/** The fee at balances in 18-digit units, as a fraction of the output. */
export function shareOfFee(pool: Mirror, xp: Float64Array): number {
  return feeAmong(pool, xp[0]!, xp[1]!, xp[2]);
}

/** The fee from the imbalance measure N^N·Πx / (Σx)^N. */
function feeAmong({ midFee, outFee, feeGamma }: Mirror, one: number, two: number, three?: number): number {
  const sum = one + two + (three ?? 0);
  const pair = (one / sum) * (two / sum);
  const k0 = three === undefined ? 4 * pair : 27 * pair * (three / sum);
  const f = feeGamma > 0 ? feeGamma / (feeGamma + 1 - k0) : k0;
  return midFee * f + outFee * (1 - f);
}

/** Rise of coin i, and balance of coin j after the trade. */
type After = { readonly h: number; readonly y: number };
