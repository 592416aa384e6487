/**
 * Ekubo's square-root prices: √(token1 / token0) in 64.128 fixed point, of which the contract keeps 62 to 94 leading
 * bits, and tick t has the price 1.000001^t. A price is held here as the 64.128 number that its compact form stands
 * for; the order of compact forms is that of the numbers.
 *
 * @source EkuboProtocol/evm-contracts src/types/sqrtRatio.sol, src/math/ticks.sol
 */

export const MIN_TICK = -88_722_835;
export const MAX_TICK = 88_722_835;

/** Above every price: what the contract answers if the next price does not fit. */
export const BEYOND = 2n ** 192n - 2n ** 98n;

const ONE = 2n ** 128n;
const MAX_UINT256 = 2n ** 256n - 1n;

/** Below 2^first, the lowest `second` bits of a price are zero. */
const PRECISIONS = [
  [2n ** 96n, 2n],
  [2n ** 128n, 34n],
  [2n ** 160n, 66n],
  [2n ** 192n, 98n],
] as const;

/**
 * The nearest price that the compact form can hold, at most or, if `up`, at least the given one.
 *
 * @returns undefined if it does not fit: the contract reverts
 */
export function compact(price: bigint, up: boolean): bigint | undefined {
  for (const [end, bits] of PRECISIONS) {
    const raised = up ? price + (1n << bits) - 1n : price;
    if (raised < end) return (raised >> bits) << bits;
  }
  return undefined;
}

/** The 64.128 number of a compact form: its two highest bits say by how far the others are shifted. */
export function fromCompact(word: bigint): bigint {
  return (word & (2n ** 94n - 1n)) << (2n + 32n * (word >> 94n));
}

/** 1.000001^(-2^k / 2) in 0.128 fixed point, from k = 0 on. */
const POWERS = `fffff79c8499329c7cbb2510d893283b ffffef390978c398134b4ff3764fe410
  ffffde72140b00a354bd3dc828e976c9 ffffbce42c7be6c998ad6318193c0b18 ffff79c86a8f6150a32d9778eceef97c
  fffef3911b7cff24ba1b3dbb5f8f5974 fffde72350725cc4ea8feece3b5f13c8 fffbce4b06c196e9247ac87695d53c60
  fff79ca7a4d1bf1ee8556cea23cdbaa5 ffef3995a5b6a6267530f207142a5764 ffde7444b28145508125d10077ba83b8
  ffbceceeb791747f10df216f2e53ec57 ff79eb706b9a64c6431d76e63531e929 fef41d1a5f2ae3a20676bec6f7f9459a
  fde95287d26d81bea159c37073122c73 fbd701c7cbc4c8a6bb81efd232d1e4e7 f7bf5211c72f5185f372aeb1d48f937e
  efc2bf59df33ecc28125cf78ec4f167f e08d35706200796273f0b3a981d90cfd c4f76b68947482dc198a48a54348c4ed
  978bcb9894317807e5fa4498eee7c0fa 59b63684b86e9f486ec54727371ba6ca 1f703399d88f6aa83a28b22d4a1f56e3
  3dc5dac7376e20fc8679758d1bcdcfc ee7e32d61fdb0a5e622b820f681d0 de2ee4bc381afa7089aa84bb66
  c0d55d4d7152c25fb139`
  .split(/\s+/)
  .map((digits) => BigInt(`0x${digits}`));

/** The price of a tick. O(bits of the tick). */
export function priceAtTick(tick: number): bigint {
  let rest = Math.abs(tick);
  let price = ONE;
  for (let k = 0; rest > 0; k++, rest >>>= 1) if ((rest & 1) === 1) price = (price * POWERS[k]!) >> 128n;
  return compact(tick > 0 ? MAX_UINT256 / price : price, false)!;
}

const LOG_OF_BASE = Math.log1p(1e-6) / 2;

/** The highest tick whose price is at most the given one. The estimate in doubles is off by one tick at most. */
export function tickAtPrice(price: bigint): number {
  const estimate = Math.floor((Math.log(Number(price)) - 128 * Math.LN2) / LOG_OF_BASE);
  let tick = Math.max(MIN_TICK, Math.min(MAX_TICK, estimate));
  while (tick > MIN_TICK && priceAtTick(tick) > price) tick--;
  while (tick < MAX_TICK && priceAtTick(tick + 1) <= price) tick++;
  return tick;
}

/** A price in doubles. */
export function priceNumber(price: bigint): number {
  return Number(price) / 2 ** 128;
}

/** Relative growth of the square-root price over a number of ticks, in doubles. */
export function priceGrowth(ticks: number): number {
  return Math.expm1(ticks * LOG_OF_BASE);
}

export const MIN_PRICE = priceAtTick(MIN_TICK);
export const MAX_PRICE = priceAtTick(MAX_TICK);

/** The square-root price of a tick in doubles. */
export function sqrtPriceOf(tick: number): number {
  return Math.exp(tick * LOG_OF_BASE);
}

/** Ticks from one square-root price to another, in doubles. */
export function ticksBetween(from: number, to: number): number {
  return Math.log(to / from) / LOG_OF_BASE;
}
