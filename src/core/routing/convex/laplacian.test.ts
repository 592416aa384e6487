import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyLaplacian, type Forces, solveLaplacian } from "./laplacian.ts";
import { emptyProblem, type Problem } from "./problem.ts";

const SUPPLY = 1e6;
const HUBS = 4;

type Tie = { readonly a: number; readonly b: number; readonly weight: number };

const aToken = fc.integer({ min: 0, max: 69 });
/** Most edges lead to one of the first tokens, as in a market; some have no weight. */
const aTie: fc.Arbitrary<Tie> = fc.record({
  a: aToken,
  b: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: HUBS - 1 }) }, aToken),
  weight: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, fc.double({ min: 1, max: 1e6, noNaN: true })),
});

/** The system over these edges; the last hub is the sink. */
function problemOf(ties: readonly Tie[], nodes: number): { problem: Problem; forces: Forces } {
  const kept = ties.filter(({ a, b }) => a !== b && a < nodes && b < nodes);
  const problem = emptyProblem();
  Object.assign(problem, { nodes, edges: kept.length, supply: SUPPLY, source: 0, sink: HUBS - 1 });
  problem.tail = Int32Array.from(kept, ({ a }) => a);
  problem.head = Int32Array.from(kept, ({ b }) => b);
  problem.price = new Float64Array(nodes).fill(1);
  const excess = Float64Array.from({ length: nodes }, (_, n) => ((n * 7919) % 101) - 50);
  const weight = Float64Array.from(kept, ({ weight }) => weight);
  return { problem, forces: { weight, excess, step: new Float64Array(nodes) } };
}

/**
 * Residual of the system, by token: excess plus the weighted differences of the steps and the least weight times its
 * own step.
 */
function leftOver({ nodes, edges, tail, head, sink }: Problem, { weight, excess, step }: Forces): number[] {
  const left = Array.from(excess, (one, n) => one + 1e-9 * SUPPLY * step[n]!);
  for (let e = 0; e < edges; e++) {
    const pull = weight[e]! * (step[tail[e]!]! - step[head[e]!]!);
    left[tail[e]!]! += pull;
    left[head[e]!]! -= pull;
  }
  return left.filter((_, n) => n !== sink && n < nodes && (step[n] !== 0 || excess[n] !== 0));
}

test("the step balances every token that can move, with many tokens of few edges and with few tokens of many", () => {
  const system = emptyLaplacian();
  fc.assert(
    fc.property(fc.array(aTie, { minLength: 1, maxLength: 300 }), fc.constantFrom(12, 70), (ties, nodes) => {
      const { problem, forces } = problemOf(ties, nodes);
      solveLaplacian(system, problem, forces);
      expect(forces.step[problem.sink]).toBe(0);
      for (const left of leftOver(problem, forces)) expect(Math.abs(left)).toBeLessThan(1e-3);
    }),
  );
});
