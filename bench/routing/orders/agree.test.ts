import { describe, expect, test } from "vitest";
import type { RouteFound } from "../../../src/core/routing/types.ts";
import { smallMarket } from "../small-market.fixture.ts";

/** Basis points by which what is sold again may pay less than was bought, and half of an order less than half of what it pays. */
const AGAIN = 0.1;
const HALF = 0.5;
const MOST_LEGS = 16;

const shortBp = (paid: bigint, wanted: bigint) => (Number(wanted - paid) / Number(wanted)) * 1e4;

describe.each([1, 2, 3, 4])("in the market of seed %i, gas free", (seed) => {
  const { engine, market, orders } = smallMarket(seed);
  const found = (side: "in" | "out", { tokenIn, tokenOut }: (typeof orders)[number], amount: bigint) => {
    const limits = { maxHops: 4, maxLegs: MOST_LEGS, timeoutMs: 1e9, now: () => 0, allows: () => true };
    const request = { tokenIn, tokenOut, amount, side, at: market.at, gasPriceWei: undefined, ...limits };
    const result = engine.find(request);
    return result.kind === "found" ? (result satisfies RouteFound).route : undefined;
  };
  const sold = orders.flatMap((order) => {
    const route = found("in", order, BigInt(order.amountIn));
    return route === undefined ? [] : [{ order, route }];
  });

  test("what an amount is bought for pays that amount when it is sold, and no more than a sale that pays as much", () => {
    expect(sold.length).toBeGreaterThan(15);
    for (const { order, route } of sold) {
      const bought = found("out", order, route.amountOut)!;
      const again = found("in", order, bought.amountIn)!;
      expect(shortBp(again.amountOut, route.amountOut)).toBeLessThan(AGAIN);
      expect(shortBp(route.amountIn, bought.amountIn)).toBeLessThan(AGAIN);
    }
  });

  test("less never costs more, and half of an order pays no less than half", () => {
    for (const { order, route } of sold) {
      const [all, less] = [route.amountOut, (route.amountOut * 9n) / 10n].map(
        (amount) => found("out", order, amount)!.amountIn,
      );
      expect(less).toBeLessThanOrEqual(all!);
      const half = found("in", order, route.amountIn / 2n);
      if (half !== undefined) expect(shortBp(half.amountOut, route.amountOut / 2n)).toBeLessThan(HALF);
    }
  });
});
