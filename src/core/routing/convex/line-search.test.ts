import fc from "fast-check";
import { expect, test } from "vitest";
import { PAIRS, problemOf, TIED } from "../problem.fixture.ts";
import { emptyNewton, prepare, respond, slopeAlong, walk } from "./edge-response.ts";
import { searchLine } from "./line-search.ts";

/** Largest slope at the end of a search, as a share of the slope at its beginning. */
const FLAT = 0.3;
const SAMPLES = 200;

/** Logarithms of the prices at the beginning, and the longest step of the logarithm of a price. */
const lines = fc.record({
  logs: fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 4, maxLength: 4 }),
  longest: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
});

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
      const { before, step, excess } = newton;
      before.set(problem.price.subarray(0, problem.nodes));
      let most = 0;
      for (let n = 0; n < problem.nodes; n++) {
        step[n] = n === problem.sink ? 0 : -problem.price[n]! * excess[n]!;
        most = Math.max(most, Math.abs(step[n]!));
      }
      if (most === 0) return;
      for (let n = 0; n < problem.nodes; n++) step[n]! *= longest / most;
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
