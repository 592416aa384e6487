import fc from "fast-check";
import { expect, test } from "vitest";
import { findOptimum } from "../column-generation/optimum.ts";
import { resetScratch } from "../convex/scratch.ts";
import { ask, graphOf, market, type PairSpec, token, WRAPPED } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";

const DEPTH = 10n ** 24n;
const KEEP = 0.997;
const STEPS = 200;

/** A pool of three coins, and a pair of the coin sold and the third: the pool pays the coin bought for both. */
function specsOf(pairDepth: bigint): readonly PairSpec[] {
  return [
    { tokens: [WRAPPED, token(1), token(2)], reserves: [DEPTH, DEPTH, DEPTH] },
    { tokens: [WRAPPED, token(2)], reserves: [pairDepth, pairDepth] },
  ];
}

/** What the pool of three, whose invariant is the product of its balances, pays where `through` goes over the pair. */
function paidBy(amount: number, through: number, pairDepth: number): number {
  const third = (pairDepth * through * KEEP) / (pairDepth + through * KEEP);
  const depth = Number(DEPTH);
  const left = (depth + KEEP * (amount - through)) * (depth + KEEP * third);
  return depth - depth ** 3 / left;
}

/** The most that any split pays, by golden-section search: what is paid is concave in the split. */
function mostPaid(amount: number, pairDepth: number): number {
  let [low, high] = [0, amount];
  for (let step = 0; step < STEPS; step++) {
    const [left, right] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (paidBy(amount, left, pairDepth) < paidBy(amount, right, pairDepth)) low = left;
    else high = right;
  }
  return paidBy(amount, low, pairDepth);
}

const anOrder = fc.record({
  /** Shares of the pool's depth, in hundredths. */
  sold: fc.integer({ min: 5, max: 100 }),
  pairDepth: fc.integer({ min: 50, max: 2000 }),
});
const hundredths = (share: number) => (DEPTH * BigInt(share)) / 100n;

test("an optimum that sells two coins to a pool for a third counts what the pool pays of the third once", () => {
  fc.assert(
    fc.property(anOrder, ({ sold, pairDepth }) => {
      const graph = graphOf(specsOf(hundredths(pairDepth)));
      const workspace = emptyWorkspace();
      resetScratch(workspace.scratch, graph);
      const [from, to] = [graph.nodeOf.get(WRAPPED)!, graph.nodeOf.get(token(1))!];
      const amount = Number(hundredths(sold));
      const demand = { from, to, amount, allowed: () => true, late: () => false };
      const optimum = findOptimum(graph, workspace, demand)!;
      const most = mostPaid(amount, Number(hundredths(pairDepth))) * graph.values.ref[to]!;
      // The curves of the joint node are sampled, so the tolerance is wide.
      expect(optimum.delivered / most).toBeCloseTo(1, 4);
      expect(optimum.bound! / most).toBeCloseTo(1, 4);
      expect(optimum.bound! / most).toBeGreaterThan(1 - 1e-6);
      // The flows are crossings of single pairs again, and carry the whole amount.
      const edges = [...workspace.primalFlow.flows];
      expect(edges.every(([edge]) => graph.pair[edge]! >= 0)).toBe(true);
      const leaving = edges.filter(([edge]) => graph.tail[edge] === from);
      expect(leaving.reduce((sum, [, sent]) => sum + sent, 0) / amount).toBeCloseTo(1, 6);
      expect(edges.filter(([edge]) => graph.owner[edge] === 0).length).toBe(2);
    }),
    { numRuns: 50 },
  );
});

test("a route over a pool of three coins and its bound are within 0.1 % of what the best split pays", () => {
  for (const sold of [10, 40, 100]) {
    const { engine } = market(specsOf(5n * DEPTH));
    const found = engine.find(ask(WRAPPED, token(1), hundredths(sold)));
    if (found.kind === "missing") throw new Error(found.reason);
    const most = mostPaid(Number(hundredths(sold)), Number(5n * DEPTH));
    // The fee of the first crossing stays in the pool, which the second then finds deeper.
    expect(Number(found.route.amountOut) / most).toBeGreaterThan(0.999);
    expect(Number(found.optimality.upperBound) / most).toBeLessThan(1.001);
  }
});
