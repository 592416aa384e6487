import fc from "fast-check";
import { expect, test } from "vitest";
import { putCurve } from "../curves/segments.ts";
import { PAIRS, problemOf, SUPPLY, TIED } from "../problem.fixture.ts";
import { emptyNewton, type Newton, prepare, respond, slopeAlong, walk } from "./edge-response.ts";
import { searchLine } from "./line-search.ts";
import type { Problem } from "./problem.ts";

/** Largest slope at the end of a search, as a share of the slope at its beginning. */
const FLAT = 0.3;
const SAMPLES = 200;

/** Logarithms of the prices at the beginning, and the longest step of the logarithm of a price. */
const lines = fc.record({
  logs: fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 4, maxLength: 4 }),
  longest: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
});

/** Aims along the steepest descent, with steps of logarithms of prices up to `longest`. @returns whether there is one */
function aimDown(
  { before, step, excess }: Newton,
  { price, nodes, sink }: Problem,
  longest: number,
): boolean {
  before.set(price.subarray(0, nodes));
  let most = 0;
  for (let n = 0; n < nodes; n++) {
    step[n] = n === sink ? 0 : -price[n]! * excess[n]!;
    most = Math.max(most, Math.abs(step[n]!));
  }
  for (let n = 0; n < nodes && most > 0; n++) step[n]! *= longest / most;
  return most > 0;
}

test.each([
  ["of curved pools", PAIRS],
  ["with an exchange unit for unit, where the dual value has a kink", TIED],
])("a line search along the steepest descent %s ends near the least dual value", (_, pairs) => {
  let overshot = 0;
  fc.assert(
    fc.property(lines, ({ logs, longest }) => {
      const problem = problemOf(pairs);
      const newton = emptyNewton();
      prepare(newton, problem);
      for (let n = 0; n < problem.nodes; n++) problem.price[n] = n === problem.sink ? 1 : Math.exp(logs[n]!);
      const start = respond(newton, problem);
      if (!aimDown(newton, problem, longest)) return;
      const fall = slopeAlong(newton, problem);
      const value = searchLine(newton, problem, fall);
      const atEnd = walk(newton, problem, 1);
      const samples = Array.from({ length: SAMPLES + 1 }, (__, k) => walk(newton, problem, k / SAMPLES));
      const least = Math.min(...samples);
      expect(value).toBeLessThanOrEqual(start);
      // The dual value is convex along the line, so it exceeds its least by at most the slope at the end times the
      // length of the line.
      expect(value - least).toBeLessThanOrEqual(FLAT * -fall + 1e-9 * start);
      if (atEnd - least > FLAT * -fall) overshot++;
    }),
    { numRuns: 200 },
  );
  expect(overshot).toBeGreaterThan(10);
});

test("a line that stops where the price of a straight segment is met has a value there", () => {
  // Doubles are drawn by their digits, most of them near 0, so parts of a million are evenly spread.
  const part = fc.integer({ min: 0, max: 1_000_000 }).map((one) => one / 1e6);
  fc.assert(
    fc.property(fc.array(part, { minLength: 4, maxLength: 4 }), part, part, (logs, width, rate) => {
      const problem = problemOf(PAIRS);
      const newton = emptyNewton();
      const [x, price] = [SUPPLY * (0.005 + width / 2), 0.98 + 0.04 * rate];
      const [sold, paid] = [Float64Array.of(0, x), Float64Array.of(0, x * price)];
      const [m, c] = [Float64Array.of(price, price * 0.9999), Float64Array.of(0, 1e-21)];
      putCurve(problem.curves, 4, { x: sold, y: paid, m, c, end: 1e24 });
      prepare(newton, problem);
      for (let n = 0; n < problem.nodes; n++)
        problem.price[n] = n === problem.sink ? 1 : Math.exp((logs[n]! - 0.5) / 5);
      respond(newton, problem);
      aimDown(newton, problem, 0.1);
      expect(searchLine(newton, problem, slopeAlong(newton, problem))).toBeGreaterThan(0);
    }),
    { numRuns: 3_000 },
  );
});
