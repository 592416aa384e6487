import { describe, expect, test } from "vitest";
import type { State } from "../../../src/protocols/curve-stable/state.ts";
import { hasFormulas } from "../orders/directions.ts";
import { buildEngine, runOrder } from "../orders/run.ts";
import { addFile, emptyMarket } from "./market.ts";
import { seededMarket } from "./seeded.ts";

const SIZE = { tokens: 60, pools: 240, orders: 20 };
const CURVE = 40;
const FREE = { gasGwei: 0, maxLegs: 16, budgetMs: 10_000 };

describe.each([1, 2, 3, Math.floor(Math.random() * 2 ** 32)])("Curve pools of seed %i", (seed) => {
  const { file, orders } = seededMarket(seed, { ...SIZE, curve: CURVE });
  const market = emptyMarket();
  addFile(market, file);

  test("come on top: the other pools and the orders are those of the market without", () => {
    const without = seededMarket(seed, SIZE);
    expect(file.pools.slice(0, SIZE.pools)).toEqual(without.file.pools);
    expect(file.tokens.slice(0, SIZE.tokens)).toEqual(without.file.tokens);
    expect(orders).toEqual(without.orders);
    expect(file.pools).toHaveLength(SIZE.pools + CURVE);
  });

  test("are base pools, metapools over them, and pools with dynamic fees, of which the bench has no formulas", () => {
    expect(market.ignored).toBe(0);
    const own = market.pools.slice(SIZE.pools);
    const states = own.map(({ id }) => market.states.get(id) as State);
    expect(own.filter(({ stateIds }) => stateIds.length > 1)).toHaveLength(CURVE / 2);
    for (const { stateIds } of own) for (const id of stateIds) expect(market.states.has(id)).toBe(true);
    expect(states.filter(({ offpegFeeMultiplier }) => offpegFeeMultiplier > 0n)).toHaveLength(CURVE / 4);
    expect(hasFormulas(market)).toBe(false);
    expect(hasFormulas({ ...market, pools: market.pools.slice(0, SIZE.pools) })).toBe(true);
  });

  test("no cycle of pools pays, and every order has a bound", () => {
    const { engine } = buildEngine(market);
    for (const order of orders) {
      const { bound, arbitrageWei } = runOrder(engine, market, order, FREE);
      expect(bound).toBeTruthy();
      expect(Number(arbitrageWei)).toBeLessThan(1e15);
    }
  });
});
