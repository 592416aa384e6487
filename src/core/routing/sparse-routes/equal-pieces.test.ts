import { expect, test } from "vitest";
import { addEdgeWithEnds, beginProblem } from "../convex/problem.ts";
import { resetScratch } from "../convex/scratch.ts";
import { outputAt } from "../curves/segments.ts";
import { graphOf, token } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { bestSinglePath, fillGreedily } from "./equal-pieces.ts";

const AMOUNT = 10n ** 21n;
/** Cost of each leg, as a share of the order. */
const COST = 0.1;

/**
 * Two paths from token 0 to token 1: over token 2, which pays slightly more, and over token 3. The problem prices token
 * 2 at `price`.
 */
function choiceOf(price: number) {
  const workspace = emptyWorkspace();
  const deep = [
    [0, 2, 50n],
    [2, 1, 50n],
    [0, 3, 45n],
    [3, 1, 45n],
  ] as const;
  const specs = deep.map(([a, b, times]) => ({
    tokens: [token(a), token(b)],
    reserves: [times * AMOUNT, times * AMOUNT],
  }));
  const graph = graphOf(specs);
  const { problem, scratch } = workspace;
  resetScratch(scratch, graph);
  const [from, to] = [graph.nodeOf.get(token(0))!, graph.nodeOf.get(token(1))!];
  const supply = Number(AMOUNT) * graph.values.ref[from]!;
  beginProblem(problem, graph, scratch, { from, to, supply });
  for (const { firstEdge } of graph.entries)
    addEdgeWithEnds(problem, graph, scratch, { edge: firstEdge, priceOf: () => 1 });
  problem.price[scratch.local[graph.nodeOf.get(token(2))!]! - 1] = price;
  const cost = new Float64Array(problem.edges).fill(COST * supply);
  return { graph, problem, tolls: { cost, crossing: new Float64Array(problem.edges) } };
}

test.each([1, 0.7, 1.4])(
  "the choice of a path does not depend on the price of its inner token: %d",
  (price) => {
    const { graph, problem, tolls } = choiceOf(price);
    expect(bestSinglePath(problem, graph, tolls, { hops: 4, isDirect: true })).toEqual([0, 1]);
  },
);

test("the cost of a leg does not reduce the amount that the next leg sells", () => {
  const { graph, problem, tolls } = choiceOf(1);
  fillGreedily(problem, graph, tolls, { chunks: 1, hops: 4, legs: Infinity, isDirect: true });
  expect(problem.sold[0]).toBe(Number(AMOUNT));
  expect(problem.sold[1]).toBe(outputAt(graph.curves, problem.edge[0]!, Number(AMOUNT)));
});

test("if no path nets anything, the single path is the one that loses least, and no piece is sent", () => {
  const { graph, problem, tolls } = choiceOf(1);
  const single = () => bestSinglePath(problem, graph, tolls, { hops: 4, isDirect: true });
  tolls.cost.fill(problem.supply);
  expect(single()).toEqual([0, 1]);
  expect(fillGreedily(problem, graph, tolls, { chunks: 1, hops: 4, legs: Infinity, isDirect: true })).toEqual(
    [],
  );
  tolls.cost[1] = 2 * problem.supply;
  expect(single()).toEqual([2, 3]);
});

test("a path does not cross a pool twice, even if that pays more", () => {
  const workspace = emptyWorkspace();
  const all = [token(0), token(1), token(2)];
  const graph = graphOf([
    { tokens: all, reserves: [50n * AMOUNT, 50n * AMOUNT, 50n * AMOUNT] },
    { tokens: [token(0), token(2)], reserves: [20n * AMOUNT, 20n * AMOUNT] },
    { tokens: [token(2), token(1)], reserves: [20n * AMOUNT, 20n * AMOUNT] },
  ]);
  const { problem, scratch } = workspace;
  resetScratch(scratch, graph);
  const [from, to, middle] = all.map((one) => graph.nodeOf.get(one)!) as [number, number, number];
  beginProblem(problem, graph, scratch, { from, to, supply: Number(AMOUNT) * graph.values.ref[from]! });
  const isStep = (edge: number) =>
    (graph.tail[edge] === from && graph.head[edge] === middle) ||
    (graph.tail[edge] === middle && graph.head[edge] === to);
  for (let edge = 0; edge < graph.tail.length; edge++)
    if (isStep(edge)) addEdgeWithEnds(problem, graph, scratch, { edge, priceOf: () => 1 });
  expect(problem.edges).toBe(4);
  const cost = new Float64Array(problem.edges);
  const path = bestSinglePath(problem, graph, { cost, crossing: cost }, { hops: 4, isDirect: true });
  const pools = path.map((e) => graph.owner[problem.edge[e]!]!);
  expect(new Set(pools).size).toBe(2);
  expect(Math.min(...pools)).toBe(0);
});
