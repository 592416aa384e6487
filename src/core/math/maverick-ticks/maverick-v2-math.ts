/**
 * Maverick v2 in 18-digit fixed point: the liquidity and price of a tick, and fills of one tick. Prices of ticks are those of
 * Maverick v1 (`tickSqrtPrice`), up to a lower last tick.
 */
import { divDown, divideUp, divUp, mulDown, ONE } from "../fixed-point.ts";
import { isqrt } from "../roots.ts";
import { tickSqrtPrice } from "./maverick-math.ts";

/** Largest |tick|·spacing. */
const MAX_TICK = 322_378;
/** Reserves below 2^78 are computed with 57 more bits. */
const SMALL_BITS = 78n;
const MORE_BITS = 57n;
const SQRT_ONE = 10n ** 9n;
const PER_MILLE = 1000n;
/** Positions have eight digits within a tick. */
export const TICK_POSITIONS = 10n ** 8n;

/** Reserves of a tick, with 18 digits. */
export type TickReserves = { readonly a: bigint; readonly b: bigint };

/** Square-root prices of the ends of a tick, its own, and its liquidity. */
export type TickCurve = {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
};

/** What the pool takes of a swap: the fee of the direction (18 digits), and the protocol's thousandths of it. */
export type TickFees = { readonly fee: bigint; readonly protocolFeeRatio: bigint };

export type TickFill = {
  /** Input consumed, fee included. */
  readonly amountIn: bigint;
  /** Part of the input that the tick's reserves grow by. */
  readonly kept: bigint;
  readonly amountOut: bigint;
  /** Amount left for the next tick; 0n ends the swap. */
  readonly excess: bigint;
};

const inverse = (x: bigint): bigint => (ONE * ONE) / x;
/** x - y; 0 where that is negative. */
export const clip = (x: bigint, y: bigint): bigint => (x < y ? 0n : x - y);
export const least = (x: bigint, y: bigint): bigint => (x < y ? x : y);

/** A lower bound of a tick's liquidity: the root is scaled up only after it was rounded down. */
function liquidityOf(reserves: TickReserves, lower: bigint, upper: bigint): bigint {
  const isSmall = reserves.a >> SMALL_BITS === 0n && reserves.b >> SMALL_BITS === 0n;
  const bump = isSmall ? MORE_BITS : 0n;
  const [a, b] = [reserves.a << bump, reserves.b << bump];
  const width = upper - lower;
  if (b === 0n) return divDown(a, width) >> bump;
  if (a === 0n) return ((mulDown(b, lower) * upper) / width) >> bump;
  const half = (divDown(a, upper) + mulDown(b, lower)) >> 1n;
  const root = isqrt(mulDown(half, half) + (mulDown(b, a) * width) / upper);
  return (((half + root * SQRT_ONE) * upper) / width) >> bump;
}

/** @source maverickprotocol/v2-common `d91e871` contracts/libraries/TickMath.sol getSqrtPrice */
function sqrtPriceOf({ a, b }: TickReserves, lower: bigint, upper: bigint, liquidity: bigint): bigint {
  if (a === 0n) return lower;
  if (b === 0n) return upper;
  const price = divDown(a + mulDown(liquidity, lower), b + divDown(liquidity, upper));
  const sqrtPrice = isqrt(ONE * price);
  return sqrtPrice < lower ? lower : sqrtPrice > upper ? upper : sqrtPrice;
}

/**
 * The price and liquidity of a tick that holds `reserves`.
 *
 * @returns undefined beyond the last tick
 * @source maverickprotocol/v2-common `d91e871` contracts/libraries/TickMath.sol
 */
export function tickCurve(reserves: TickReserves, spacing: number, tick: number): TickCurve | undefined {
  if (Math.max(Math.abs(tick), Math.abs(tick + 1)) * spacing > MAX_TICK) return undefined;
  const [lower, upper] = [tickSqrtPrice(spacing, tick)!, tickSqrtPrice(spacing, tick + 1)!];
  if (lower >= upper) return undefined;
  const liquidity = liquidityOf(reserves, lower, upper);
  return { lower, upper, liquidity, sqrtPrice: sqrtPriceOf(reserves, lower, upper, liquidity) };
}

