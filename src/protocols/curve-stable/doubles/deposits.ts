import { balanced } from "../exact/exchange.ts";
import { MOST_GROWTH } from "../exact/liquidity.ts";
import type { State } from "../state.ts";

/**
 * A base pool in doubles, in 18-digit units, for single-coin deposits and withdrawals. Formulas compute changes
 * directly, so that small amounts lose no digits to cancellation.
 */
export type Deposits = {
  /** Balances in 18-digit units. */
  readonly xp: Float64Array;
  /** 18-digit units per smallest unit. */
  readonly rates: Float64Array;
  readonly d: number;
  /** A·n of the contract, which is A·n^n of the equation. */
  readonly ann: number;
  /** D^(n+1) / (n^n·Πx). */
  readonly product: number;
  readonly lpSupply: number;
  /** Fee of a single-coin deposit or withdrawal, as a fraction. */
  readonly fee: number;
  /** Multiplier of the dynamic fee; up to 1 the fee is constant. */
  readonly offpegFeeMultiplier: number;
  /** Part of the fees that stays in the pool. */
  readonly feeKept: number;
};

/** @returns undefined if the pool cannot be priced */
export function depositsOf(state: State, timestamp: number): Deposits | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || start.d === 0n || state.lpSupply === 0n) return undefined;
  const { xp, d, amplification } = start;
  const n = xp.length;
  const balances = Float64Array.from(xp, Number);
  const total = Number(d);
  return {
    xp: balances,
    rates: Float64Array.from(state.rates, (rate) => Number(rate) / 1e18),
    d: total,
    ann: (Number(amplification.amp) * n) / Number(amplification.precision),
    product: balances.reduce((product, x) => (product * total) / (n * x), total),
    lpSupply: Number(state.lpSupply),
    fee: (Number(state.fee) / 1e10) * (n / (4 * (n - 1))),
    offpegFeeMultiplier: Number(state.offpegFeeMultiplier) / 1e10,
    feeKept: 1 - Number(state.adminFee) / 1e10,
  };
}

function feeOf(pool: Deposits, xs: number, ys: number): number {
  const multiplier = pool.offpegFeeMultiplier;
  if (multiplier <= 1) return pool.fee;
  const sum = xs + ys;
  return (multiplier * pool.fee) / (((multiplier - 1) * 4 * xs * ys) / (sum * sum) + 1);
}

const MOST_STEPS = 32;

/** Growth of D if the balances grow by `sum` in total and their logarithms by `logs` in total; by Newton's method. */
function growth({ d, ann, product, xp }: Deposits, sum: number, logs: number): number {
  const n = xp.length;
  let grown = sum;
  for (let step = 0; step < MOST_STEPS; step++) {
    const change = Math.expm1((n + 1) * Math.log1p(grown / d) - logs);
    const miss = product * change + (ann - 1) * grown - ann * sum;
    const slope = ((n + 1) * product * (1 + change)) / (d + grown) + ann - 1;
    const less = miss / slope;
    grown -= less;
    if (!(Math.abs(less) > 1e-15 * Math.abs(grown))) break;
  }
  return grown;
}

/** LP tokens for a deposit of `x` smallest units of a coin; 0 if none. See `mint`. */
export function put(pool: Deposits, coin: number, x: number): number {
  const { xp, d } = pool;
  const h = x * pool.rates[coin]!;
  if (!(h > 0) || h > MOST_GROWTH * d) return 0;
  const n = xp.length;
  const first = growth(pool, h, Math.log1p(h / xp[coin]!));
  const ys = (2 * d + first) / n;
  let sum = h;
  let logs = 0;
  for (let k = 0; k < n; k++) {
    const before = xp[k]!;
    const added = k === coin ? h : 0;
    const away = Math.abs((before * first) / d - added);
    const change = added - feeOf(pool, 2 * before + added, ys) * away;
    sum += change - added;
    logs += Math.log1p(change / before);
  }
  const paid = (growth(pool, sum, logs) / d) * pool.lpSupply;
  return paid > 0 ? paid : 0;
}

/** Smallest units of a coin for a withdrawal of `lp` LP tokens; 0 if none. See `burn`. */
export function take(pool: Deposits, coin: number, lp: number): number {
  const { xp, d } = pool;
  const share = lp / pool.lpSupply;
  if (!(share > 0) || !(share < 1)) return 0;
  const free = fall(pool, coin, { share, sum: 0, logs: 0 });
  const ys = (d * (2 - share)) / (2 * xp.length);
  let sum = 0;
  let logs = 0;
  for (let k = 0; k < xp.length; k++) {
    if (k === coin) continue;
    const charged = feeOf(pool, xp[k]!, ys) * share;
    sum += charged * xp[k]!;
    logs += Math.log1p(-charged);
  }
  const own = feeOf(pool, xp[coin]! - free / 2, ys) * (free - share * xp[coin]!);
  const paid = (fall(pool, coin, { share, sum, logs }) - own - 1) / pool.rates[coin]!;
  return paid > 0 ? paid : 0;
}

/**
 * D falls by the fraction `share`, the other balances by `sum` in total, and their logarithms change by `logs` in
 * total.
 */
type Shrink = { readonly share: number; readonly sum: number; readonly logs: number };

/** Fall of the balance of `coin`: the smaller root of the quadratic equation of `coins.ts`, with a changing D. */
function fall({ xp, d, ann, product }: Deposits, coin: number, { share, sum, logs }: Shrink): number {
  const y = xp[coin]!;
  const less = share * d;
  const c = (product * y) / ann;
  const turn = less * (1 - 1 / ann) - sum;
  const constant = turn * y - c * Math.expm1((xp.length + 1) * Math.log1p(-share) - logs);
  const linear = y + c / y + turn;
  return (2 * constant) / (linear + Math.sqrt(linear * linear - 4 * constant));
}
