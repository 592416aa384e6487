import fc from "fast-check";
import { expect, test } from "vitest";
import { outputAt, slopeAt } from "../curves/segments.ts";
import { type Pairs, problemOf, SUPPLY } from "../problem.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { emptyPrimalFlow } from "./primal-flow.ts";
import type { Problem } from "./problem.ts";
import { solvePath } from "./single-path.ts";
import { solveProblem } from "./solve.ts";

/** A path from token 1 to token 2 that begins and ends with pools of constant price. */
const STRAIGHT: Pairs = [
  [1, 3, 0n],
  [3, 4, 5n],
  [4, 5, 0n],
  [5, 2, 0n],
];
/** A path whose pools all have curved prices. */
const CURVED: Pairs = [
  [1, 3, 5n],
  [3, 2, 4n],
];

/** What the path pays for the supply, in smallest units: the output of each edge is the input of the next. */
function paidBy({ curves, edges }: Problem): number {
  let held = SUPPLY;
  for (let e = 0; e < edges; e++) held = outputAt(curves, e, held);
  return held;
}

test("a path takes the whole supply, from whatever prices it starts", () => {
  const prices = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(STRAIGHT, CURVED), prices, (pairs, from) => {
      const problem = problemOf(pairs);
      const flow = emptyPrimalFlow();
      for (let n = 0; n < problem.nodes; n++) if (n !== problem.sink) problem.price[n] = from[n]!;
      expect(solvePath(problem, flow)).toBe(true);
      expect(flow.most / problem.ref[problem.sink]! / paidBy(problem)).toBeCloseTo(1, 12);
      expect([...problem.sold.subarray(0, problem.edges)]).toEqual([...flow.best.subarray(0, problem.edges)]);
      for (let e = 0; e < problem.edges; e++) {
        const { tail, head, price, ref, sold, curves } = problem;
        const paid = (price[head[e]!]! * ref[head[e]!]!) / (price[tail[e]!]! * ref[tail[e]!]!);
        expect(slopeAt(curves, e, sold[e]!) * paid).toBeCloseTo(1, 12);
      }
    }),
  );
});

test("Newton's method finds the same flow and the same prices where it comes into balance", () => {
  const [direct, newton] = [problemOf(CURVED), problemOf(CURVED)];
  const flow = emptyPrimalFlow();
  const workspace = emptyWorkspace();
  expect(solvePath(direct, flow)).toBe(true);
  expect(solveProblem(newton, workspace)).toBe(true);
  expect(flow.most / workspace.primalFlow.most).toBeCloseTo(1, 9);
  for (let n = 0; n < direct.nodes; n++) expect(direct.price[n]! / newton.price[n]!).toBeCloseTo(1, 6);
});

test("a path that cannot take the supply keeps no flow", () => {
  const problem = problemOf(STRAIGHT);
  problem.curves.end[2] = SUPPLY / 2;
  const flow = emptyPrimalFlow();
  expect(solvePath(problem, flow)).toBe(true);
  expect(flow.most).toBe(-1);
});

test("edges that are no single path are left alone", () => {
  const problem = problemOf();
  const before = [...problem.price.subarray(0, problem.nodes)];
  const flow = emptyPrimalFlow();
  expect(solvePath(problem, flow)).toBe(false);
  expect(flow.most).toBe(-1);
  expect([...problem.price.subarray(0, problem.nodes)]).toEqual(before);
});
