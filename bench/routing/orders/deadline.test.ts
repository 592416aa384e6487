import { expect, test } from "vitest";
import type { Order } from "../market/schema.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { requestOf } from "./run.ts";

/**
 * An order may still lose a little where the time ends between a bound and the choice that it is for; more where a hasty choice of
 * few legs starts from flows that are no solution yet.
 */
const LOST = { free: 0.995, capped: 0.97 };

test.each([
  [1, 0],
  [2, 0],
  [3, 0],
  [1, 5],
])(
  "more time never pays less, wherever it ends: market %i, at most %i legs (0: no limit)",
  (seed, maxLegs) => {
    const { engine, market, orders } = smallMarket(seed);
    const sell = (order: Order, looksAtClock: number) => {
      let looks = 0;
      const options = { gasGwei: 0, maxLegs, budgetMs: looksAtClock };
      const found = engine.find({ ...requestOf(market, order, options), now: () => looks++ });
      return { looks, paid: found.kind === "found" ? Number(found.route.amountOut) : 0 };
    };
    for (const order of orders) {
      const { looks } = sell(order, 1e9);
      let most = 0;
      for (let end = 0; end <= looks; end += maxLegs === 0 ? 1 : 3) {
        const { paid } = sell(order, end);
        expect(paid).toBeGreaterThan((maxLegs === 0 ? LOST.free : LOST.capped) * most);
        most = Math.max(most, paid);
      }
      expect(most).toBeGreaterThan(0);
    }
  },
);
