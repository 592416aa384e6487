import { describe, expect, test } from "vitest";
import { at, constantProduct, graphOf, type PairSpec, token } from "../market.fixture.ts";
import { overlay } from "../settlement/settle.ts";
import { certify } from "./certify.fixture.ts";
import { emptyCertificateMemory } from "./memory.ts";

const [SOLD, BOUGHT, A, B, C, D] = [0, 1, 2, 3, 4, 5] as const;
const UNIT = 10n ** 18n;
const GAS = 60_000;
/** Gas of a crossing, in units of the token bought. */
const TOLL = 1e15;

/** A pool without a fee of which no trade here moves the price: a crossing of it gains nothing. */
const deep = (one: number, other: number): PairSpec => ({
  tokens: [token(one), token(other)],
  reserves: [10n ** 30n, 10n ** 30n],
  feePpm: 0n,
});

/** A pool without a fee that pays four for one at first. At prices of 1 a sale of `size` gains most: it pays twice as much. */
const shallow = (from: number, to: number, size: bigint): PairSpec => ({
  tokens: [token(from), token(to)],
  reserves: [size, 4n * size],
  feePpm: 0n,
});

/** The net bound at prices of 1, and what the whole of `amount` nets along tokens in a row. */
function bounded(specs: readonly PairSpec[], way: readonly number[], { amount = UNIT, maxLegs = 16 } = {}) {
  const graph = graphOf(specs);
  const [from, to] = [graph.nodeOf.get(token(SOLD))!, graph.nodeOf.get(token(BOUGHT))!];
  const order = { from, to, amount: Number(amount), maxLegs, outPerGas: TOLL / GAS, allowed: () => true, at };
  const prices = new Float64Array(graph.tokens.length).fill(1);
  const bounds = certify(graph, emptyCertificateMemory(), prices, order);
  if ("reason" in bounds) throw new Error(bounds.reason);
  const written = overlay(graph.view);
  let held = amount;
  for (const [k, one] of way.slice(0, -1).entries()) {
    const tokens = [token(one), token(way[k + 1]!)];
    const { pool } = graph.entries.find((entry) => tokens.every((each) => entry.pool.tokens.includes(each)))!;
    const [i, j] = tokens.map((each) => pool.tokens.indexOf(each)) as [number, number];
    held = constantProduct.quote(written, pool, i, j, held, "in", at)!.amountOut;
  }
  return { bound: bounds.net, net: Number(held) - (way.length - 1) * TOLL };
}

/** The bound is what the route nets: it is the best, and anything less would be wrong. */
function expectTight({ bound, net }: { readonly bound: number; readonly net: number }): void {
  expect(bound / net).toBeGreaterThan(1 - 1e-12);
  expect(bound / net).toBeLessThan(1 + 1e-8);
}

describe("a pool that gains counts less what reaching it and going on from it costs", () => {
  test("by a crossing before and one after it", () => {
    const specs = [deep(SOLD, BOUGHT), deep(SOLD, A), shallow(A, B, UNIT), deep(B, BOUGHT)];
    const found = bounded(specs, [SOLD, A, B, BOUGHT]);
    expectTight(found);
    expect(found.net).toBeCloseTo(2e18 - 3 * TOLL, -9);
  });

  test("the crossing between two such pools is charged once", () => {
    const pools = [shallow(A, B, UNIT), shallow(C, D, 2n * UNIT)];
    const found = bounded(
      [deep(SOLD, BOUGHT), deep(SOLD, A), deep(B, C), deep(D, BOUGHT), ...pools],
      [SOLD, A, B, C, D, BOUGHT],
    );
    expectTight(found);
    expect(found.net).toBeCloseTo(4e18 - 5 * TOLL, -9);
  });

  test("nothing where the route passes its tokens anyway", () => {
    const between = bounded([deep(SOLD, A), shallow(A, BOUGHT, UNIT)], [SOLD, A, BOUGHT]);
    expectTight(between);
    const direct = bounded([deep(SOLD, BOUGHT), shallow(SOLD, BOUGHT, UNIT)], [SOLD, BOUGHT]);
    expect(direct.bound).toBeGreaterThan(2e18 - 2 * TOLL);
  });

  test("not at all where it gains less than that", () => {
    const size = BigInt(1.9 * TOLL);
    const specs = [deep(SOLD, BOUGHT), deep(SOLD, A), shallow(A, B, size), deep(B, BOUGHT)];
    expectTight(bounded(specs, [SOLD, BOUGHT]));
  });

  test("what a further crossing displaces is charged too: three legs for one pool leave no room for another", () => {
    const specs = [deep(SOLD, BOUGHT), deep(SOLD, A), shallow(A, B, UNIT), deep(B, BOUGHT)];
    const more = [deep(SOLD, C), shallow(C, D, UNIT), deep(D, BOUGHT)];
    const both = bounded([...specs, ...more], [SOLD, A, B, BOUGHT], { amount: 2n * UNIT, maxLegs: 6 });
    const one = bounded([...specs, ...more], [SOLD, A, B, BOUGHT], { amount: 2n * UNIT, maxLegs: 4 });
    expect(both.bound).toBeCloseTo(4e18 - 6 * TOLL, -11);
    expect(one.bound).toBeLessThan(3.34e18);
    expect(one.bound).toBeGreaterThan(3e18 - 4 * TOLL);
  });
});
