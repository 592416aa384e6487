import { expect, test } from "vitest";
import { addEdgeWithEnds, beginProblem } from "../convex/problem.ts";
import { resetScratch } from "../convex/scratch.ts";
import { outputAt } from "../curves/segments.ts";
import { graphOf, token } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { bestSinglePath, fillGreedily } from "./equal-pieces.ts";

const AMOUNT = 10n ** 21n;
/** Share of the order that each leg costs. */
const COST = 0.1;

/** From token 0 to token 1 over token 2, which pays a little more, and over token 3; token 2 is priced at `price`. */
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
  "a path is chosen by what it nets, whatever a token on it is priced at: %d",
  (price) => {
    const { graph, problem, tolls } = choiceOf(price);
    expect(bestSinglePath(problem, graph, tolls, { hops: 4, isDirect: true })).toEqual([0, 1]);
  },
);

test("what a leg costs is not taken from what is sent on", () => {
  const { graph, problem, tolls } = choiceOf(1);
  fillGreedily(problem, graph, tolls, { chunks: 1, hops: 4, legs: Infinity, isDirect: true });
  expect(problem.sold[0]).toBe(Number(AMOUNT));
  expect(problem.sold[1]).toBe(outputAt(graph.curves, problem.edge[0]!, Number(AMOUNT)));
});

test("where no path nets anything, the one that pays most is taken", () => {
  const { graph, problem, tolls } = choiceOf(1);
  tolls.cost.fill(problem.supply);
  expect(bestSinglePath(problem, graph, tolls, { hops: 4, isDirect: true })).toEqual([0, 1]);
  expect(fillGreedily(problem, graph, tolls, { chunks: 1, hops: 4, legs: Infinity, isDirect: true })).toEqual(
    [],
  );
});
