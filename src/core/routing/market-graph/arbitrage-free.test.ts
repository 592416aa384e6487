import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyResponse, respondAt } from "../curves/response.ts";
import { outputAt, spotSlope } from "../curves/segments.ts";
import { graphOf, type PairSpec, sampledProduct, token, WRAPPED, wrapper } from "../market.fixture.ts";
import type { Graph } from "./graph.ts";

const E18 = 10n ** 18n;
const TOKENS = 6;
const NODES = [WRAPPED, ...Array.from({ length: TOKENS - 1 }, (_, n) => token(n + 1))];

/** Pools between random tokens, whose prices contradict each other by up to a factor of four. */
const pool: fc.Arbitrary<PairSpec> = fc
  .tuple(
    fc.uniqueArray(fc.nat(TOKENS - 1), { minLength: 2, maxLength: 2 }),
    fc.integer({ min: 50, max: 200 }),
    fc.integer({ min: 50, max: 200 }),
    fc.boolean(),
  )
  .map(([ends, one, other, sampled]) => ({
    tokens: ends.map((n) => NODES[n]!),
    reserves: [BigInt(one) * E18, BigInt(other) * E18],
    ...(sampled ? { protocol: sampledProduct.name } : {}),
  }));
const pools = fc.array(pool, { minLength: 8, maxLength: 24 });

const FAIR: readonly PairSpec[] = [
  { tokens: [WRAPPED, token(1)], reserves: [E18, E18] },
  { tokens: [token(1), token(2)], reserves: [E18, E18] },
  { tokens: [token(2), WRAPPED], reserves: [E18, E18] },
];
const OFF_MARKET: PairSpec = { tokens: [WRAPPED, token(1)], reserves: [E18 / 1000n, E18 / 500n] };

/**
 * Base price of an edge's token sold over that of its token bought: units that a unit sold must bring for the edge to
 * gain.
 */
function leastOf({ base, tail, head }: Graph, edge: number): number {
  return base.price[tail[edge]!]! / base.price[head[edge]!]!;
}

describe("a market without its arbitrage", () => {
  test("has no edge that pays more than base prices, so that no cycle is profitable", () => {
    let gaining = 0;
    fc.assert(
      fc.property(pools, (specs) => {
        const graph = graphOf(specs);
        const { market } = graph.arbitrageFree;
        if (market === undefined) return;
        gaining += graph.arbitrageFree.gainers.length;
        for (let edge = 0; edge < graph.edges; edge++)
          expect(spotSlope(market.curves, edge)).toBeLessThan(leastOf(graph, edge) * (1 + 1e-12));
        expect(graph.roundTrips.isArbitrageFree).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(gaining).toBeGreaterThan(100);
  });

  test("pays what its pools pay after the trades that gain, and never more than they pay from the start", () => {
    let compared = 0;
    fc.assert(
      fc.property(pools, fc.double({ min: 1e-4, max: 2, noNaN: true }), (specs, share) => {
        const graph = graphOf(specs);
        const { market, gainers } = graph.arbitrageFree;
        for (const edge of gainers) {
          const sold = share * 1e20;
          const taken = emptyResponse();
          respondAt(graph.curves, edge, leastOf(graph, edge) * (1 - 1e-9), taken);
          const left = outputAt(market!.curves, edge, sold);
          if (!(left >= 0)) continue;
          const rest = outputAt(graph.curves, edge, taken.sold + sold) - taken.bought;
          expect(Math.abs(left - rest)).toBeLessThan(1e-9 * (rest + taken.bought));
          expect(left).toBeLessThanOrEqual(outputAt(graph.curves, edge, sold) * (1 + 1e-9));
          compared++;
        }
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test("keeps pools that exchange two tokens both ways without a fee, at prices lowered by rounding alone, and no gain of theirs counts", () => {
    const wrap = { tokens: [token(1), token(3)], reserves: [], protocol: wrapper.name };
    const graph = graphOf([wrap, ...FAIR, OFF_MARKET]);
    const { market, gainers } = graph.arbitrageFree;
    for (const edge of [0, 1]) {
      expect(graph.entries[graph.owner[edge]!]!.pool.protocol).toBe(wrapper.name);
      expect(gainers).not.toContain(edge);
      expect(outputAt(market!.curves, edge, 1e18) / 1e18).toBeCloseTo(1, 8);
      expect(spotSlope(market!.curves, edge)).toBeLessThan(1);
    }
  });

  test("is the market itself if no cycle is profitable, and else keeps the curves of edges that do not gain", () => {
    expect(graphOf(FAIR).arbitrageFree.market).toBeUndefined();
    const graph = graphOf([...FAIR, OFF_MARKET]);
    const { market, gainers } = graph.arbitrageFree;
    expect(gainers.length).toBeGreaterThan(0);
    for (let edge = 0; edge < graph.edges; edge++)
      if (!gainers.includes(edge))
        expect(spotSlope(market!.curves, edge)).toBe(spotSlope(graph.curves, edge));
  });
});
