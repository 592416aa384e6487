import type { Shape } from "../../core/math/curve/crypto-math.ts";
import { type Design, designs } from "./designs.ts";
import type { Ramp, State, Swap } from "./state.ts";

const ONE = 10n ** 18n;
const FEE_DENOMINATOR = 10n ** 10n;

/** Output of an exchange in smallest units, and the state after it. */
export type Exchanged = { readonly dy: bigint; readonly next: State };

/**
 * A and gamma at a time in Unix seconds, interpolated and rounded down. @source tricrypto CurveCryptoSwap.vy _A_gamma
 */
export function shapeAt(ramp: Ramp, multiplier: bigint, timestamp: number): Shape {
  const { initialTime, futureTime } = ramp;
  if (timestamp >= futureTime) return { ann: ramp.futureAnn, gamma: ramp.futureGamma, multiplier };
  const whole = BigInt(futureTime - initialTime);
  const passed = BigInt(timestamp - initialTime);
  const between = (from: bigint, to: bigint) => (from * (whole - passed) + to * passed) / whole;
  return {
    ann: between(ramp.initialAnn, ramp.futureAnn),
    gamma: between(ramp.initialGamma, ramp.futureGamma),
    multiplier,
  };
}

/** Converts smallest units of coin `k` to 18-digit units of the first coin. */
function scale(state: State, k: number, amount: bigint): bigint {
  const exact = amount * state.precisions[k]!;
  return k === 0 ? exact : (exact * state.priceScale[k - 1]!) / ONE;
}

/**
 * Whether D must be recomputed for a ramp. The first contracts do so until a trade after the ramp has cleared its
 * flag.
 */
function isRamping({ ramp }: State, { isNg }: Design, timestamp: number): boolean {
  return isNg ? ramp.futureTime > timestamp : ramp.futureTime > 0;
}

/** The pool before a trade: balances in 18-digit units of the first coin, D, A and gamma. */
export type Start = {
  readonly xp: bigint[];
  readonly d: bigint;
  readonly shape: Shape;
  readonly design: Design;
};

/** @returns undefined if the state cannot be priced */
export function startOf(state: State, timestamp: number): Start | undefined {
  const design: Design = designs[state.design];
  if (!state.isSettled || state.balances.includes(0n)) return undefined;
  const shape = shapeAt(state.ramp, state.multiplier, timestamp);
  const xp = state.balances.map((balance, k) => scale(state, k, balance));
  const d = isRamping(state, design, timestamp) ? design.invariant(shape, xp, 0n) : state.d;
  return d === undefined || d === 0n ? undefined : { xp, d, shape, design };
}

/**
 * The fee of 10^10, between `midFee` in balance and `outFee` far from it; undefined if the contract would divide by
 * zero.
 */
function feeOf({ midFee, outFee, feeGamma }: State, xp: readonly bigint[]): bigint | undefined {
  const n = BigInt(xp.length);
  const sum = xp.reduce((total, x) => total + x, 0n);
  let k = ONE;
  if (xp.length === 2) k = (((4n * ONE * xp[0]!) / sum) * xp[1]!) / sum;
  else for (const x of xp) k = (k * n * x) / sum;
  if (feeGamma > 0n) k = (feeGamma * ONE) / (feeGamma + ONE - k);
  else if (xp.length === 2) return undefined;
  return (midFee * k + outFee * (ONE - k)) / ONE;
}

/** Output net of the fee, and the pool before its price scale is updated. */
type Crossed = {
  readonly dy: bigint;
  readonly start: Start;
  readonly xp: readonly bigint[];
  readonly k0: bigint;
};

function cross(state: State, { i, j, dx, timestamp }: Swap): Crossed | undefined {
  const start = startOf(state, timestamp);
  if (start === undefined) return undefined;
  const { d, shape, design } = start;
  const xp = start.xp.with(i, scale(state, i, state.balances[i]! + dx));
  const found = design.balanceFor(shape, xp, d, j);
  if (found === undefined || xp[j]! - found.y < 1n) return undefined;
  const fall = xp[j]! - found.y - 1n;
  xp[j] = found.y;
  const gross = (j === 0 ? fall : (fall * ONE) / state.priceScale[j - 1]!) / state.precisions[j]!;
  const fee = feeOf(state, xp);
  if (fee === undefined) return undefined;
  const dy = gross - (fee * gross) / FEE_DENOMINATOR;
  return { dy, start, xp: xp.with(j, scale(state, j, state.balances[j]! - dy)), k0: found.k0 };
}

