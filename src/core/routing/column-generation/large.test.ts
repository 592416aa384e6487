import { describe, expect, test } from "vitest";
import { ask, expectBalanced, market, type PairSpec, token, WRAPPED } from "../market.fixture.ts";
import type { RouteRequest } from "../types.ts";

const WAYS = 900;
const AMOUNT = 2n * 10n ** 23n;

/** Hundreds of paths over one token each, all of which a large order takes, and as many that are hardly worth a leg. */
const SPECS: readonly PairSpec[] = Array.from({ length: 2 * WAYS }, (_, n) => {
  const depth = (n < WAYS ? 10n ** 21n : 10n ** 18n) * BigInt(10 + (n % 23));
  const between = token(10 + n);
  return [
    { tokens: [WRAPPED, between], reserves: [depth, depth] },
    { tokens: [between, token(1)], reserves: [depth, depth + (depth * BigInt(n % 7)) / 1000n] },
  ];
}).flat();

const { engine } = market(SPECS);

function answer(more: Partial<RouteRequest> = {}) {
  const found = engine.find(ask(WRAPPED, token(1), AMOUNT, more));
  if (found.kind !== "found" || found.optimality.upperBound === null) throw new Error("no proved route");
  expectBalanced(found.route);
  const { upperBound, gapBps } = found.optimality;
  if (gapBps === null) throw new Error("no gap is stated");
  return { amountOut: found.route.amountOut, legs: found.route.steps.length, upperBound, gapBps };
}

describe("an order that takes hundreds of pools", () => {
  const free = answer();

  test("is proved to be within about 0.01 % of the optimum", () => {
    expect(free.legs).toBeGreaterThan(600);
    expect(free.gapBps).toBeLessThan(1.3);
  });

  test("with gas the bound is not below what many legs pay, and not far above", () => {
    const { upperBound, amountOut } = answer({ gasPriceWei: 5n * 10n ** 9n });
    expect(upperBound).toBeGreaterThanOrEqual(free.amountOut);
    expect(amountOut).toBeLessThanOrEqual(free.amountOut);
    expect(Number(upperBound - free.amountOut) / Number(upperBound)).toBeLessThan(7.8e-4);
  });

  test.each([{}, { gasPriceWei: 5n * 10n ** 9n }])(
    "under a cap on the number of legs the bound is that of as few legs, with %o",
    (more) => {
      const { upperBound, amountOut } = answer({ ...more, maxLegs: 16 });
      expect(upperBound).toBeGreaterThanOrEqual(amountOut);
      expect(upperBound).toBeLessThan(free.amountOut / 2n);
    },
  );
});
