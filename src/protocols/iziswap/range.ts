import { sqrtRatioAtTick, tickAtSqrtRatio } from "../../core/math/concentrated/tick-math.ts";
import { divideUp } from "../../core/math/fixed-point.ts";
import { MAX_AMOUNT } from "./state.ts";

/**
 * Fills of liquidity. At a point with square-root price s, a unit of liquidity is 1/s of token X or s of token Y. Liquidity
 * over the points l … r-1 is, with ρ = sqrt(1.0001),
 *
 *   Y = L·(s_r - s_l)/(ρ - 1)      X = L·(s_r/s_l - 1)/(s_r - s_r/ρ)
 *
 * All prices are square roots with 96 fractional bits. The contract rounds the input up and the output down.
 */

const Q96 = 2n ** 96n;
/** Square root of 1.0001. */
const RATE = sqrtRatioAtTick(1);

/** How a swap is asked for. */
export type Way = {
  /** Whether X is sold, and the price falls. */
  readonly sellsX: boolean;
  /** Whether the amount is what is bought. */
  readonly isOutput: boolean;
};

/** Where the price is, and the liquidity there. */
export type Place = {
  readonly point: number;
  readonly liquidity: bigint;
  readonly liquidityX: bigint;
};

/** What a fill takes, net of the fee, and pays. */
export type Fill = { readonly cost: bigint; readonly paid: bigint };

/** A fill of a range, and where it ends. */
export type RangeFill = Fill & {
  /** Whether nothing of the amount is left that could buy more. */
  readonly isDone: boolean;
  readonly point: number;
  /** Without meaning where an upward fill reaches the end of its range. */
  readonly liquidityX: bigint;
};

const NOTHING: Fill = { cost: 0n, paid: 0n };

const least = (x: bigint, y: bigint): bigint => (x < y ? x : y);

/** Liquidity for an input: input·over/under. The same fraction turns liquidity into output. */
function ratio(sqrtPrice: bigint, sellsX: boolean): readonly [over: bigint, under: bigint] {
  return sellsX ? [sqrtPrice, Q96] : [Q96, sqrtPrice];
}

/**
 * Fills from the limit orders of a point.
 *
 * @returns undefined where the contract reverts: what an amount of X would buy has more than 128 bits
 * @source izumiFinance/iZiSwap-core `3e8f627` contracts/libraries/SwapMathX2Y.sol x2YAtPrice, its counterpart for sales of Y,
 *   and those for an output
 */
export function fillOrder(point: number, way: Way, amount: bigint, selling: bigint): Fill | undefined {
  const [over, under] = ratio(sqrtRatioAtTick(point), way.sellsX);
  const wanted = way.isOutput ? amount : (((amount * over) / under) * over) / under;
  if (way.sellsX && wanted > MAX_AMOUNT) return undefined;
  const paid = least(wanted, selling);
  return { paid, cost: divideUp(divideUp(paid * under, over) * under, over) };
}

type PointFill = Fill & { readonly moved: bigint; readonly isDone: boolean };

const NO_FILL: PointFill = { ...NOTHING, moved: 0n, isDone: false };

/**
 * Fills from liquidity at one price.
 *
 * @param available liquidity that is in the token bought
 * @source as `fillOrder`, x2YAtPriceLiquidity
 */
function fillPoint(sqrtPrice: bigint, way: Way, amount: bigint, available: bigint): PointFill {
  const [over, under] = ratio(sqrtPrice, way.sellsX);
  const most = way.isOutput ? divideUp(amount * under, over) : (amount * over) / under;
  const moved = least(most, available);
  const [cost, paid] = [divideUp(moved * under, over), (moved * over) / under];
  const isDone = moved < available || (way.isOutput ? paid : cost) >= amount;
  return { cost, paid, moved, isDone };
}

/** A range of points l … r-1. The price where the swap enters may have been grown from the point's neighbour. */
type Range = {
  readonly left: number;
  readonly right: number;
  readonly sqrtLeft: bigint;
  readonly sqrtRight: bigint;
  readonly liquidity: bigint;
};

/** The next point's price, as the contract approximates it. */
const grown = (sqrtPrice: bigint): bigint => sqrtPrice + (sqrtPrice * (RATE - Q96)) / Q96;

const divide = (over: bigint, under: bigint, isUp: boolean): bigint =>
  isUp ? divideUp(over, under) : over / under;

/** Amount of Y between two prices. */
function amountY(liquidity: bigint, sqrtLeft: bigint, sqrtRight: bigint, isUp: boolean): bigint {
  return divide(liquidity * (sqrtRight - sqrtLeft), RATE - Q96, isUp);
}

/** How far apart the price of `right` and of the point below it are. */
const gapBelow = (sqrtRight: bigint, isUp: boolean): bigint =>
  sqrtRight - divide(sqrtRight * Q96, RATE, isUp);

/** Amount of X in `count` points below `sqrtRight`. */
function amountX(liquidity: bigint, count: number, gap: bigint, isUp: boolean): bigint {
  return divide(liquidity * (sqrtRatioAtTick(count) - Q96), gap, isUp);
}

/** A fill of whole points, and the point in which the rest of the amount is filled; undefined: the whole range was. */
type Part = Fill & { readonly last: number | undefined };

const clamp = (value: number, low: number, high: number): number => Math.max(Math.min(value, high), low);

