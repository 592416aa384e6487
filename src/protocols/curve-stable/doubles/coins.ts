import { balanceFor } from "../../../core/math/curve/stable-math.ts";
import { balanced } from "../exact/exchange.ts";
import { roundings, type State } from "../state.ts";

export const FEE_DENOMINATOR = 1e10;

/**
 * The pool in doubles, in 18-digit units. If all balances but two are fixed, y is the root of a quadratic equation.
 * Formulas compute the fall of y directly, so that small amounts lose no digits to cancellation.
 */
export type Coins = {
  /** Balances in 18-digit units. */
  readonly xp: Float64Array;
  /** 18-digit units per smallest unit. */
  readonly rates: Float64Array;
  /** Per coin j at the point on the curve: y, and 2y + b and c of y² + b·y = c. */
  readonly y: Float64Array;
  readonly slope: Float64Array;
  readonly c: Float64Array;
  /** Output of coin j for a zero input in 18-digit units: a rounding residue of a few units, either sign. */
  readonly offset: Float64Array;
  readonly fee: number;
  readonly offpegFeeMultiplier: number;
  /** Whether a trade that leaves nothing of a coin reverts: see `roundings`. */
  readonly oracle: boolean;
  /** Units of the underlying coin per unit of the coin. */
  readonly worth: Float64Array;
};

const zeros = (count: number) => new Float64Array(count);

/**
 * The mirror of a state; it changes in every block while `amp` ramps. A pool that cannot be priced pays 0 in every
 * direction.
 */
export function coinsOf(state: State, timestamp: number): Coins {
  const count = state.balances.length;
  const built = {
    xp: zeros(count),
    rates: Float64Array.from(state.rates, (rate) => Number(rate) / 1e18),
    y: zeros(count),
    slope: zeros(count),
    c: zeros(count),
    offset: zeros(count),
    fee: Number(state.fee),
    offpegFeeMultiplier: Number(state.offpegFeeMultiplier),
    oracle: roundings[state.rounding].oracle,
    worth: Float64Array.from(state.rates, (_, k) => Number(state.worth?.[k] ?? 10n ** 18n) / 1e18),
  };
  const start = balanced(state, timestamp);
  if (start === undefined) return built;
  const { xp, d, amplification } = start;
  const { amp, precision } = amplification;
  const n = BigInt(count);
  const { kept } = roundings[state.rounding].exchange;
  for (let j = 0; j < count; j++) {
    const y = balanceFor(j, xp, d, amplification);
    if (y === undefined) continue;
    const b = xp.reduce((sum, x) => sum + x, 0n) - xp[j]! + (d * precision) / (amp * n) - d;
    built.xp[j] = Number(xp[j]!);
    built.y[j] = Number(y);
    built.slope[j] = Number(2n * y + b);
    built.c[j] = Number(y * (y + b));
    built.offset[j] = Number(xp[j]! - y - kept);
  }
  return built;
}

/**
 * Output of coin `j` for `x` of coin `i`, in doubles. y falls by f, the smaller root of
 *
 *   f² - (2y + b + h)·f + h·(y + c/(x_i + h)) = 0,   h = x in 18-digit units
 */
export function sell(pool: Coins, i: number, j: number, x: number): number {
  const h = x * pool.rates[i]!;
  const xi = pool.xp[i]!;
  const xj = pool.xp[j]!;
  if (!(h > 0) || !(h < MAX_INPUT) || xi === 0 || xj === 0) return 0;
  const linear = pool.slope[j]! + h;
  const constant = h * (pool.y[j]! + pool.c[j]! / (xi + h));
  const fall = (2 * constant) / (linear + Math.sqrt(linear * linear - 4 * constant)) + pool.offset[j]!;
  if (!(fall > 0) || (pool.oracle && drains(pool, i, j, h))) return 0;
  const fee = feeOf(pool, xi + h / 2, xj - fall / 2);
  if (fee === undefined) return 0;
  return (fall * (1 - fee / FEE_DENOMINATOR)) / pool.rates[j]!;
}

/** Whether `h` 18-digit units of coin `i` leave less than one unit of coin `j`: the root of y² + (b + h)·y = c·x_i/(x_i + h). */
function drains(pool: Coins, i: number, j: number, h: number): boolean {
  const xi = pool.xp[i]!;
  const b = pool.slope[j]! - 2 * pool.y[j]! + h;
  return (pool.c[j]! * xi) / (xi + h) < 1 + b;
}

/** Upper limit of inputs: the product of amount and rate must fit a uint256. */
const MAX_INPUT = 2 ** 256 / 1e18;
/** 2^256 with room for the rounding of doubles, so that nothing is refused here that the contract fills. */
const MAX_PRODUCT = 2 ** 256 * (1 + 1e-12);

/** See `dynamicFee`; undefined where its products do not fit a uint256. */
function feeOf(pool: Coins, xi: number, xj: number): number | undefined {
  const multiplier = pool.offpegFeeMultiplier;
  if (multiplier <= FEE_DENOMINATOR) return pool.fee;
  const square = (xi + xj) ** 2;
  const product = (multiplier - FEE_DENOMINATOR) * 4 * xi * xj;
  if (square > MAX_PRODUCT || product > MAX_PRODUCT) return undefined;
  return (multiplier * pool.fee) / (product / square + FEE_DENOMINATOR);
}
