import { expect, test } from "vitest";
import { addFile, emptyMarket } from "../market/market.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { strategies } from "../strategies/index.ts";
import { makeBoard } from "./board.ts";
import { makeOrders } from "./orders.ts";
import { buildEngine, runOrder } from "./run.ts";

test("orders made for a market are of distinct pairs, and each can be routed", () => {
  const { board, task } = smallMarket(2);
  const orders = makeOrders(board, { count: 40, seed: 3 });
  expect(orders.length).toBe(40);
  expect(new Set(orders.map(({ tokenIn, tokenOut }) => tokenIn + tokenOut)).size).toBe(40);
  for (const order of orders) expect(strategies.get("one-path-4")!(task(order))).toBeDefined();
  expect(makeOrders(board, { count: 40, seed: 3 })).toEqual(orders);
});

test("no order is made that pays no unit", () => {
  const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;
  const [native, coin, whole] = [address(1), address(2), address(3)];
  const pool = (n: number, tokens: readonly `0x${string}`[], reserves: readonly string[]) => ({
    protocol: "uniswap-v2",
    address: address(100 + n),
    tokens,
    state: { reserves, feeNum: 3, feeDen: 1000 },
  });
  const market = emptyMarket();
  addFile(market, {
    schema: "market/1",
    chainId: 1,
    block: 1,
    timestamp: 1,
    native,
    usd: {},
    tokens: [native, coin, whole].map((token) => ({ address: token, symbol: "T", decimals: 18 })),
    pools: [
      pool(0, [native, coin], ["1000000000000000000000", "1000000000000000000000"]),
      pool(1, [native, whole], ["1000000000000000000000", "7"]),
    ],
  });
  const orders = makeOrders(makeBoard(market), { count: 100, seed: 1 });
  expect(orders.length).toBeGreaterThan(2);
  const { engine } = buildEngine(market);
  const options = { gasGwei: 0, maxLegs: 0, budgetMs: 1e9 };
  for (const order of orders) expect(runOrder(engine, market, order, options).error).toBeUndefined();
});
