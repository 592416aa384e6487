import { describe, expect, test } from "vitest";
import { emptyMarket } from "../market/market.ts";
import type { OrderResult } from "../market/schema.ts";
import { gapOf, gapsOf, proofOf, proofTable, violatesBound, worthIn } from "./gaps.ts";

const token = `0x${"1".repeat(40)}` as const;
const other = `0x${"2".repeat(40)}` as const;

/** Pays 990,000 and nets 984,000 after one leg's gas; the bounds are 1,000,000 and 996,000. */
const result: OrderResult = {
  tokenIn: token,
  tokenOut: other,
  amountIn: "5000000",
  amountOut: "990000",
  bound: "1000000",
  netBound: "996000",
  net: "980900",
  gas: "9100",
  gasUnits: 91_000,
  gasPriceOut: 0.1,
  ms: 1,
  complete: true,
  arbitrageWei: "20000000000000000",
};

test("gaps are told in basis points of the bounds, and in legs of 60,000 gas", () => {
  expect(gapOf(result)).toEqual({
    grossBp: 100,
    netBp: expect.closeTo((12_000 / 996_000) * 1e4, 6),
    legs: expect.closeTo(2, 9),
  });
});

test("no bound has no gap, gas that is free none in legs, and a net bound of nothing none in basis points", () => {
  expect(gapOf({ ...result, bound: null })).toBeUndefined();
  expect(gapOf({ ...result, gasPriceOut: 0 })?.legs).toBeUndefined();
  expect(gapOf({ ...result, netBound: "-5" })?.netBp).toBeUndefined();
});

test("a bound is violated by a unit, before gas or after", () => {
  expect(violatesBound(result)).toBe(false);
  expect(violatesBound({ ...result, bound: "989999" })).toBe(true);
  expect(violatesBound({ ...result, netBound: "984000" })).toBe(false);
  expect(violatesBound({ ...result, netBound: "983999" })).toBe(true);
});

describe("a proof", () => {
  const missing: OrderResult = { tokenIn: token, tokenOut: other, amountIn: "1", ms: 1, error: "no-path" };
  const unproved: OrderResult = { ...result, bound: null, reason: "shared state", complete: false };
  const all = [result, result, { ...result, bound: "980000" }, unproved, missing];
  const proof = proofOf(all, ({ amountIn }) => Number(amountIn) / 1e6);

  test("counts orders that route by size, bounds, violations, reasons, and searches that ended by themselves", () => {
    expect(proof.gaps.map(({ name, orders, proved }) => [name, orders, proved])).toEqual([
      [">= 3 ETH", 4, 0.75],
      ["all", 4, 0.75],
    ]);
    expect(proof).toMatchObject({
      violations: 1,
      reasons: { "shared state": 1 },
      arbitrageEth: 0.02,
      complete: 0.75,
    });
  });

  test("is printed with every figure", () => {
    const text = proofTable(proof);
    expect(text).toMatch(/\| >= 3 ETH +\| +4 \| +75\.00 % \| +100\.000 \| +100\.000 \| +120\.482 /);
    expect(text).toContain("violated bounds: 1; market_arbitrage: 0.02000 ETH; search complete: 75.00 %");
    expect(text).toContain("  1 x shared state");
  });
});

test("a median is that of its own class only", () => {
  const near = { ...result, bound: "990001", amountIn: "400000" };
  const worth = ({ amountIn }: OrderResult) => Number(amountIn) / 1e6;
  const [small, large] = proofOf([near, near, result], worth).gaps;
  expect([small?.name, large?.name]).toEqual(["0.3 - 3 ETH", ">= 3 ETH"]);
  expect(small?.grossBp.p50).toBeLessThan(0.02);
  expect(large?.grossBp.p50).toBe(100);
  expect(gapsOf("none", []).grossBp.p50).toBeNaN();
});

test("an order is worth what the file's prices say, or what the pools do", () => {
  const market = { ...emptyMarket(), native: other };
  market.usd.set(other, 2000);
  market.tokens.set(token, { address: token, symbol: "T", decimals: 6 });
  expect(worthIn(market, () => 1e12)(result)).toBe(5);
  expect(worthIn(market, () => undefined)(result)).toBeUndefined();
  market.usd.set(token, 400);
  expect(worthIn(market, () => 1e12)(result)).toBe(1);
});
