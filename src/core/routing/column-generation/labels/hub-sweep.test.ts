import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyScratch, resetScratch, type Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { HUBS, pairsOf } from "../../pairs.fixture.ts";
import { coreOf, listAround, sweepAround, tokensAround } from "./hub-sweep.ts";

const draws = fc.array(fc.nat(2 ** 30), { minLength: 40, maxLength: 60 });
const anyMarket = draws.map((choices) => pairsOf(1100, choices));
const anyEnds = fc.tuple(fc.nat(1099), fc.nat(1099)).filter(([from, to]) => from !== to);

function scratchFor(graph: Graph) {
  const scratch = emptyScratch();
  resetScratch(scratch, graph);
  return scratch;
}

test("a market of few tokens has no core", () => {
  expect(coreOf(pairsOf(200, [1, 5, 3]))).toBeUndefined();
});

test("the core holds the tokens of most neighbours, and each pair of two of them once", () => {
  fc.assert(
    fc.property(anyMarket, (graph) => {
      const { isIn, pairs } = coreOf(graph)!;
      for (let hub = 0; hub < HUBS; hub++) expect(isIn[hub]).toBe(1);
      const inside = evenPairs(graph).filter((pair) => endsOf(graph, pair).every((node) => isIn[node] === 1));
      expect([...pairs].map((pair) => pair & ~1).sort((a, b) => a - b)).toEqual(inside);
    }),
    { numRuns: 10 },
  );
});

test("the listed pairs are those of two tokens of the core or of those given, each once", () => {
  fc.assert(
    fc.property(anyMarket, anyEnds, (graph, ends) => {
      const { isIn } = coreOf(graph)!;
      const nodes = tokensAround(graph, ends);
      const scratch = scratchFor(graph);
      listAround(graph, scratch, nodes);
      const listed = [...scratch.listed.subarray(0, scratch.listings)].map((pair) => pair & ~1);
      const among = (node: number) => isIn[node] === 1 || nodes.includes(node);
      const wanted = evenPairs(graph).filter((pair) => endsOf(graph, pair).every(among));
      // No path passes two tokens that are each other's only neighbours.
      const passed = wanted.filter((pair) => endsOf(graph, pair).some((n) => graph.pairs.degree[n]! > 1));
      expect(listed.sort((a, b) => a - b)).toEqual(passed);
    }),
    { numRuns: 20 },
  );
});

test("a sweep over the listed pairs finds the best product of prices on a path over them", () => {
  fc.assert(
    fc.property(anyMarket, anyEnds, (graph, [from, to]) => {
      const scratch = scratchFor(graph);
      listAround(graph, scratch, tokensAround(graph, [from, to]));
      const rounds = graph.tokens.length;
      sweepAround(graph, scratch, { from, to, prices: graph.pairs.spot, keep: 1, least: 0, rounds });
      expect(scratch.back[from]).toBeCloseTo(bestProduct(graph, scratch, from, to), 12);
      expect(scratch.fore[to]).toBeCloseTo(scratch.back[from]!, 12);
    }),
    { numRuns: 20 },
  );
});

function evenPairs({ pairs }: Graph): number[] {
  return Array.from({ length: pairs.count / 2 }, (_, k) => 2 * k);
}

function endsOf({ pairs }: Graph, pair: number): readonly [number, number] {
  return [pairs.tail[pair]!, pairs.tail[pair ^ 1]!];
}

/** The best product by number of hops: at most as many passes over all listed pairs as there are tokens. */
function bestProduct(
  { pairs, tokens }: Graph,
  { listed, listings }: Scratch,
  from: number,
  to: number,
): number {
  let best = new Map([[from, 1]]);
  for (let hop = 0; hop < tokens.length; hop++) {
    const next = new Map(best);
    for (const pair of listed.subarray(0, listings)) {
      for (const one of [pair, pair ^ 1]) {
        const [u, v] = [pairs.tail[one]!, pairs.tail[one ^ 1]!];
        const reached = u === to ? 0 : (best.get(u) ?? 0) * pairs.spot[one]!;
        if (reached > (next.get(v) ?? 0)) next.set(v, reached);
      }
    }
    const still = [...next].every(([node, price]) => best.get(node) === price);
    best = next;
    if (still) break;
  }
  return best.get(to) ?? 0;
}
