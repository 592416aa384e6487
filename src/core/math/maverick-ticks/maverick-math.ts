/**
 * Maverick v1 in 18-digit fixed point: prices of ticks, the liquidity of a tick, and fills of one tick. Every
 * function is O(1) but for square roots.
 */

const ONE = 10n ** 18n;
const HALF = ONE / 2n;
const MAX_UINT256 = 2n ** 256n - 1n;
/** Largest |tick|·spacing. */
const MAX_TICK = 460_540;

/** sqrt(1.0001)^-(2^k) in 0.128 fixed point, k = 0 … 20, as in the contract. */
const FACTORS = [
  0xfffcb933bd6fad9d3af5f0b9f25db4d6n,
  0xfff97272373d41fd789c8cb37ffcaa1cn,
  0xfff2e50f5f656ac9229c67059486f389n,
  0xffe5caca7e10e81259b3cddc7a064941n,
  0xffcb9843d60f67b19e8887e0bd251eb7n,
  0xff973b41fa98cd2e57b660be99eb2c4an,
  0xff2ea16466c9838804e327cb417cafcbn,
  0xfe5dee046a99d51e2cc356c2f617dbe0n,
  0xfcbe86c7900aecf64236ab31f1f9dcb5n,
  0xf987a7253ac4d9194200696907cf2e37n,
  0xf3392b0822b88206f8abe8a3b44dd9ben,
  0xe7159475a2c578ef4f1d17b2b235d480n,
  0xd097f3bdfd254ee83bdd3f248e7e785en,
  0xa9f746462d8f7dd10e744d913d033333n,
  0x70d869a156ddd32a39e257bc3f50aa9bn,
  0x31be135f97da6e09a19dc367e3b6da40n,
  0x9aa508b5b7e5a9780b0cc4e25d61a56n,
  0x5d6af8dedbcb3a6ccb7ce618d14225n,
  0x2216e584f630389b2052b8db590en,
  0x48a1703920644d4030024fen,
  0x149b34ee7b4532n,
] as const;

