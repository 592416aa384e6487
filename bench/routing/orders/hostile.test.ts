import { expect, test } from "vitest";
import { addFile, emptyMarket } from "../market/market.ts";
import { seededMarket } from "../market/seeded.ts";
import { verify } from "../proof/verify.ts";
import { free } from "../small-market.fixture.ts";
import { makeBoard } from "./board.ts";
import { measurePatches } from "./patching.ts";
import { buildEngine, runOrder } from "./run.ts";

/** A seeded market in which every third pool is emptied, one-sided or out of all proportion. */
function hostileMarket() {
  const { file, orders } = seededMarket(9, { tokens: 40, pools: 160, orders: 12 });
  const bend = (state: Readonly<Record<string, unknown>>, n: number) => {
    const to = ["0", "1", String(2n ** 111n)][n % 3]!;
    const spoil = (list: unknown) => (list as string[]).map((amount, k) => (k === n % 2 ? to : amount));
    if (state.reserves !== undefined) return { ...state, reserves: spoil(state.reserves) };
    if (state.balances !== undefined) return { ...state, balances: spoil(state.balances) };
    return { ...state, liquidity: to, ...(n % 2 === 0 && { sqrtPriceX96: to }) };
  };
  const pools = file.pools.map((pool, n) =>
    n % 3 === 0 ? { ...pool, state: bend(pool.state, n / 3) } : pool,
  );
  const market = emptyMarket();
  addFile(market, { ...file, pools });
  return { market, orders };
}

test("on a hostile market every order is answered or refused, and what is answered adds up", () => {
  const { market, orders } = hostileMarket();
  const { engine } = buildEngine(market);
  const huge = orders.map((order, k) => ({ ...order, amountIn: k % 2 === 0 ? "1" : String(2n ** 255n) }));
  const options = { ...free, budgetMs: 200, wantsPrices: true };
  const results = [...orders, ...huge].map((order) => runOrder(engine, market, order, options));
  const wrong = verify(makeBoard(market), results, 0).faults.filter(({ what }) => !what.includes("bound"));
  expect(wrong).toEqual([]);
  expect(results.some(({ error }) => error === undefined)).toBe(true);
  expect(measurePatches(engine, market).patchMs).toBeGreaterThan(0);
});
