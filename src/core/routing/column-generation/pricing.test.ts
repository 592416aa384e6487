import { expect, test } from "vitest";
import { addProblemNode, beginProblem, emptyProblem } from "../convex/problem.ts";
import { emptyScratch, resetScratch } from "../convex/scratch.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../market.fixture.ts";
import { refresh } from "../market-graph/update.ts";
import { emptyWindow, priceWindow } from "./pricing.ts";

const TOKENS = 60;
const SUPPLY = 1e21;

/** Tokens between two that are worth 2 % more to each other than they cost: each pays a little more than the one before. */
const SPECS: readonly PairSpec[] = Array.from({ length: TOKENS }, (_, n) => {
  const depth = 10n ** 18n * 2n ** BigInt(n % 20);
  const between = token(2 + n);
  return [
    { tokens: [WRAPPED, between], reserves: [depth, depth] },
    { tokens: [between, token(1)], reserves: [depth, depth + (depth * BigInt(n)) / 20_000n] },
  ];
}).flat();

function lookWith(least: number) {
  const graph = graphOf([{ tokens: [WRAPPED, token(1)], reserves: [10n ** 24n, 10n ** 24n] }, ...SPECS]);
  refresh(graph);
  const desk = { scratch: emptyScratch(), problem: emptyProblem(), window: emptyWindow() };
  resetScratch(desk.scratch, graph);
  const [from, to] = [graph.nodeOf.get(WRAPPED)!, graph.nodeOf.get(token(1))!];
  beginProblem(desk.problem, graph, desk.scratch, { from, to, supply: SUPPLY });
  for (const [node, price] of [
    [from, 1],
    [to, 1.02],
  ] as const) {
    const local = addProblemNode(desk.problem, graph, desk.scratch, { node, price });
    desk.problem.price[local] = price;
  }
  graph.curves.count[0] = 0;
  const demand = { from, to, amount: SUPPLY, allowed: () => true, late: () => false };
  const gain = priceWindow(graph, desk, demand, { prices: graph.pairs.spot, least });
  return { gain, ranked: [...desk.window.rank.subarray(0, desk.window.count)].sort((a, b) => b - a) };
}

test("pairs that earn little are counted with the most that they may, and their pools are left out", () => {
  const all = lookWith(0);
  const few = lookWith(1e-5);
  expect(all.ranked.length).toBe(2 * TOKENS);
  expect(few.ranked.length).toBeGreaterThan(TOKENS / 4);
  expect(few.ranked.length).toBeLessThan(1.5 * TOKENS);
  expect(few.gain).toBeGreaterThan(all.gain);
  expect(few.gain / all.gain - 1).toBeLessThan(0.03);
  for (const [k, rank] of few.ranked.entries()) expect(rank / all.ranked[k]!).toBeCloseTo(1, 1);
});
