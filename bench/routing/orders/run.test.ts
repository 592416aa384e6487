import { expect, test } from "vitest";
import { summarise } from "../report/summary.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { measurePatches } from "./patching.ts";
import { warmUpOrders } from "./run.ts";

const made = smallMarket(5);
const results = made.orders.map((order) => made.ask(order, { gasGwei: 5, maxLegs: 16, budgetMs: 1e9 }));
const digits = expect.stringMatching(/^-?[0-9]+$/);

test("an order is written with all that is needed to compute it again", () => {
  const result = results.find(({ route }) => (route?.length ?? 0) > 1)!;
  expect(JSON.parse(JSON.stringify(result))).toMatchObject({
    tokenIn: expect.stringMatching(/^0x/),
    tokenOut: expect.stringMatching(/^0x/),
    amountIn: digits,
    amountOut: digits,
    bound: digits,
    net: digits,
    gas: digits,
    gasPriceOut: expect.any(Number),
    ms: expect.any(Number),
    legs: result.route!.length,
  });
  expect(BigInt(result.net!)).toBe(BigInt(result.amountOut!) - BigInt(result.gas!));
  expect(result.prices![result.tokenOut]).toBeCloseTo(1, 12);
  for (const leg of result.route!) {
    expect(Object.keys(leg).sort()).toEqual(["amountIn", "amountOut", "pool", "tokenIn", "tokenOut"]);
    expect(result.prices![leg.tokenIn]).toBeGreaterThan(0);
    expect(result.prices![leg.tokenOut]).toBeGreaterThan(0);
  }
});

test("an order that does not route is written with its error", () => {
  const [order] = made.orders;
  const result = made.ask({ ...order!, tokenOut: `0x${"9".repeat(40)}` });
  expect(result).toEqual({ ...result, ...order, tokenOut: result.tokenOut, error: "unknown-token" });
  const summary = summarise([...results, result], {
    ...made.engine.counters(),
    ...measurePatches(made.engine, made.market),
    ignoredPools: 0,
    buildMs: 1,
    graphMb: 1,
    worth: () => 1,
  });
  expect(summary.failed).toBe(1);
  expect(summary.ratio.mean).toBeLessThanOrEqual(1);
  expect(summary.ratio.min).toBeLessThanOrEqual(summary.ratio.p5);
  expect(summary.patchUs.v2).toBeGreaterThan(0);
});

test("patches leave the engine as it was", () => {
  const before = made.orders.map((order) => made.ask(order).amountOut);
  measurePatches(made.engine, made.market);
  expect(made.orders.map((order) => made.ask(order).amountOut)).toEqual(before);
});

test("a warm-up asks for nothing that is measured", () => {
  const pairs = new Set(made.orders.map(({ tokenIn, tokenOut }) => tokenIn + tokenOut));
  const others = warmUpOrders(made.orders);
  expect(others.length).toBe(50);
  for (const { tokenIn, tokenOut } of others) expect(pairs.has(tokenIn + tokenOut)).toBe(false);
});
