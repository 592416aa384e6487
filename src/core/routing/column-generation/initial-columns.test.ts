import { expect, test } from "vitest";
import { beginProblem } from "../convex/problem.ts";
import { resetScratch } from "../convex/scratch.ts";
import { graphOf, type PairSpec, token } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { startProblem } from "./initial-columns.ts";

const DEPTH = 10n ** 24n;
/** Number of parallel pools, each priced a little below the one before. */
const BESIDE = 80;
const STEP = 250_000n;
const ORDER = 1e18;
const [SHALLOW, DEAR, FIRST_HOP] = [BESIDE, BESIDE + 1, BESIDE + 2];

const pool = (a: number, b: number, depth: bigint, out: bigint): PairSpec => ({
  tokens: [token(a), token(b)],
  reserves: [depth, out],
});
const SPECS: readonly PairSpec[] = [
  ...Array.from({ length: BESIDE }, (_, n) => pool(0, 1, DEPTH, DEPTH - (DEPTH / STEP) * BigInt(n))),
  // Pays most for the first unit, and next to nothing for the order.
  pool(0, 1, 10n ** 17n, 1_000_200n * 10n ** 11n),
  pool(0, 1, DEPTH, (DEPTH * 9n) / 10n),
  pool(0, 2, DEPTH, DEPTH),
  pool(2, 3, DEPTH, DEPTH),
  pool(8, 9, DEPTH, DEPTH),
];

/** The first problem of an order, and the numbers of its pools; undefined if there is none. */
function firstOf(from: number, to: number, amount: number) {
  const graph = graphOf(SPECS);
  const workspace = emptyWorkspace();
  resetScratch(workspace.scratch, graph);
  const [source, sink] = [graph.nodeOf.get(token(from))!, graph.nodeOf.get(token(to))!];
  const supply = amount * graph.values.ref[source]!;
  beginProblem(workspace.problem, graph, workspace.scratch, { from: source, to: sink, supply });
  const demand = { from: source, to: sink, amount, allowed: () => true, late: () => false };
  if (!startProblem(graph, workspace, demand)) return undefined;
  const { problem } = workspace;
  const pools = [...problem.edge.subarray(0, problem.edges)].map((edge) => graph.owner[edge]!);
  return { problem, pools: pools.sort((a, b) => a - b) };
}

test("the first problem of an order is made of the pools that pay most after a trade of its size", () => {
  const { pools } = firstOf(0, 1, ORDER)!;
  expect(pools.length).toBeGreaterThanOrEqual(15);
  expect(pools.length).toBeLessThan(BESIDE);
  expect(pools).toEqual(Array.from({ length: pools.length }, (_, n) => n));
  expect(pools).not.toContain(SHALLOW);
  expect(pools).not.toContain(DEAR);
});

test("tokens of the first problem are priced by the best path to the token bought", () => {
  const { problem } = firstOf(0, 3, ORDER)!;
  expect(problem.price[problem.sink]).toBe(1);
  const worth = problem.price[problem.source]! * problem.ref[problem.source]!;
  expect(worth / problem.ref[problem.sink]! / 0.997 ** 2).toBeCloseTo(1, 4);
});

test("the first problem holds every pool of the only path", () => {
  expect(firstOf(0, 3, ORDER)!.pools).toEqual([FIRST_HOP, FIRST_HOP + 1]);
});

test("an order whose tokens no path joins has no first problem", () => {
  expect(firstOf(0, 9, ORDER)).toBeUndefined();
});
