import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problemOf, SUPPLY, TIED } from "../problem.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { emptyNewton } from "./edge-response.ts";
import { solveNewton } from "./newton.ts";
import { dualBound, solveProblem } from "./solve.ts";

describe("solveNewton", () => {
  test("finds prices whose dual value is what the flows at them deliver", () => {
    const problem = problemOf();
    const bound = solveNewton(problem, emptyNewton())!;
    expect(dualBound(problem) / bound).toBeCloseTo(1, 9);
    const workspace = emptyWorkspace();
    expect(solveProblem(problem, workspace)).toBe(true);
    expect(bound / workspace.primalFlow.most).toBeCloseTo(1, 8);
  });

  test("keeps an edge to its cap, at a lower dual value", () => {
    const problem = problemOf();
    const free = solveNewton(problem, emptyNewton())!;
    const limited = emptyNewton();
    limited.most[0] = problem.sold[0]! / 2;
    const held = solveNewton(problem, limited)!;
    expect(problem.sold[0]).toBeCloseTo(limited.most[0]!, 3);
    expect(held).toBeLessThan(free * (1 - 1e-4));
    const all = [0, 1, 5].reduce((sum, e) => sum + problem.sold[e]!, 0);
    expect(all / SUPPLY).toBeCloseTo(1, 6);
  });

  test("returns undefined where the edges cannot take the supply", () => {
    const problem = problemOf();
    const newton = emptyNewton();
    newton.most.fill(SUPPLY / 100);
    expect(solveNewton(problem, newton)).toBeUndefined();
  });

  test("keeps prices positive and finite where caps leave two tokens connected to nothing but each other", () => {
    const anyLimit = fc.oneof(fc.constant(Infinity), fc.double({ min: 14, max: 19, noNaN: true }));
    const anyPrice = fc.double({ min: 0.99, max: 1.01, noNaN: true });
    const four = (one: fc.Arbitrary<number>) => fc.tuple(one, one, one, one);
    let solved = 0;
    fc.assert(
      fc.property(four(anyLimit), four(anyPrice), (limits, prices) => {
        const problem = problemOf(TIED);
        const newton = emptyNewton();
        for (const [k, edge] of [1, 3, 4, 5].entries()) newton.most[edge] = 10 ** limits[k]!;
        for (let n = 0; n < problem.nodes; n++) if (n !== problem.sink) problem.price[n] = prices[n]!;
        if (solveNewton(problem, newton) !== undefined) solved++;
        const left = [...problem.price.subarray(0, problem.nodes)];
        expect(left.every((price) => price > 0 && price < Infinity)).toBe(true);
      }),
    );
    expect(solved).toBeGreaterThan(20);
  });
});

describe("dualBound", () => {
  test("is near the optimum with a pool of constant price, whichever way its price is off by a rounding", () => {
    const problem = problemOf(TIED);
    const best = solveNewton(problem, emptyNewton())!;
    const [three, four] = [problem.tail[2]!, problem.head[2]!];
    let above = 0;
    for (const off of [-1e-7, -1e-12, -3e-16, 0, 3e-16, 1e-12, 1e-7]) {
      problem.price[three] = problem.price[four]! * (1 + off);
      const bound = dualBound(problem);
      expect(bound).toBeGreaterThanOrEqual(best * (1 - 1e-12));
      expect(bound).toBeLessThan(best * (1 + 1e-5));
      if (bound > best * (1 + 1e-9)) above++;
    }
    // The largest errors raise the bound: it is computed at these very prices.
    expect(above).toBeGreaterThan(1);
  });

  test("adds what is earned outside the problem, also where that is more than the value sold", () => {
    const problem = problemOf(TIED);
    const best = solveNewton(problem, emptyNewton())!;
    expect(dualBound(problem, best) / best).toBeCloseTo(2, 6);
    expect(dualBound(problem, 10 * best) / best).toBeCloseTo(11, 6);
    expect(dualBound(problem, Infinity)).toBe(Infinity);
  });
});
