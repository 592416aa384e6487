import { expect, test } from "vitest";
import { graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { levelOf, pricesAt } from "../../market-graph/pair-index.ts";
import { livePairs } from "./live-pairs.ts";

const E18 = 10n ** 18n;
const deep = (n: number): PairSpec => ({ tokens: [WRAPPED, token(n)], reserves: [1000n * E18, 1000n * E18] });
const shallow = (a: number, b: number, pays: bigint): PairSpec => ({
  tokens: [token(a), token(b)],
  reserves: [E18 / 1000n, (pays * E18) / 1000n],
});

test("pairs that a small trade exhausts are not read, unless they pay well even then", () => {
  const graph = graphOf([deep(1), deep(2), deep(3), shallow(1, 2, 1n), shallow(1, 3, 100_000n)]);
  const { start, length, data } = livePairs(graph, pricesAt(graph.pairs, levelOf(1e17)));
  const reached = (n: number) => {
    const node = graph.nodeOf.get(token(n))!;
    const row = [...data.subarray(start[node], start[node]! + length[node]!)];
    return row.filter((_, k) => k % 2 === 1).map((far) => graph.tokens[far]);
  };
  expect(reached(1)).toEqual(expect.arrayContaining([token(3)]));
  expect(reached(1)).not.toContain(token(2));
  expect(reached(2)).not.toContain(token(1));
  expect(reached(2)).toHaveLength(1);
});
