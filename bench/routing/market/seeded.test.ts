import { expect, test } from "vitest";
import { smallMarket } from "../small-market.fixture.ts";
import { seededMarket } from "./seeded.ts";

/** Best marginal rate from each token to each. */
function bestRates(seed: number): { size: number; rate: (a: number, b: number) => number } {
  const { board } = smallMarket(seed);
  const size = board.tokens.length;
  const best = new Float64Array(size * size);
  for (const { tail, head, direction } of board.edges) {
    best[tail * size + head] = Math.max(best[tail * size + head]!, direction.spot);
  }
  return { size, rate: (a, b) => best[a * size + b]! };
}

test.each([1, 2, 3])("no cycle of two or three pools pays, seed %i", (seed) => {
  const { size, rate } = bestRates(seed);
  let most = 0;
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      most = Math.max(most, rate(a, b) * rate(b, a));
      for (let c = 0; c < size; c++) most = Math.max(most, rate(a, b) * rate(b, c) * rate(c, a));
    }
  }
  expect(most).toBeLessThanOrEqual(1);
  expect(most).toBeGreaterThan(0.99);
});

test("the seed decides the market and its orders", () => {
  const size = { tokens: 40, pools: 160, orders: 30 };
  expect(seededMarket(7, size)).toEqual(seededMarket(7, size));
  expect(seededMarket(8, size)).not.toEqual(seededMarket(7, size));
});

test("orders are of distinct pairs and worth 50 USD at least", () => {
  const { file, orders } = seededMarket(3, { tokens: 50, pools: 200, orders: 500 });
  const decimals = new Map(file.tokens.map((token) => [token.address, token.decimals]));
  expect(orders.length).toBe(500);
  expect(new Set(orders.map(({ tokenIn, tokenOut }) => tokenIn + tokenOut)).size).toBe(500);
  for (const { tokenIn, amountIn } of orders) {
    const usd = (Number(amountIn) / 10 ** decimals.get(tokenIn)!) * file.usd[tokenIn]!;
    expect(usd).toBeGreaterThan(49.9);
  }
});

test("all four designs are in a market, and every design's pools can be read", () => {
  const { market, file } = smallMarket(1);
  expect(new Set(file.pools.map(({ protocol }) => protocol)).size).toBe(4);
  expect(market.pools.length).toBe(file.pools.length);
  expect(market.ignored).toBe(0);
});
