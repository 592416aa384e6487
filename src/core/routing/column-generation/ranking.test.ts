import fc from "fast-check";
import { expect, test } from "vitest";
import { slopeAt } from "../curves/segments.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../market.fixture.ts";
import type { Graph } from "../market-graph/graph.ts";
import { sizeOfLevel } from "../market-graph/pair-index.ts";
import { beginRanking, emptyRanked, lowerLeast, priceOfBest, rankEdges } from "./ranking.ts";

/** Pairs of 120, of 30 and of a few pools with scattered prices. */
const SPECS: readonly PairSpec[] = Array.from({ length: 160 }, (_, n) => {
  const depth = 10n ** 18n * BigInt(1 + ((n * 37) % 151));
  return {
    tokens: [WRAPPED, token(n < 120 ? 1 : n < 150 ? 2 : 3 + (n % 4))],
    reserves: [depth, depth + (depth * BigInt((n * 53) % 97)) / 10_000n],
  };
});

/**
 * The price of the path through each edge, if the paths to and on from every pair have a price of `through` together.
 */
function pricesOf({ edges, curves, values, tail, head }: Graph, level: number, through: number): number[] {
  return Array.from({ length: edges }, (_, edge) => {
    const value = values.ref[tail[edge]!]!;
    const size = sizeOfLevel(level) / value;
    return (slopeAt(curves, edge, size) * values.ref[head[edge]!]! * through) / value;
  });
}

test("widening price ranges rank the edges that are best at the size, and rank none twice", () => {
  const graph = graphOf(SPECS);
  const ranked = emptyRanked();
  const anyCase = fc.tuple(
    fc.constantFrom(-1, 3, 4, 5),
    fc.constantFrom(3, 20, 50),
    fc.constantFrom(1, 0.97),
  );
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 0, max: 3 }), ([level, most, through], barred) => {
      const prices = pricesOf(graph, level, through);
      const best = Math.max(...prices);
      beginRanking(ranked, graph.pairs.count, { most, floor: 0.1 * best });
      for (const width of [0.0005, 0.002, 0.008, 0.032]) {
        lowerLeast(ranked, (1 - width) * best);
        const allowed = (edge: number) => edge % 4 !== barred;
        for (let pair = 0; pair < graph.pairs.count; pair++)
          rankEdges(graph, pair, ranked, { through, level, allowed });
        const bar = priceOfBest(ranked, most) * (1 - 1e-12);
        const found = [...ranked.edge.subarray(0, ranked.count)].filter((_, k) => ranked.price[k]! >= bar);
        const within = prices.map((price, edge) => ({ price, edge })).filter(({ edge }) => allowed(edge));
        const wanted = within
          .filter(({ price }) => price >= (1 - width) * best)
          .sort((a, b) => b.price - a.price);
        const last = wanted[Math.min(most, wanted.length) - 1]?.price ?? Infinity;
        const expected = wanted.filter(({ price }) => price >= last * (1 - 1e-12)).map(({ edge }) => edge);
        expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
        if (ranked.good >= most) break;
      }
    }),
    { numRuns: 100 },
  );
});
