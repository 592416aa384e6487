import { expect, test } from "vitest";
import { makeBoard } from "./board.ts";
import { addFile, emptyMarket } from "./market.ts";
import { buildEngine, runOrder } from "./run.ts";
import { verify } from "./verify.ts";

const coin = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;
const COINS = [coin(1), coin(2), coin(3), coin(4)];
const RATES = ["1000000000000000000000000000000", "1000000000000000000000000000000"];

function pool(n: number, amp: string, balances: readonly string[]) {
  const rates = [...RATES, "1000000000000000000", "1000000000000000000"];
  return {
    protocol: "curve-stable-plain",
    address: coin(100 + n),
    tokens: COINS,
    state: {
      balances,
      rates,
      amp,
      aPrecision: "100",
      fee: "10000000",
      adminFee: "5000000000",
      execFee: "afterRate",
    },
  };
}

test("a route that crosses pools again, and is paid of the fees that it left there, has a bound", () => {
  const market = emptyMarket();
  addFile(market, {
    schema: "market/1",
    chainId: 1,
    block: 1,
    timestamp: 1,
    native: COINS[3]!,
    usd: {},
    tokens: COINS.map((address, k) => ({ address, symbol: "T", decimals: k < 2 ? 6 : 18 })),
    pools: [
      pool(0, "50000", ["21628271320", "21769379107", "20370818050936855855104", "21131191371882748182528"]),
      pool(1, "10000", ["31569716328", "31486447184", "31659889813750573694976", "31715337175513448841216"]),
    ],
  });
  const { engine } = buildEngine(market);
  const order = { tokenIn: COINS[1]!, tokenOut: COINS[3]!, amountIn: "40000000000" };
  const result = runOrder(engine, market, order, { gasGwei: 0, maxLegs: 0, budgetMs: 1e9 });
  expect(new Set(result.route?.map((leg) => leg.pool)).size).toBeLessThan(result.route?.length ?? 0);
  expect(result.ratio).toBeGreaterThan(0.99999);
  expect(verify(makeBoard(market), [result], 0).faults).toEqual([]);
});
