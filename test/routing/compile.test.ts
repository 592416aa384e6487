import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Curve, Protocol } from "../../src/core/protocol.ts";
import { compile, sample } from "../../src/core/routing/curves/compile.ts";

/** A design that gives this curve, and no function to sample. */
function giving(curve: Curve | undefined): Curve | undefined {
  const quoteFloat = () => Number.NaN;
  return compile({ curve: () => curve, quoteFloat } as unknown as Protocol, {}, 0, 1);
}

/** Two hyperbolas: the price falls from 2 to 2 / 1.1² = 1.6529 at 100, and goes on from 1.65. */
const two = (): Curve => ({ x: [0, 100], y: [0, 200 / 1.1], m: [2, 1.65], c: [0.001, 0.002], end: 500 });

function along(curve: Curve, x: number): number {
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > x) k--;
  const h = x - curve.x[k]!;
  return curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
}

describe("a curve that a design gives", () => {
  test("is taken as it is where it is concave", () => {
    const curve = two();
    expect(giving(curve)).toBe(curve);
  });

  test.each([
    ["begins beyond 0", { x: [1, 100] }],
    ["pays for nothing", { y: [1, 200] }],
    ["has fewer prices than segments", { m: [2] }],
    ["ends where it begins", { end: 0 }],
    ["has no end", { end: Number.NaN }],
    ["has a price of 0", { m: [2, 0] }],
    ["has an endless price", { m: [Number.POSITIVE_INFINITY, 1] }],
    ["bends upwards", { c: [-0.001, 0.002] }],
    ["has a price that is no number", { m: [Number.NaN, 1] }],
    ["pays less for more", { y: [0, -1] }],
  ])("is refused where it %s", (_, change) => {
    expect(giving({ ...two(), ...change })).toBeUndefined();
  });

  test("loses a segment that has no width, and nothing else", () => {
    const { x, y, m, c, end } = two();
    const twice = (lane: Curve["x"]) => [lane[0]!, lane[1]!, lane[1]!];
    const wide = { x: twice(x), y: twice(y), m: [m[0]!, 9, m[1]!], c: [c[0]!, 0, c[1]!], end };
    expect(giving(wide)).toEqual(two());
  });

  test("has a price that rises between two segments lowered to where the one before ends, its amounts kept", () => {
    const { m, ...others } = giving({ ...two(), m: [2, 1.7] })!;
    expect(m[1]).toBeCloseTo(2 / 1.21, 14);
    const { m: _, ...given } = two();
    expect(others).toEqual(given);
  });
});

describe("a curve that is sampled", () => {
  const reserve = fc.double({ min: 1e12, max: 1e30, noNaN: true });
  const fee = fc.double({ min: 0, max: 0.01, noNaN: true });

  test("follows a weighted pool to half a percent up to a tenth of its reserve, at amounts that no node has", () => {
    fc.assert(
      fc.property(reserve, reserve, fee, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, f, place) => {
        // b·(1 - (a / (a + x·(1 - f)))⁴), without the digits that the difference would lose where x is small.
        const output = (x: number) => -b * Math.expm1(-4 * Math.log1p((x * (1 - f)) / a));
        const curve = sample(output);
        fc.pre(curve !== undefined);
        const x = a * 10 ** (place * 3 - 4);
        fc.pre(x < curve!.end && output(x) > 1e8);
        expect(Math.abs(along(curve!, x) / output(x) - 1)).toBeLessThan(5e-3);
      }),
    );
  });

  test.each([1.5e6, 1e8, 1e10])("follows a pool that holds %f units, from a few of them on", (held) => {
    const output = (x: number) => (held * x) / (1e20 + x);
    const curve = sample(output)!;
    for (let share = 1e-5; share < 0.5; share *= 1.7) {
      const x = (1e20 * share) / (1 - share);
      expect(Math.abs(along(curve, x) / output(x) - 1)).toBeLessThan(1e-4);
    }
  });

  test("is concave: its prices fall from segment to segment", () => {
    fc.assert(
      fc.property(reserve, reserve, fee, (a, b, f) => {
        const curve = sample((x) => b * Math.log1p((x * (1 - f)) / a));
        fc.pre(curve !== undefined);
        const { x, m, c } = curve!;
        for (let k = 1; k < x.length; k++) {
          const bend = 1 + c[k - 1]! * (x[k]! - x[k - 1]!);
          expect(m[k]!).toBeLessThanOrEqual((m[k - 1]! / (bend * bend)) * (1 + 1e-12));
        }
      }),
    );
  });

  test.each([
    ["pays nothing", () => 0],
    ["never pays a million units", (x: number) => Math.min(x, 999_999)],
    ["is no number", () => Number.NaN],
  ])("is none where the pool %s", (_, output) => {
    expect(sample(output)).toBeUndefined();
    expect(
      compile(
        {
          curve: () => undefined,
          quoteFloat: (_m: unknown, _i: number, _j: number, x: number) => output(x),
        } as unknown as Protocol,
        {},
        0,
        1,
      ),
    ).toBeUndefined();
  });
});
