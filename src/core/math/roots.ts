/** floor(√x) by Newton's method. @throws RangeError if x is negative */
export function isqrt(x: bigint): bigint {
  if (x < 0n) throw new RangeError(`square root of ${x}`);
  if (x < 2n) return x;
  // From a start above the root, Newton's iterates decrease until they reach the floor.
  let root = 1n << BigInt((x.toString(16).length + 1) * 2);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const ONE = 10n ** 18n;
/**
 * From `LARGE` on the argument is scaled by 10^18 instead of 10^36, from `HUGE` on not at all, so that it fits 256
 * bits.
 */
const LARGE = 115792089237316195423570985008687907853269n;
const HUGE = LARGE * ONE;

/**
 * About 10^12·∛x: seven steps of Newton's method from a power of two, with the order of operations and the roundings
 * of Curve's contracts. If x is a fixed-point number with 18 decimals, so is the result.
 *
 * @param x a uint256
 * @source curvefi/tricrypto-ng contracts/main/CurveCryptoMathOptimized3.vy _cbrt
 */
export function cbrt(x: bigint): bigint {
  if (x === 0n) return 0n;
  const scaled = x >= HUGE ? x : x >= LARGE ? x * ONE : x * ONE * ONE;
  const log2 = scaled.toString(2).length - 1;
  const remainder = BigInt(log2 % 3);
  let root = (2n ** BigInt(Math.floor(log2 / 3)) * 1260n ** remainder) / 1000n ** remainder;
  for (let step = 0; step < 7; step++) root = (2n * root + scaled / (root * root)) / 3n;
  return x >= HUGE ? root * 10n ** 12n : x >= LARGE ? root * 10n ** 6n : root;
}
