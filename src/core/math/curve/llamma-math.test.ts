import { describe, expect, test } from "vitest";
import { bandFee, curvatureOf, expInt, lnInt, upperPrice } from "./llamma-math.ts";

const ONE = 10n ** 18n;

test.each([
  [ONE, 0n],
  [(ONE * 100n) / 99n, 10050335853501431n],
  [(ONE * 70n) / 69n, 14388737452099598n],
])("ln(%s) is %s", (x, ln) => {
  expect(lnInt(x)).toBe(ln);
});

describe("exp", () => {
  test.each([-40, -1.5, -0.9, -0.1, 0, 0.4, 3, 50])(
    "of %s is right to 1e-12, floored or truncated",
    (power) => {
      const x = BigInt(Math.round(power * 1e6)) * 10n ** 12n;
      for (const shift of ["floored", "truncated"] as const) {
        const found = Number(expInt(x, shift)) / 1e18;
        expect(Math.abs(found / Math.exp(power) - 1)).toBeLessThan(power < -35 ? 0.2 : 1e-12);
      }
    },
  );

  test("truncated, it misses the nearest power of two below one, as the older contracts do", () => {
    const power = -55n * 14388737452099598n;
    expect(expInt(power, "floored")).toBe(453218667675602338n);
    expect(expInt(power, "truncated")).toBe(453218667675533822n);
    expect(expInt(-10n * 10050335853501431n, "truncated")).toBe(expInt(-10n * 10050335853501431n, "floored"));
  });

  test("has bounds", () => {
    expect(expInt(-42n * ONE, "floored")).toBeUndefined();
    expect(expInt(136n * ONE, "floored")).toBeUndefined();
    expect(upperPrice(10_000, ONE, { logRatio: 10050335853501431n, shift: "floored" })).toBeUndefined();
  });
});

describe("a band", () => {
  const a = 100n;
  const upper = 2000n * ONE;

  test.each([
    [0n, ONE],
    [1500n * ONE, 0n],
    [700n * ONE, ONE / 2n],
  ])("that holds %s and %s lies on its own curve", (x, y) => {
    const { f, g, invariant } = curvatureOf({ x, y, price: 1990n * ONE, upper }, a);
    expect((f + x) * (g + y)).toBe(invariant);
    expect(f > 90n * x && g > 90n * y).toBe(true);
  });

  test("asks a fee of its own only where the oracle's price is outside it", () => {
    expect(bandFee({ price: 1990n * ONE, upper }, a)).toBe(0n);
    expect(bandFee({ price: 1900n * ONE, upper }, a) > 10n ** 16n).toBe(true);
    expect(bandFee({ price: 2100n * ONE, upper }, a) > 10n ** 16n).toBe(true);
  });
});
