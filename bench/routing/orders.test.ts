import { expect, test } from "vitest";
import { makeOrders } from "./orders.ts";
import { smallMarket } from "./small-market.fixture.ts";
import { strategies } from "./strategies/index.ts";

test("orders made for a market are of distinct pairs, and each can be routed", () => {
  const { board, task } = smallMarket(2);
  const orders = makeOrders(board, { count: 40, seed: 3 });
  expect(orders.length).toBe(40);
  expect(new Set(orders.map(({ tokenIn, tokenOut }) => tokenIn + tokenOut)).size).toBe(40);
  for (const order of orders) expect(strategies.get("one-path-4")!(task(order))).toBeDefined();
  expect(makeOrders(board, { count: 40, seed: 3 })).toEqual(orders);
});
