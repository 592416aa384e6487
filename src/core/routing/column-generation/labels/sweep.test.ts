import { describe, expect, test } from "vitest";
import { emptyScratch, resetScratch } from "../../convex/scratch.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { isArbitrageFree } from "./sweep.ts";

const E18 = 10n ** 18n;
const FAIR: readonly PairSpec[] = [
  { tokens: [WRAPPED, token(1)], reserves: [10n * E18, 10n * E18] },
  { tokens: [token(1), token(2)], reserves: [10n * E18, 10n * E18] },
  { tokens: [token(2), WRAPPED], reserves: [10n * E18, 10n * E18] },
  { tokens: [WRAPPED, token(3)], reserves: [10n * E18, 10n * E18] },
  { tokens: [token(3), token(4)], reserves: [10n * E18, 10n * E18] },
  { tokens: [token(4), WRAPPED], reserves: [10n * E18, 10n * E18] },
];

/** Whether a market without its arbitrage is arbitrage-free as a whole, and for an order from token 1 to token 2. */
function arbitrageFree(specs: readonly PairSpec[]): { readonly whole: boolean; readonly order: boolean } {
  const graph = graphOf(specs);
  const scratch = emptyScratch();
  resetScratch(scratch, graph);
  const [from, to] = [graph.nodeOf.get(token(1))!, graph.nodeOf.get(token(2))!];
  const market = graph.arbitrageFree.market ?? graph;
  return { whole: graph.roundTrips.isArbitrageFree, order: isArbitrageFree(market, scratch, { from, to }) };
}

describe("a market", () => {
  test("is arbitrage-free if every cycle loses its fees", () => {
    expect(arbitrageFree(FAIR)).toEqual({ whole: true, order: true });
  });

  test.each([2n, 10n ** 4n, 10n ** 12n, 10n ** 18n])(
    "is arbitrage-free once its arbitrage is removed, if a cycle pays %i times",
    (times) => {
      const cycle = { tokens: [WRAPPED, token(3)], reserves: [E18, times * E18] };
      const graph = graphOf([...FAIR, cycle]);
      expect(graph.arbitrageFree.gainers.length).toBeGreaterThan(0);
      expect(arbitrageFree([...FAIR, cycle])).toEqual({ whole: true, order: true });
    },
  );
});
