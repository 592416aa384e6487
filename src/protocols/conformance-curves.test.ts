import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampledCurve } from "../core/math/sampling/sampled-curve.ts";
import type { Curve, Protocol } from "../core/protocol.ts";
import { compile } from "../core/routing/curves/compile.ts";
import {
  amount,
  arbitrariesOf,
  ask,
  type Direction,
  direction,
  mirrorOf,
  propertyOf,
} from "./conformance.fixture.ts";
import { protocols } from "./index.ts";
import type { Subject } from "./subject.ts";

/** Requirements on the doubles of every design: float quotes and curves agree with the exact quote. */

/** Least output at which curves are compared: below it rounding dominates. */
const LEAST_OF_CURVE = 1e6;

function alongCurve(curve: Curve, x: number): number {
  if (!(x > 0) || x > curve.end) return 0;
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > x) k--;
  const h = x - curve.x[k]!;
  return curve.y[k]! + (curve.m[k]! * h) / (1 + curve.c[k]! * h);
}

/** Whether a curve equals the one sampled from the float quote, with inputs as far apart as the design may take them. */
function isSampled(output: (x: number) => number, curve: Curve, scans: readonly number[] = []): boolean {
  return [undefined, ...scans].some((scan) => {
    const sampled = sampledCurve(output, scan);
    return sampled?.x.length === curve.x.length && sampled.m.every((price, k) => price === curve.m[k]);
  });
}

/** Outputs from here on are no reserve: the curve ends at the range of its numbers, not at the pool's tokens. */
const NO_RESERVE = 2 ** 128;

/** The largest output of a direction; 0 if it is unlimited. */
function reserve(curve: Curve | undefined): number {
  const most = curve === undefined ? 0 : mostOf(curve);
  return most < NO_RESERVE ? most : 0;
}

function mostOf(curve: Curve): number {
  const k = curve.x.length - 1;
  const linear = curve.c[k] === 0;
  if (Number.isFinite(curve.end)) return alongCurve(curve, curve.end);
  return linear ? 0 : curve.y[k]! + curve.m[k]! / curve.c[k]!;
}

function expectConcave(curve: Curve): void {
  expect(curve.x[0]).toBe(0);
  expect(curve.y[0]).toBe(0);
  for (let k = 0; k < curve.x.length; k++) {
    expect(curve.m[k]! >= 0 && curve.c[k]! >= 0).toBe(true);
    const next = k + 1 < curve.x.length ? curve.x[k + 1]! : curve.end;
    expect(next).toBeGreaterThanOrEqual(curve.x[k]!);
    if (k + 1 === curve.x.length) continue;
    const slope = 1 + curve.c[k]! * (next - curve.x[k]!);
    // x is absolute, so the length of a short segment far from 0 has rounding errors of its start.
    const slack = 1e-9 + curve.c[k]! * next * 1e-15;
    expect(curve.m[k + 1]!).toBeLessThanOrEqual((curve.m[k]! / slope ** 2) * (1 + slack));
    expect(curve.y[k + 1]!).toBeGreaterThanOrEqual(curve.y[k]!);
  }
}

type Filled = { readonly s: Subject; readonly d: Direction; readonly sold: number; readonly exact: number };

/** Exact outputs of random pools for random amounts. */
function fillsOf(p: Protocol, subjects: fc.Arbitrary<Subject>): Filled[] {
  const cases = fc.record({ s: subjects, seed: fc.nat(), x: amount });
  return fc.sample(cases, { numRuns: 1000, seed: 1 }).flatMap(({ s, seed, x }) => {
    const d = direction(s, seed);
    const fill = ask(p, s, d, [x, "in"]);
    return fill === undefined ? [] : [{ s, d, sold: Number(x), exact: Number(fill.amountOut) }];
  });
}

/** Whether the float quote times a factor deviates from the exact output by more than the search tolerates. */
function isFar(p: Protocol, { s, d, sold, exact }: Filled, factor: number): boolean {
  const mirror = mirrorOf(p, s);
  const slack = Math.max(1e-9 * exact, 2, 1e-15 * reserve(p.curve(mirror, d.i, d.j)));
  const near = [-2, 0, 2].map((units) => factor * p.quoteFloat(mirror, d.i, d.j, Math.max(0, sold + units)));
  return exact > Math.max(...near) + slack || exact < Math.min(...near) - slack;
}

