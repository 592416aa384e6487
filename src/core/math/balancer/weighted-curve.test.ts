import { expect, test } from "vitest";
import type { Curve } from "../../protocol.ts";
import { weightedCurve } from "./weighted-curve.ts";
import { weightedOut } from "./weighted-float.ts";

function along(curve: Curve, x: number): number {
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > x) k--;
  const h = x - curve.x[k]!;
  return curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
}

test.each([
  ["80/20 of 18 digits against 6", { balanceIn: 3e24, balanceOut: 7e12, exponent: 4, shortcuts: true }],
  ["20/80 of 6 digits against 18", { balanceIn: 5e11, balanceOut: 2e23, exponent: 0.25, shortcuts: true }],
  [
    "a pool that holds 0.03 of a coin of 8 digits",
    { balanceIn: 6e19, balanceOut: 3e6, exponent: 0.5, shortcuts: true },
  ],
  ["equal weights by logarithms", { balanceIn: 1e21, balanceOut: 4e21, exponent: 1, shortcuts: false }],
])("%s is met within 1e-4 from a million units on, up to the most that may be sold", (_name, pair) => {
  const keep = 0.997;
  const curve = weightedCurve(pair, keep)!;
  const least = Math.max(1e6 / pair.balanceOut, 1e-9) / pair.exponent;
  for (let share = 2 * least; share < 0.299; share *= 1.3) {
    const x = (share * pair.balanceIn) / keep;
    expect(Math.abs(along(curve, x) / weightedOut(pair, x * keep) - 1), `at ${share}`).toBeLessThan(1e-4);
  }
  expect(curve.end).toBeGreaterThan((0.2995 * pair.balanceIn) / keep);
  expect(curve.end).toBeLessThanOrEqual((0.3 * (1 + 1e-9) * pair.balanceIn) / keep);
});

test("a pool that never pays a unit, or keeps all that it is given, has no curve", () => {
  const pair = { balanceIn: 1e24, balanceOut: 2, exponent: 1.5, shortcuts: true };
  expect(weightedCurve(pair, 0.997)).toBeUndefined();
  expect(weightedCurve({ ...pair, balanceOut: 1e24 }, 0)).toBeUndefined();
  expect(weightedCurve({ ...pair, balanceIn: 0, balanceOut: 1e24 }, 0.997)).toBeUndefined();
});
