import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outputAt } from "../curves/segments.ts";
import { problemOf, TIED } from "../problem.fixture.ts";
import { carrying, deliver, emptyPrimalFlow, indexByTail, keepBest } from "./primal-flow.ts";
import type { Problem } from "./problem.ts";

/** What the edges sell at the dual prices, as shares of the supply; some sell nothing. */
const wishes = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1, noNaN: true })), {
  minLength: TIED.length,
  maxLength: TIED.length,
});

function delivered(shares: readonly number[]) {
  const problem = problemOf(TIED);
  const primalFlow = emptyPrimalFlow();
  indexByTail(primalFlow, problem);
  for (let e = 0; e < problem.edges; e++)
    problem.sold[e] = (shares[e]! * problem.supply) / problem.ref[problem.tail[e]!]!;
  return { problem, primalFlow, arrived: deliver(primalFlow, problem) };
}

/** Inflow and outflow of a node over its edges, in smallest units. */
function balanceOf(problem: Problem, sent: Float64Array, node: number) {
  let [brought, taken] = [0, 0];
  for (let e = 0; e < problem.edges; e++) {
    if (problem.head[e] === node) brought += outputAt(problem.curves, e, sent[e]!);
    if (problem.tail[e] === node) taken += sent[e]!;
  }
  return { brought, taken };
}

describe("deliver", () => {
  test("inflow and outflow of every token are equal, and what is returned arrives at the sink", () => {
    let joined = 0;
    fc.assert(
      fc.property(wishes, (shares) => {
        const { problem, primalFlow, arrived } = delivered(shares);
        if (!(arrived > 0)) return;
        joined++;
        for (let n = 0; n < problem.nodes; n++) {
          const { brought, taken } = balanceOf(problem, primalFlow.sent, n);
          const given = n === problem.source ? problem.supply / problem.ref[n]! : brought;
          if (n !== problem.sink) expect(taken / given || 1).toBeCloseTo(1, 9);
          else expect((brought * problem.ref[n]!) / arrived).toBeCloseTo(1, 9);
        }
      }),
    );
    expect(joined).toBeGreaterThan(10);
  });

  test("of two edges that form a cycle the one that sells less carries nothing", () => {
    const { problem, primalFlow, arrived } = delivered([0, 1, 0.5, 1, 0, 0, 0.25]);
    expect(arrived).toBeGreaterThan(0);
    expect(carrying(primalFlow, problem)).toEqual([1, 2, 3]);
  });

  test("an edge that would exceed its capacity is filled, and the others take the rest", () => {
    const problem = problemOf(TIED);
    const primalFlow = emptyPrimalFlow();
    indexByTail(primalFlow, problem);
    const supply = problem.supply / problem.ref[problem.source]!;
    const room = 0.3 * supply;
    problem.curves.end[1] = room;
    problem.sold.set([0.6 * supply, room, 0, 0, 0, room, 0]);
    expect(deliver(primalFlow, problem)).toBeGreaterThan(0);
    expect(primalFlow.sent[1]! / room).toBeCloseTo(1, 5);
    expect(primalFlow.sent[1]).toBeLessThan(room);
    expect((primalFlow.sent[0]! + primalFlow.sent[1]!) / supply).toBeCloseTo(1, 12);
    problem.curves.end[0] = 0.6 * supply;
    expect(deliver(primalFlow, problem)).toBe(-1);
  });

  test("an edge that does not lead to the sink carries nothing", () => {
    const { problem, primalFlow } = delivered([1, 1, 0, 0, 0, 0, 0]);
    expect(carrying(primalFlow, problem)).toEqual([0]);
  });
});

test("the flow that pays most is kept", () => {
  const { problem, primalFlow, arrived } = delivered([1, 1, 0, 0, 0, 1, 0]);
  keepBest(primalFlow, problem);
  const kept = new Map(primalFlow.flows);
  primalFlow.most = -1;
  problem.sold.fill(0);
  problem.sold[1] = problem.sold[5] = 1;
  expect(deliver(primalFlow, problem)).toBeLessThan(arrived);
  keepBest(primalFlow, problem);
  expect(primalFlow.kept).toBe(arrived);
  expect(primalFlow.flows).toEqual(kept);
});