describe.each([...protocols.values()])("$name", async (p) => {
  const {
    subjects,
    hasScaledCurves = false,
    curveError = 1e-9,
    roundsMirror = false,
    curveScans,
  } = await arbitrariesOf(p);
  const property = propertyOf(subjects);

  test("the mirror agrees with the exact quote", () => {
    property(({ s, d, x }) => {
      const mirror = mirrorOf(p, s);
      const exact = Number(ask(p, s, d, [x, "in"])?.amountOut ?? 0n);
      const float = (input: number) => p.quoteFloat(mirror, d.i, d.j, input);
      const curve = p.curve(mirror, d.i, d.j);
      const slack = s.roundings + 1e-15 * reserve(curve);
      const grain = s.roundings;
      const sold = Number(x);
      if (exact === 0) {
        // Refused since the output is 0, or at the end of what the pool can take.
        const least = float(Math.max(0, sold - grain)) <= slack + 1;
        expect(least || float(sold * (1 + 1e-9) + grain) === 0).toBe(true);
        return false;
      }
      // Rounding consumes input, so slightly more than the curve's end may still be sold for the whole reserve.
      const last = curve !== undefined && sold > curve.end && sold <= curve.end + grain ? reserve(curve) : 0;
      expect(exact).toBeLessThanOrEqual(Math.max(float(sold), last) * (1 + 1e-9) + slack);
      // If a fee grows faster than the trade, a smaller input pays more; the output is then at least that of the
      // whole input.
      const least = Math.min(float(sold), float(Math.max(0, sold - grain)));
      expect(exact).toBeGreaterThanOrEqual(least * (1 - 1e-9) - slack);
      return true;
    });
  });

  test("doubles are within 1e-9, two units of either token or 1e-15 of the reserve, but where a contract rounds more", () => {
    const fills = fillsOf(p, subjects);
    expect(fills.length).toBeGreaterThan(100);
    const share = (factor: number) => fills.filter((fill) => isFar(p, fill, factor)).length / fills.length;
    // Loop steps, ticks and coins with few decimals each round once more; the test above bounds them by `roundings`.
    expect(share(1)).toBeLessThanOrEqual(0.03);
    expect(share(1.000001), "a millionth too much is seen").toBeGreaterThan(0.15);
  });

  test("the curve is concave and agrees with the mirror", () => {
    property(({ s, d, x }) => {
      const mirror = mirrorOf(p, s);
      const curve = p.curve(mirror, d.i, d.j);
      if (curve === undefined) return p.quoteFloat(mirror, d.i, d.j, Number(x)) > 0;
      expectConcave(curve);
      const along = alongCurve(curve, Number(x));
      const output = (input: number) => p.quoteFloat(mirror, d.i, d.j, input);
      const float = output(Number(x));
      const isScaled = hasScaledCurves && curve.x.length > 1;
      if (isScaled || isSampled(output, curve, curveScans)) return along > 0;
      // Below the least amount that the contract takes the float quote is 0.
      if (roundsMirror && float === 0) return along > 0;
      const rounded = roundsMirror ? s.roundings : 0;
      const slack = curveError * float + 1e-15 * reserve(curve) + rounded;
      expect(Math.abs(along - float)).toBeLessThanOrEqual(slack);
      return along > 0;
    });
  });

  test("the curve that the engine compiles is within 1e-4 of the exact quote, but for fees that grow", () => {
    const far: string[] = [];
    let near = 0;
    const sizes = fc.noBias(fc.record({ s: subjects, seed: fc.nat(), mille: fc.nat({ max: 1000 }) }));
    for (const { s, seed, mille } of fc.sample(sizes, { numRuns: 1000, seed: 1 })) {
      const d = direction(s, seed);
      const curve = compile(p, mirrorOf(p, s), d.i, d.j);
      if (curve === undefined) continue;
      const least = LEAST_OF_CURVE / curve.m[0]!;
      const most = Math.min(curve.end, least * 1e18);
      const x = BigInt(Math.floor(least * (most / least) ** (mille / 1000)));
      const exact = Number(ask(p, s, d, [x, "in"])?.amountOut ?? 0n);
      if (exact < LEAST_OF_CURVE || x <= s.roundings) continue;
      const slack = 1e-4 * exact + s.roundings + 1e-15 * reserve(curve);
      const [low, high] = [alongCurve(curve, Number(x) - s.roundings), alongCurve(curve, Number(x))];
      if (exact <= high + slack && exact >= low - slack) near++;
      else far.push(`${x}: ${exact} is not ${low} … ${high}`);
    }
    expect(near).toBeGreaterThan(100);
    // A price that rises with the input, such as with the fee of a band or a surge, is not concave; its curve is a
    // concave approximation.
    expect(far.length / near, far.join("\n")).toBeLessThanOrEqual(0.02);
  });

  test.skipIf(p.boundaryGas === undefined)(
    "each boundary passed costs at least the gas that the design states",
    () => {
      let passed = 0;
      const cases = fc.record({ s: subjects, seed: fc.nat(), x: amount });
      for (const { s, seed, x } of fc.sample(cases, { numRuns: 2000, seed: 1 })) {
        const d = direction(s, seed);
        const mirror = mirrorOf(p, s);
        const curve = compile(p, mirror, d.i, d.j);
        const fill = ask(p, s, d, [x, "in"]);
        if (curve === undefined || fill === undefined) continue;
        // Rounding consumes input, so that a boundary is reached slightly later.
        const boundaries = Array.from(curve.x).filter(
          (start) => start * (1 + 1e-9) + s.roundings < Number(x),
        ).length;
        const least = p.gas(mirror, d.i, d.j) + (boundaries - 1) * p.boundaryGas!(mirror);
        expect(fill.gas).toBeGreaterThanOrEqual(boundaries > 0 ? least : 0);
        passed += Math.max(0, boundaries - 1);
      }
      expect(passed, "boundaries were passed").toBeGreaterThan(100);
    },
  );
});