/** Rounds to the nearest, half up. */
const mul = (a: bigint, b: bigint): bigint => (a * b + HALF) / ONE;
const div = (a: bigint, b: bigint): bigint => (a * ONE) / b;
const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Square root of a number with 18 decimals, rounded down. */
function sqrt(value: bigint): bigint {
  const x = value * ONE;
  if (x < 2n) return x;
  let root = 1n << BigInt((x.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * The square-root price at which a tick begins: token A per token B, 18 digits.
 *
 * @returns undefined beyond the last tick
 * @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go TickPrice, after the contract's
 *   tickSqrtPrice
 */
export function tickSqrtPrice(spacing: number, tick: number): bigint | undefined {
  let rest = Math.abs(tick) * spacing;
  if (rest > MAX_TICK) return undefined;
  let ratio = 1n << 128n;
  for (let k = 0; rest > 0; k++, rest >>= 1)
    if ((rest & 1) === 1) ratio = k === 0 ? FACTORS[0] : (ratio * FACTORS[k]!) >> 128n;
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio * ONE) >> 128n;
}

/** Reserves of a tick, and the square-root prices of its ends. */
export type TickReserves = {
  readonly a: bigint;
  readonly b: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
};

/** Liquidity of a tick, 18 digits; small reserves are computed with 40 additional bits. */
function liquidityOf(tick: TickReserves): bigint {
  const bump = tick.a >> 60n === 0n && tick.b >> 60n === 0n ? 40n : 0n;
  const a = tick.a << bump;
  const b = tick.b << bump;
  const { lower, upper } = tick;
  const width = upper - lower;
  const sum = div(a, upper) + mul(b, lower);
  if (a === 0n || b === 0n) return ((sum * upper) / width) >> bump;
  const half = sum >> 1n;
  const root = sqrt(mul(half, half) + (mul(b, a) * width) / upper);
  return (((half + root) * upper) / width) >> bump;
}

/** The square-root price within a tick, and the tick's liquidity. */
export type TickCurve = { readonly sqrtPrice: bigint; readonly liquidity: bigint };

/** @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go getTickSqrtPAndLiq */
export function tickCurve(tick: TickReserves): TickCurve {
  const liquidity = liquidityOf(tick);
  if (tick.a === 0n) return { sqrtPrice: tick.lower, liquidity };
  if (tick.b === 0n) return { sqrtPrice: tick.upper, liquidity };
  const price = div(tick.a + mul(liquidity, tick.lower), tick.b + div(liquidity, tick.upper));
  return { sqrtPrice: sqrt(price), liquidity };
}

/** Net input that moves the price to the end of a tick. Selling A moves it up, selling B moves it down. */
export function inputToEdge(
  tick: TickReserves,
  { sqrtPrice, liquidity }: TickCurve,
  sellsA: boolean,
): bigint {
  return sellsA
    ? mul(liquidity, tick.upper - sqrtPrice)
    : div(liquidity, tick.lower) - div(liquidity, sqrtPrice);
}

export type TickFill = {
  /** Input consumed, fee included. */
  readonly amountIn: bigint;
  readonly fee: bigint;
  readonly amountOut: bigint;
  /** Amount left for the next tick; 0n ends the swap. */
  readonly excess: bigint;
};

/**
 * Sells up to `amount` into one tick.
 *
 * @param fee 18 digits, less than 1
 * @returns undefined if the contract would divide by zero
 * @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go computeSwapExactIn
 */
export function fillTick(
  tick: TickReserves,
  sellsA: boolean,
  amount: bigint,
  fee: bigint,
): TickFill | undefined {
  const curve = tickCurve(tick);
  const reserveOut = sellsA ? tick.b : tick.a;
  const toEdge = inputToEdge(tick, curve, sellsA);
  const net = mul(amount, ONE - fee);
  const whole = net >= toEdge;
  const charged = up(toEdge * fee, ONE - fee);
  const taken = whole
    ? { amountIn: toEdge + charged, fee: charged }
    : { amountIn: amount, fee: amount - net };
  if (whole && amount > taken.amountIn)
    return { ...taken, amountOut: reserveOut, excess: amount - taken.amountIn };
  if (curve.liquidity === 0n) return { ...taken, amountOut: whole ? reserveOut : 0n, excess: 0n };
  if (curve.sqrtPrice === 0n) return undefined;
  const inverse = div(ONE, curve.sqrtPrice);
  const [times, start] = sellsA ? [inverse, curve.sqrtPrice] : [curve.sqrtPrice, inverse];
  const input = whole ? toEdge : net;
  const paid = (input * times) / (div(input, curve.liquidity) + start);
  return { ...taken, amountOut: paid < reserveOut ? paid : reserveOut, excess: 0n };
}

/**
 * Buys up to `wanted` from one tick.
 *
 * @param fee 18 digits, less than 1
 * @returns undefined if the contract would divide by zero; `excess` is the amount left to buy from the next tick
 * @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go computeSwapExactOut
 */
export function buyOfTick(
  tick: TickReserves,
  sellsA: boolean,
  wanted: bigint,
  fee: bigint,
): TickFill | undefined {
  const { sqrtPrice, liquidity } = tickCurve(tick);
  const available = sellsA ? tick.b : tick.a;
  const amountOut = wanted < available ? wanted : available;
  if (sqrtPrice === 0n || liquidity === 0n) return undefined;
  const inverse = div(ONE, sqrtPrice);
  const [times, start] = sellsA ? [sqrtPrice, inverse] : [inverse, sqrtPrice];
  const end = start - div(amountOut, liquidity);
  if (end <= 0n) return undefined;
  const net = up(amountOut * times, end);
  const charged = up(net * fee, ONE - fee);
  return { amountIn: net + charged, fee: charged, amountOut, excess: wanted - amountOut };
}
