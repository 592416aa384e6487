import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cbrt, isqrt } from "./roots.ts";

const uint = fc
  .integer({ min: 0, max: 256 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }));

describe("isqrt", () => {
  test("is the floor of the square root", () => {
    fc.assert(
      fc.property(uint, (x) => {
        const root = isqrt(x);
        expect(root * root <= x && x < (root + 1n) * (root + 1n)).toBe(true);
        expect(isqrt(root * root)).toBe(root);
      }),
    );
  });

  test("of less than nothing is a bug", () => {
    expect(() => isqrt(-1n)).toThrow("square root of -1");
  });
});

describe("cbrt", () => {
  test.each([
    [1n, 10n ** 12n],
    [8n * 10n ** 18n, 2n * 10n ** 18n],
    [27n * 10n ** 54n, 3n * 10n ** 30n],
    [0n, 0n],
  ])("of %s is %s", (x, root) => {
    const found = cbrt(x);
    const off = found > root ? found - root : root - found;
    expect(off * 10n ** 11n <= root).toBe(true);
  });

  test("is within 1e-5 at every size, and better where the argument is large", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (x) => {
        const root = Number(cbrt(x));
        expect(Math.abs(root / (Math.cbrt(Number(x)) * 1e12) - 1)).toBeLessThan(1e-5);
      }),
    );
  });
});
