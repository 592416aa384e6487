import { describe, expect, test } from "vitest";
import type { Curve } from "../../protocol.ts";
import { sampledCurve } from "./sampled-curve.ts";

function along(curve: Curve, x: number): number {
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > x) k--;
  const h = x - curve.x[k]!;
  return curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
}

const logarithm = (x: number) => 1e20 * Math.log1p(x / 1e20);
/** A price that halves at one point, as at a pool's target. */
const kinked = (x: number) => (x < 3e14 ? x : 3e14 + (x - 3e14) / 2);
/** A price that is flat for long and then falls steeply, as in a stableswap pool. */
const knee = (x: number) => 1e15 * (1 - Math.exp(-((x / 1e15) ** 1)));
const limited = (x: number) => (x <= 7e12 ? 2 * x : 0);

describe.each([
  ["a logarithm", logarithm, 1e22],
  ["a kink", kinked, 1e18],
  ["a knee", knee, 1e16],
  ["a limit", limited, 6.99e12],
] as const)("%s", (...[_name, output, most]) => {
  const curve = sampledCurve(output)!;

  test("is met within 1e-4, from a million units on", () => {
    for (let x = 1e7; x < most; x *= 1.3)
      expect(Math.abs(along(curve, x) / output(x) - 1), `at ${x}`).toBeLessThan(1e-4);
  });

  test("promises no less than is paid, but for a millionth, where its price is below the first", () => {
    for (let k = 2; k < curve.x.length; k++)
      expect(along(curve, curve.x[k]!) / output(curve.x[k]!), `at ${curve.x[k]}`).toBeGreaterThan(1 - 1e-6);
  });

  test("is concave and without gaps", () => {
    for (let k = 1; k < curve.x.length; k++) {
      const h = curve.x[k]! - curve.x[k - 1]!;
      const bend = 1 + curve.c[k - 1]! * h;
      expect(h > 0 && curve.c[k]! >= 0).toBe(true);
      expect(curve.m[k]!).toBeLessThanOrEqual((curve.m[k - 1]! / bend ** 2) * (1 + 1e-9));
      const reached = curve.y[k - 1]! + (curve.m[k - 1]! * h) / bend;
      expect(Math.abs(curve.y[k]! / reached - 1)).toBeLessThan(1e-9);
    }
  });
});

test("nodes are few where a hyperbola fits, and never past their number", () => {
  expect(sampledCurve((x) => (x * 1e20) / (x + 1e20))!.x.length).toBeLessThan(25);
  expect(sampledCurve((x) => x ** 0.5 * (1 + 0.01 * Math.sin(Math.log(x) * 40)))!.x.length).toBeLessThan(300);
});

test("the end is what can be sold, not the power of two before it", () => {
  expect(sampledCurve(limited)!.end).toBeGreaterThan(6.98e12);
  expect(sampledCurve(limited)!.end).toBeLessThanOrEqual(7e12);
});

test("digits that are lost near nothing do not become a lower price for all the rest", () => {
  const noisy = (x: number) => Math.max(0, x * 0.77 - 300 * Math.sin(x * 12.9898) ** 2);
  const curve = sampledCurve(noisy)!;
  expect(Math.abs(along(curve, 1e15) / noisy(1e15) - 1)).toBeLessThan(1e-4);
});

test.each([
  ["nothing", () => 0],
  ["less than a million units", (x: number) => Math.min(x, 999_999)],
])("no curve of what pays %s", (_name, output) => {
  expect(sampledCurve(output)).toBeUndefined();
});