/**
 * The view `get_dy`; an exchange of the same amount may revert.
 *
 * @returns smallest units of coin `j`; undefined if the contract reverts
 * @source curvefi/tricrypto-ng CurveCryptoViews3Optimized.vy get_dy, and `exchange`
 */
export function getDy(state: State, swap: Swap): bigint | undefined {
  return cross(state, swap)?.dy;
}

/**
 * The contract's `exchange`: y is solved from D, one unit is withheld, and the fee at the balances after is taken
 * from the output.
 *
 * The pool then computes D of its balances, and reverts if an LP token is worth no more than before. If it has earned
 * enough, it moves its price scale by averages of prices. These are not known here, so the state after such a trade
 * is marked as not settled.
 *
 * @returns undefined if the contract reverts
 * @source curvefi/tricrypto-ng CurveTricryptoOptimizedWETH.vy _exchange, tweak_price; curvefi/twocrypto-ng
 *   CurveTwocryptoOptimized.vy; curvefi/curve-crypto-contract tricrypto/CurveCryptoSwap.vy,
 *   two/CurveCryptoSwap2ETH.vy exchange, tweak_price
 */
export function exchange(state: State, swap: Swap): Exchanged | undefined {
  const crossed = cross(state, swap);
  if (crossed === undefined) return undefined;
  const { dy, start, xp, k0 } = crossed;
  const d = start.design.invariant(start.shape, xp, k0);
  if (d === undefined || (isDust(swap.dx, dy) && !isPriced(start, xp, d))) return undefined;
  const earned = earningsOf(state, start.design, d);
  if (earned === undefined || !isGain(state, start.design, earned.virtualPrice, swap.timestamp))
    return undefined;
  const balances = state.balances.slice();
  balances[swap.i] = balances[swap.i]! + swap.dx;
  balances[swap.j] = balances[swap.j]! - dy;
  const mayMove = earned.virtualPrice * 2n - ONE > earned.xcpProfit + 2n * state.allowedExtraProfit;
  return { dy, next: { ...state, ...earned, balances, d, isSettled: start.design.isNg && !mayMove } };
}

/** Amounts so small that the first contracts derive the price from the curve, which must not be flat there. */
const isDust = (dx: bigint, dy: bigint) => dx <= 100_000n || dy <= 100_000n;

function isPriced({ design, shape }: Start, xp: readonly bigint[], d: bigint): boolean {
  if (design.isNg) return true;
  const moved = xp.with(0, xp[0]! + xp[0]! / 1_000_000n);
  return xp.every((x, k) => k === 0 || (design.balanceFor(shape, moved, d, k)?.y ?? x) < x);
}

type Earned = { readonly virtualPrice: bigint; readonly xcpProfit: bigint };

/** Virtual price of an LP token at D, and the profit accumulated with it. */
function earningsOf(state: State, design: Design, d: bigint): Earned | undefined {
  if (state.virtualPrice === 0n) return { virtualPrice: 0n, xcpProfit: state.xcpProfit };
  const n = BigInt(design.coins);
  const mean = design.mean([d / n, ...state.priceScale.map((price) => (d * ONE) / (n * price))]);
  if (mean === undefined || state.lpSupply === 0n) return undefined;
  const virtualPrice = (ONE * mean) / state.lpSupply;
  return { virtualPrice, xcpProfit: (state.xcpProfit * virtualPrice) / state.virtualPrice };
}

function isGain({ ramp, virtualPrice }: State, { isNg }: Design, now: bigint, timestamp: number): boolean {
  if (virtualPrice === 0n) return true;
  if (isNg) return ramp.futureTime >= timestamp || now > virtualPrice;
  return ramp.futureTime !== 0 || now >= virtualPrice;
}
