import { expect, test } from "vitest";
import { addProblemNode, beginProblem, emptyProblem } from "../convex/problem.ts";
import { emptyScratch, resetScratch } from "../convex/scratch.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../market.fixture.ts";
import { refresh } from "../market-graph/update.ts";
import { emptyCandidates, priceCandidates } from "./pricing.ts";

const TOKENS = 60;
const SUPPLY = 1e21;

/**
 * Paths over one token each between two tokens whose prices differ by 2 %. Each pays a little more than the one before.
 */
const SPECS: readonly PairSpec[] = Array.from({ length: TOKENS }, (_, n) => {
  const depth = 10n ** 18n * 2n ** BigInt(n % 20);
  const between = token(2 + n);
  return [
    { tokens: [WRAPPED, between], reserves: [depth, depth] },
    { tokens: [between, token(1)], reserves: [depth, depth + (depth * BigInt(n)) / 20_000n] },
  ];
}).flat();

function stepWith() {
  const graph = graphOf([{ tokens: [WRAPPED, token(1)], reserves: [10n ** 24n, 10n ** 24n] }, ...SPECS]);
  refresh(graph);
  const desk = { scratch: emptyScratch(), problem: emptyProblem(), candidates: emptyCandidates() };
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
  const gain = priceCandidates(graph, desk, demand, graph.pairs.spot);
  return { gain, ranked: [...desk.candidates.rank.subarray(0, desk.candidates.count)].sort((a, b) => b - a) };
}

test("every pool that would earn at the prices is a candidate, and their total gain is returned", () => {
  const { gain, ranked } = stepWith();
  expect(ranked.length).toBe(2 * TOKENS);
  expect(gain).toBeGreaterThan(0);
  expect(ranked.every((rank) => rank > 0 && rank <= gain)).toBe(true);
});
