import { divDown, divideUp, divUp, mulDown, mulUp, ONE } from "../fixed-point.ts";
import { pow } from "./log-exp-math.ts";

/**
 * ReCLAMM pools of Balancer's Vault v3: constant product of two balances plus virtual balances
 *
 *   (x + X)·(y + Y) = L²
 *
 * The virtual balances move with time while the pool is out of its range. All values have 18 decimals; `undefined`
 * stands for a revert. Every function is O(1) but for powers and square roots.
 *
 * @source balancer/reclamm contracts/lib/ReClammMath.sol (952d388); the first deployed version caps neither the time
 *   nor the virtual balance from below, as in balancer/balancer-maths typescript/src/reClamm (63436f4)
 */
export type ReClamm = {
  readonly version: 1 | 2;
  /** Virtual balances after the last operation. */
  readonly virtual: readonly [bigint, bigint];
  /** Unix seconds of the last operation. */
  readonly lastTimestamp: number;
  /** Factor by which the overvalued virtual balance shrinks per second. */
  readonly dailyPriceShiftBase: bigint;
  readonly centerednessMargin: bigint;
  /** Fourth root of the ratio of highest to lowest price, which moves from `start` to `end`; times in Unix seconds. */
  readonly priceRatio: {
    readonly start: bigint;
    readonly end: bigint;
    readonly startTime: number;
    readonly endTime: number;
  };
};

type Pair = readonly [bigint, bigint];

const LONGEST = 30 * 24 * 60 * 60;
const MAX_POW_RELATIVE_ERROR = 10_000n;

/** Virtual balances at a time in Unix seconds, for the given real balances. */
export function virtualAt(pool: ReClamm, balances: Pair, timestamp: number): Pair | undefined {
  if (timestamp === pool.lastTimestamp) return pool.virtual;
  const { startTime, endTime } = pool.priceRatio;
  const isUpdating = timestamp > startTime && pool.lastTimestamp < endTime;
  const virtual = isUpdating ? ofRatio(pool, balances, timestamp) : pool.virtual;
  if (virtual === undefined) return undefined;
  const { centeredness, isAbove } = centerednessOf(balances, virtual);
  if (centeredness >= pool.centerednessMargin) return virtual;
  return shifted(pool, balances, { virtual, isAbove, seconds: timestamp - pool.lastTimestamp });
}

/** Swaps a pair between the pool's order and the order with the undervalued token first. */
function turned([a, b]: Pair, isAbove: boolean): Pair {
  return isAbove ? [a, b] : [b, a];
}

/** @source computeCenteredness */
function centerednessOf([a, b]: Pair, [virtualA, virtualB]: Pair) {
  if (a === 0n) return { centeredness: 0n, isAbove: false };
  if (b === 0n) return { centeredness: 0n, isAbove: true };
  const above = a * virtualB;
  const below = virtualA * b;
  return above <= below
    ? { centeredness: divDown(above, below), isAbove: false }
    : { centeredness: divDown(below, above), isAbove: true };
}

/** x^y, never above the true value. @source FixedPoint.sol powDown */
function powDown(x: bigint, y: bigint): bigint | undefined {
  if (y === ONE) return x;
  if (y === 2n * ONE) return mulDown(x, x);
  if (y === 4n * ONE) return mulDown(mulDown(x, x), mulDown(x, x));
  const raw = pow(x, y);
  if (raw === undefined) return undefined;
  const error = mulUp(raw, MAX_POW_RELATIVE_ERROR) + 1n;
  return raw < error ? 0n : raw - error;
}

/** @source computeFourthRootPriceRatio */
function fourthRootAt({ start, end, startTime, endTime }: ReClamm["priceRatio"], timestamp: number) {
  if (timestamp >= endTime) return end;
  if (timestamp <= startTime) return start;
  const exponent = divDown(BigInt(timestamp - startTime), BigInt(endTime - startTime));
  const power = powDown(divDown(end, start), exponent);
  if (power === undefined) return undefined;
  const current = mulDown(start, power);
  const least = start < end ? start : end;
  return current > least ? current : least;
}

