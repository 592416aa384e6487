import { describe, expect, test } from "vitest";
import { emptyGraph, type Graph } from "./graph.ts";
import { at, fixtureRegistry, poolOf, token, WRAPPED } from "./market.fixture.ts";
import { solveNewton } from "./newton.ts";
import { patchGraph } from "./patch.ts";
import { addEdgeWithEnds, beginProblem, dualBound, emptyProblem, type Problem } from "./problem.ts";
import { emptyNewton } from "./respond.ts";
import { emptyScratch, resetScratch } from "./scratch.ts";
import { solveProblem } from "./solve.ts";
import { emptyWorkshop } from "./workshop.ts";

const SIZE = 10n ** 20n;
const SUPPLY = 3e19;

/** From token 1 to token 2 directly, over 3, over 3 and 4, and over 4. */
const PAIRS: readonly (readonly [number, number, bigint])[] = [
  [1, 2, 4n],
  [1, 3, 3n],
  [3, 2, 2n],
  [3, 4, 1n],
  [4, 2, 2n],
  [1, 4, 1n],
];

/** The problem over one direction of every pool. */
function problemOf(): { graph: Graph; problem: Problem } {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const specs = PAIRS.map(([a, b, deep]) => ({
    tokens: [token(a), token(b)],
    reserves: [deep * SIZE, (deep * SIZE * 101n) / 100n],
  }));
  const pools = specs.map(poolOf);
  const states = new Map(pools.map(({ id }, k) => [id as string, { ...specs[k], feePpm: 3000n }]));
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  const scratch = emptyScratch();
  resetScratch(scratch, graph);
  const problem = emptyProblem();
  const [from, to] = [graph.nodeOf.get(token(1))!, graph.nodeOf.get(token(2))!];
  beginProblem(problem, graph, scratch, { from, to, supply: SUPPLY * graph.values.ref[from]! });
  for (const { firstEdge } of graph.entries)
    addEdgeWithEnds(problem, graph, scratch, { edge: firstEdge, priceOf: () => 1 });
  return { graph, problem };
}

describe("solveNewton", () => {
  test("finds the value and the prices that the interior-point method finds", () => {
    const { graph, problem } = problemOf();
    const bound = solveNewton(problem, graph, emptyNewton())!;
    const prices = problem.price.slice(0, problem.nodes);
    expect(dualBound(problem, graph) / bound).toBeCloseTo(1, 9);
    const shop = emptyWorkshop();
    expect(solveProblem(problem, graph, shop, { gap: 1e-9, most: 60 }).converged).toBe(true);
    expect(bound / shop.delivery.most).toBeCloseTo(1, 8);
    for (let n = 0; n < problem.nodes; n++) expect(prices[n]! / problem.price[n]!).toBeCloseTo(1, 4);
  });

  test("holds an edge to its limit, at a lower value", () => {
    const { graph, problem } = problemOf();
    const free = solveNewton(problem, graph, emptyNewton())!;
    const limited = emptyNewton();
    limited.most[0] = problem.sold[0]! / 2;
    const held = solveNewton(problem, graph, limited)!;
    expect(problem.sold[0]).toBeCloseTo(limited.most[0]!, 3);
    expect(held).toBeLessThan(free * (1 - 1e-4));
    const all = [0, 1, 5].reduce((sum, e) => sum + problem.sold[e]!, 0);
    expect(all / SUPPLY).toBeCloseTo(1, 6);
  });

  test("gives up where the edges cannot take the supply", () => {
    const { graph, problem } = problemOf();
    const newton = emptyNewton();
    newton.most.fill(SUPPLY / 100);
    expect(solveNewton(problem, graph, newton)).toBeUndefined();
  });
});