/** Whole points downwards from `right`. @source as `fillOrder`, SwapMathX2Y.sol and SwapMathX2YDesire.sol x2YRangeComplete */
function fillDown(range: Range, isOutput: boolean, amount: bigint): Part {
  const { left, right, sqrtLeft, sqrtRight, liquidity } = range;
  const gap = gapBelow(sqrtRight, true);
  const all = isOutput
    ? amountY(liquidity, sqrtLeft, sqrtRight, false)
    : amountX(liquidity, right - left, gap, true);
  if (all <= amount) {
    return isOutput
      ? {
          paid: all,
          cost: amountX(liquidity, right - left, gapBelow(sqrtRight, false), true),
          last: undefined,
        }
      : { cost: all, paid: amountY(liquidity, sqrtLeft, sqrtRight, false), last: undefined };
  }
  const reached = isOutput
    ? tickAtSqrtRatio(sqrtRight - (amount * (RATE - Q96)) / liquidity) + 1
    : right - tickAtSqrtRatio((amount * gap) / liquidity + Q96);
  const whole = clamp(reached, left + 1, right);
  const last = whole - 1;
  if (whole === right) return { ...NOTHING, last };
  const cost = amountX(liquidity, right - whole, gap, true);
  const paid = amountY(liquidity, grown(sqrtRatioAtTick(last)), sqrtRight, false);
  return isOutput ? { cost, paid: least(paid, amount), last } : { cost: least(cost, amount), paid, last };
}

/** Whole points upwards from `left`. @source as `fillDown`, y2XRangeComplete */
function fillUp(range: Range, isOutput: boolean, amount: bigint): Part {
  const { left, right, sqrtLeft, sqrtRight, liquidity } = range;
  const gap = gapBelow(sqrtRight, false);
  const [cost, paid] = [
    amountY(liquidity, sqrtLeft, sqrtRight, true),
    amountX(liquidity, right - left, gap, false),
  ];
  if ((isOutput ? paid : cost) <= amount) return { cost, paid, last: undefined };
  const reached = isOutput
    ? (sqrtRight * Q96) / (sqrtRatioAtTick(right - left) - (amount * gap) / liquidity)
    : (amount * (RATE - Q96)) / liquidity + sqrtLeft;
  const last = clamp(tickAtSqrtRatio(reached), left, right - 1);
  if (last === left) return { ...NOTHING, last };
  const sqrtLast = sqrtRatioAtTick(last);
  const taken = amountY(liquidity, sqrtLeft, sqrtLast, true);
  const given = amountX(liquidity, last - left, gapBelow(sqrtLast, false), false);
  return isOutput
    ? { cost: taken, paid: least(given, amount), last }
    : { cost: least(taken, amount), paid: given, last };
}

/** Fills of whole points, then of a part of the last one. `before` is what the fill's first point has taken and paid. */
function fillWhole(range: Range, way: Way, amount: bigint, before: Fill): RangeFill {
  const part = (way.sellsX ? fillDown : fillUp)(range, way.isOutput, amount);
  const left = amount - (way.isOutput ? part.paid : part.cost);
  const sum = { cost: before.cost + part.cost, paid: before.paid + part.paid };
  if (part.last === undefined) {
    const point = way.sellsX ? range.left : range.right;
    return { ...sum, isDone: left === 0n, point, liquidityX: range.liquidity };
  }
  const rest = fillPoint(sqrtRatioAtTick(part.last), way, left, range.liquidity);
  return {
    cost: sum.cost + rest.cost,
    paid: sum.paid + rest.paid,
    isDone: true,
    point: part.last,
    liquidityX: way.sellsX ? rest.moved : range.liquidity - rest.moved,
  };
}

/**
 * Sells X from a place down to `end`, whose point is filled too.
 *
 * @source as `fillOrder`, x2YRange
 */
export function fillRangeDown(place: Place, end: number, isOutput: boolean, amount: bigint): RangeFill {
  const { point, liquidity, liquidityX } = place;
  const way: Way = { sellsX: true, isOutput };
  const sqrtPrice = sqrtRatioAtTick(point);
  const range = { left: end, sqrtLeft: sqrtRatioAtTick(end), liquidity };
  const hasY = liquidityX < liquidity;
  if (hasY && liquidityX === 0n && end !== point) {
    // A point that is all Y is filled together with those below it.
    const whole = { ...range, right: point + 1, sqrtRight: grown(sqrtPrice) };
    return fillWhole(whole, way, amount, NOTHING);
  }
  const here = hasY ? fillPoint(sqrtPrice, way, amount, liquidity - liquidityX) : NO_FILL;
  if (here.isDone || end === point)
    return {
      cost: here.cost,
      paid: here.paid,
      isDone: here.isDone,
      point,
      liquidityX: liquidityX + here.moved,
    };
  const left = amount - (isOutput ? here.paid : here.cost);
  return fillWhole({ ...range, right: point, sqrtRight: sqrtPrice }, way, left, here);
}

/**
 * Sells Y from a place up to `end`, whose point is not filled.
 *
 * @source as `fillOrder`, y2XRange
 */
export function fillRangeUp(place: Place, end: number, isOutput: boolean, amount: bigint): RangeFill {
  const { point, liquidity, liquidityX } = place;
  const way: Way = { sellsX: false, isOutput };
  const sqrtPrice = sqrtRatioAtTick(point);
  const range = { right: end, sqrtRight: sqrtRatioAtTick(end), liquidity };
  if (liquidityX === liquidity)
    return fillWhole({ ...range, left: point, sqrtLeft: sqrtPrice }, way, amount, NOTHING);
  const here = fillPoint(sqrtPrice, way, amount, liquidityX);
  const { cost, paid, isDone } = here;
  if (isDone) return { cost, paid, isDone, point, liquidityX: liquidityX - here.moved };
  if (point + 1 === end) return { cost, paid, isDone, point: end, liquidityX };
  const left = amount - (isOutput ? paid : cost);
  return fillWhole({ ...range, left: point + 1, sqrtLeft: grown(sqrtPrice) }, way, left, here);
}