/**
 * Virtual balances with the same centeredness at the price ratio of a time. @source
 * computeVirtualBalancesUpdatingPriceRatio
 */
function ofRatio(pool: ReClamm, balances: Pair, timestamp: number): Pair | undefined {
  const { centeredness, isAbove } = centerednessOf(balances, pool.virtual);
  const [undervalued] = turned(balances, isAbove);
  const [lastUnder, lastOver] = turned(pool.virtual, isAbove);
  const fourthRoot = fourthRootAt(pool.priceRatio, timestamp);
  if (fourthRoot === undefined || lastUnder === 0n) return undefined;
  const root = mulDown(fourthRoot, fourthRoot);
  if (root <= ONE) return undefined;
  const inner = sqrtFloor(centeredness * (centeredness + 4n * root - 2n * ONE) + ONE * ONE);
  const under = (undervalued * (ONE + centeredness + inner)) / (2n * (root - ONE));
  return turned([under, (under * lastOver) / lastUnder], isAbove);
}

type Shift = { readonly virtual: Pair; readonly isAbove: boolean; readonly seconds: number };

/** Virtual balances after the price range has moved for `seconds`. @source computeVirtualBalancesUpdatingPriceRange */
function shifted(pool: ReClamm, balances: Pair, { virtual, isAbove, seconds }: Shift): Pair | undefined {
  const ratio = priceRatioOf(balances, virtual);
  if (ratio === undefined) return undefined;
  const root = sqrtFloor(ratio * ONE);
  const [under, over] = turned(balances, isAbove);
  const time = pool.version === 1 ? seconds : Math.min(seconds, LONGEST);
  const power = powDown(pool.dailyPriceShiftBase, BigInt(time) * ONE);
  if (power === undefined) return undefined;
  let virtualOver = mulDown(turned(virtual, isAbove)[1], power);
  if (pool.version === 2) {
    const least = divDown(over, sqrtFloor(root * ONE) - ONE);
    if (least > virtualOver) virtualOver = least;
  }
  const divisor = mulDown(root - ONE, virtualOver) - over;
  if (divisor <= 0n) return undefined;
  return turned([(under * (virtualOver + over)) / divisor, virtualOver], isAbove);
}

/** The highest price over the lowest. @source computePriceRange, computePriceRatio */
function priceRatioOf([a, b]: Pair, [virtualA, virtualB]: Pair): bigint | undefined {
  const invariant = mulDown(a + virtualA, b + virtualB);
  const square = mulDown(virtualA, virtualA);
  if (invariant === 0n || square === 0n) return undefined;
  const lowest = (virtualB * virtualB) / invariant;
  const ratio = lowest === 0n ? undefined : divUp(divDown(invariant, square), lowest);
  return ratio === undefined || ratio <= ONE ? undefined : ratio;
}

/** Square root of an integer ≥ 0, rounded down. */
function sqrtFloor(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Both sides of a trade including virtual balances, and the largest possible output. */
export type ReClammSwap = {
  readonly totalIn: bigint;
  readonly totalOut: bigint;
  readonly balanceOut: bigint;
};

/** out = T_out·in / (T_in + in), rounded down. @source computeOutGivenIn */
export function outGivenIn({ totalIn, totalOut, balanceOut }: ReClammSwap, amountIn: bigint) {
  if (totalIn + amountIn === 0n) return undefined;
  const out = (totalOut * amountIn) / (totalIn + amountIn);
  return out > balanceOut ? undefined : out;
}

/** in = T_in·out / (T_out - out), rounded up. @source computeInGivenOut */
export function inGivenOut({ totalIn, totalOut, balanceOut }: ReClammSwap, amountOut: bigint) {
  if (amountOut > balanceOut || amountOut >= totalOut) return undefined;
  return divideUp(totalIn * amountOut, totalOut - amountOut);
}