/**
 * Net input that buys `output` from a tick, rounded up.
 *
 * @returns undefined if the tick's liquidity, which is a lower bound, does not reach that far
 */
export function inputFor(
  { sqrtPrice, liquidity }: TickCurve,
  sellsA: boolean,
  output: bigint,
): bigint | undefined {
  const used = liquidity === 0n ? 0n : divUp(output, liquidity);
  const start = sellsA ? inverse(sqrtPrice) : sqrtPrice;
  if (used >= start) return undefined;
  if (sellsA) return divideUp(output * sqrtPrice, start - used);
  const end = mulDown(sqrtPrice, start - used);
  return end === 0n ? undefined : divUp(output, end);
}

const keptOf = (amountIn: bigint, charged: bigint, { protocolFeeRatio }: TickFees): bigint =>
  protocolFeeRatio === 0n ? amountIn : clip(amountIn, divideUp(charged * protocolFeeRatio, PER_MILLE));

/** Fee on top of a net input. */
const chargedOn = (net: bigint, fee: bigint): bigint => divideUp(net * fee, ONE - fee);

/** One tick with its curve, and the direction of a swap. */
export type TickSide = {
  readonly reserves: TickReserves;
  readonly curve: TickCurve;
  readonly sellsA: boolean;
  readonly fees: TickFees;
};

/** Sells up to `amount` into one tick. @returns undefined where the pool has no sensible answer */
export function fillTick({ reserves, curve, sellsA, fees }: TickSide, amount: bigint): TickFill | undefined {
  const available = sellsA ? reserves.b : reserves.a;
  const whole = inputFor(curve, sellsA, available);
  if (whole === undefined) return undefined;
  const net = mulDown(amount, ONE - fees.fee);
  const input = least(net, whole);
  const charged = net < whole ? amount - net : chargedOn(whole, fees.fee);
  const amountIn = net < whole ? amount : whole + charged;
  const kept = keptOf(amountIn, charged, fees);
  const excess = clip(amount, amountIn);
  if (excess > 0n) return { amountIn, kept, amountOut: available, excess };
  const { sqrtPrice, liquidity } = curve;
  const used = divUp(input, liquidity + 1n);
  const [times, start] = sellsA
    ? [inverse(sqrtPrice), sqrtPrice]
    : [sqrtPrice, divideUp(ONE * ONE, sqrtPrice)];
  return { amountIn, kept, amountOut: least(available, (input * times) / (used + start)), excess };
}

/** Buys up to `wanted` from one tick; `excess` is the amount left to buy. @returns as `fillTick` */
export function buyOfTick({ reserves, curve, sellsA, fees }: TickSide, wanted: bigint): TickFill | undefined {
  const available = sellsA ? reserves.b : reserves.a;
  const amountOut = least(available, wanted);
  const net = inputFor(curve, sellsA, amountOut);
  if (net === undefined) return undefined;
  const charged = chargedOn(net, fees.fee);
  const amountIn = net + charged;
  return { amountIn, kept: keptOf(amountIn, charged, fees), amountOut, excess: wanted - amountOut };
}

/** Where a swap that ends in a tick leaves the price: 0 at the tick's lower end, 10^8 at its upper one. */
export function endPosition({ curve, sellsA }: TickSide, kept: bigint): bigint {
  const { lower, upper, sqrtPrice, liquidity } = curve;
  const moved = divDown(kept, liquidity === 0n ? 1n : liquidity);
  const end = sellsA ? moved + sqrtPrice : inverse(moved + inverse(sqrtPrice));
  return least(TICK_POSITIONS, divDown(clip(end, lower), (upper - lower) * 10n ** 10n));
}
