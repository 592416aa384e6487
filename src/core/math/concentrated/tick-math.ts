/**
 * Conversion between ticks and square-root prices in 64.96 fixed point, where price = 1.0001^tick; exact to the
 * contract's last unit. Both directions are O(log MAX_TICK) at most.
 */

export const MIN_TICK = -887_272;
export const MAX_TICK = 887_272;
/** Square-root price of `MIN_TICK`. */
export const MIN_SQRT_RATIO = 4_295_128_739n;
/** Square-root price of `MAX_TICK`; no price reaches it. */
export const MAX_SQRT_RATIO = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n;

/** sqrt(1.0001)^-(2^k) in 0.128 fixed point, k = 0 … 19, with the contract's rounding. */
const FACTORS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const;

const LOW_BITS = 10;
const LOW_COUNT = 1 << LOW_BITS;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Distance from a tick boundary, in ticks, above which the logarithm in doubles determines the tick. */
const SURE = 1e-4;
const LOG_SQRT_BASE = Math.log1p(0.0001) / 2;

/**
 * Products of all subsets of the ten lowest factors, truncated in the contract's order: this table halves the cost of
 * a call.
 */
const lowProducts: readonly bigint[] = productsOfLowFactors();

function productsOfLowFactors(): bigint[] {
  const products = [1n << 128n];
  for (let k = 0; k < LOW_BITS; k++) {
    const count = products.length;
    for (let rest = 0; rest < count; rest++) products.push((products[rest]! * FACTORS[k]!) >> 128n);
  }
  return products;
}

/**
 * The square root of 1.0001^tick in 64.96 fixed point, rounded up as in the contract.
 *
 * @param tick `MIN_TICK` … `MAX_TICK`
 * @throws RangeError outside of these
 * @source Uniswap/v4-core src/libraries/TickMath.sol getSqrtPriceAtTick (same in v3-core)
 */
export function sqrtRatioAtTick(tick: number): bigint {
  const slot = tick & (SLOTS - 1);
  if (slotTicks[slot] === tick) return slotRatios[slot]!;
  const ratio = computedRatio(tick);
  slotTicks[slot] = tick;
  slotRatios[slot] = ratio;
  return ratio;
}

/** Direct-mapped cache of ratios: swaps around the same prices need the same ticks repeatedly. */
const SLOTS = 4096;
const slotTicks = new Int32Array(SLOTS).fill(-(2 ** 31));
const slotRatios: bigint[] = Array.from({ length: SLOTS }, () => 0n);

function computedRatio(tick: number): bigint {
  const size = Math.abs(tick);
  if (!(size <= MAX_TICK)) throw new RangeError(`tick ${tick} is outside of ${MIN_TICK} … ${MAX_TICK}`);
  let ratio = lowProducts[size % LOW_COUNT]!;
  for (let k = LOW_BITS, bits = size >> LOW_BITS; bits > 0; k++, bits >>= 1)
    if (bits % 2 === 1) ratio = (ratio * FACTORS[k]!) >> 128n;
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio + 0xffffffffn) >> 32n;
}

/**
 * The greatest tick whose square-root price is at most `sqrtPriceX96`.
 *
 * @param sqrtPriceX96 `MIN_SQRT_RATIO` … `MAX_SQRT_RATIO - 1`
 * @throws RangeError outside of these
 * @source Uniswap/v4-core src/libraries/TickMath.sol getTickAtSqrtPrice states this property. Here a logarithm in
 *   doubles, off by at most one near a boundary, is corrected by exact comparison.
 */
export function tickAtSqrtRatio(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO)
    throw new RangeError(`square-root price ${sqrtPriceX96} is out of range`);
  const guess = Math.log(Number(sqrtPriceX96) / 2 ** 96) / LOG_SQRT_BASE;
  let tick = Math.min(Math.max(Math.floor(guess), MIN_TICK), MAX_TICK - 1);
  // The error of the logarithm and the contract's rounding of ratios (at most 1 in 2^32) are both within 1e-5 of a
  // tick.
  if (Math.abs(guess - tick - 0.5) < 0.5 - SURE) return tick;
  while (sqrtRatioAtTick(tick) > sqrtPriceX96) tick--;
  while (sqrtRatioAtTick(tick + 1) <= sqrtPriceX96) tick++;
  return tick;
}

/** The square root of 1.0001^tick as a double, within 1e-14 relative. */
export function sqrtPriceAtTick(tick: number): number {
  return Math.exp(tick * LOG_SQRT_BASE);
}

/** sqrtPrice(tick + ticks) / sqrtPrice(tick) - 1 as a double, without cancellation. */
export function sqrtPriceGrowth(ticks: number): number {
  return Math.expm1(ticks * LOG_SQRT_BASE);
}
