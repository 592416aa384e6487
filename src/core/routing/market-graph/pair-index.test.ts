import fc from "fast-check";
import { expect, test } from "vitest";
import { spotSlope } from "../curves/segments.ts";
import { at, fixtureRegistry, poolOf, token, WRAPPED } from "../market.fixture.ts";
import { emptyGraph } from "./graph.ts";
import { patchGraph, refresh } from "./update.ts";

const tokens = [token(1), token(2)] as const;
const reserve = fc.integer({ min: 1, max: 50 });
const prices = fc.array(reserve, { minLength: 20, maxLength: 20 });

test("the edges of a pair are sorted by spot price, whatever changed and in whichever order", () => {
  fc.assert(
    fc.property(prices, fc.array(fc.tuple(fc.nat(19), reserve), { maxLength: 40 }), (first, changes) => {
      const graph = emptyGraph(fixtureRegistry, WRAPPED);
      const pools = first.map((_, k) => poolOf({ tokens, reserves: [1n, 1n] }, k));
      const states = new Map<string, unknown>();
      const set = (k: number, price: number) =>
        states.set(pools[k]!.id, {
          tokens,
          reserves: [10n ** 20n, BigInt(price) * 10n ** 19n],
          feePpm: 3000n,
        });
      first.forEach((price, k) => {
        set(k, price);
      });
      const patch = (some: typeof pools) => {
        patchGraph(graph, { pools: some, removed: [] }, { get: (id) => states.get(id) }, at);
        refresh(graph);
      };
      patch(pools);
      for (const [k, price] of changes) {
        set(k, price);
        patch([pools[k]!]);
      }
      for (let pair = 0; pair < graph.pairs.count; pair++) {
        const { start, length, data } = graph.pairs.edges;
        const row = [...data.subarray(start[pair]!, start[pair]! + length[pair]!)];
        const slope = (edge: number) => spotSlope(graph.curves, edge);
        expect(row).toHaveLength(20);
        expect(new Set(row).size).toBe(20);
        expect(row).toEqual([...row].sort((a, b) => slope(b) - slope(a) || a - b));
      }
    }),
    { numRuns: 50 },
  );
});
