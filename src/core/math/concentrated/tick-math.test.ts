import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtPriceAtTick,
  sqrtPriceGrowth,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from "./tick-math.ts";

const ticks = fc.integer({ min: MIN_TICK, max: MAX_TICK });

/**
 * sqrt(1.0001^tick)·2^96 to about 60 digits, by repeated squaring of integers: an oracle that shares no constant with
 * the code.
 */
function oracle(tick: number): bigint {
  const one = 1n << 256n;
  const root = (value: bigint): bigint => {
    let guess = one;
    for (let k = 0; k < 12; k++) guess = (guess + (value * one) / guess) >> 1n;
    return guess;
  };
  let base = root((one * 10_001n) / 10_000n);
  let power = one;
  for (let bits = Math.abs(tick); bits > 0; bits >>= 1) {
    if (bits % 2 === 1) power = (power * base) / one;
    base = (base * base) / one;
  }
  return (tick < 0 ? one ** 2n / power : power) >> 160n;
}

describe("square-root price of a tick", () => {
  test.each([
    [MIN_TICK, MIN_SQRT_RATIO],
    [MAX_TICK, MAX_SQRT_RATIO],
    [0, 2n ** 96n],
  ])("of tick %i", (tick, expected) => {
    expect(sqrtRatioAtTick(tick)).toBe(expected);
  });

  test("agrees with a calculation of its own to the precision of the contract's factors", () => {
    fc.assert(
      fc.property(ticks, (tick) => {
        const [ratio, exact] = [sqrtRatioAtTick(tick), oracle(tick)];
        const difference = ratio > exact ? ratio - exact : exact - ratio;
        expect(difference <= 2n + exact / 10n ** 17n).toBe(true);
      }),
    );
  });

  test("every factor is used", () => {
    for (let bit = 0; bit < 20; bit++)
      for (const tick of [2 ** bit, -(2 ** bit)]) {
        const [ratio, exact] = [sqrtRatioAtTick(tick), oracle(tick)];
        expect(Math.abs(Number(ratio - exact)) / Number(exact)).toBeLessThan(1e-9);
      }
  });

  test.each([MIN_TICK - 1, MAX_TICK + 1, Number.NaN])("tick %d is out of range", (tick) => {
    expect(() => sqrtRatioAtTick(tick)).toThrow(RangeError);
  });

  test("doubles agree", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -500_000, max: 500_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        (tick, more) => {
          const exact = Number(sqrtRatioAtTick(tick)) / 2 ** 96;
          expect(Math.abs(sqrtPriceAtTick(tick) / exact - 1)).toBeLessThan(1e-13);
          const gap = Number(sqrtRatioAtTick(tick + more) - sqrtRatioAtTick(tick)) / 2 ** 96 / exact;
          expect(Math.abs(sqrtPriceGrowth(more) - gap)).toBeLessThanOrEqual(1e-11 * gap);
        },
      ),
    );
  });
});

describe("tick of a square-root price", () => {
  test("is the greatest whose price is not above", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }),
        fc.constantFrom(-1n, 0n, 1n),
        (tick, off) => {
          const price = sqrtRatioAtTick(tick) + off;
          if (price < MIN_SQRT_RATIO) return;
          const found = tickAtSqrtRatio(price);
          expect(found).toBe(off < 0n ? tick - 1 : tick);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("of any price", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: MIN_SQRT_RATIO, max: MAX_SQRT_RATIO - 1n }), (price) => {
        const tick = tickAtSqrtRatio(price);
        expect(sqrtRatioAtTick(tick) <= price && price < sqrtRatioAtTick(tick + 1)).toBe(true);
      }),
    );
  });

  test("at any share of the way to the next one, near its ends above all", () => {
    const share = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 0, max: 2 ** 20 }),
      fc.integer({ min: 2 ** 32 - 2 ** 20, max: 2 ** 32 - 1 }),
    );
    fc.assert(
      fc.property(fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }), share, (tick, part) => {
        const lower = sqrtRatioAtTick(tick);
        const price = lower + ((sqrtRatioAtTick(tick + 1) - lower) * BigInt(part)) / 2n ** 32n;
        expect(tickAtSqrtRatio(price)).toBe(tick);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([MIN_SQRT_RATIO - 1n, MAX_SQRT_RATIO, 0n])("%d is out of range", (price) => {
    expect(() => tickAtSqrtRatio(price)).toThrow(RangeError);
  });
});
