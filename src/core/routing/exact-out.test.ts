import { expect, test } from "vitest";
import { ask, token } from "./market.fixture.ts";
import { vaultMarket } from "./vaults.fixture.ts";

const E21 = 10n ** 21n;
const ROOM = 100n * E21;

/**
 * From token 1 to 3 without a fee up to `ROOM`, and on to 2: up to 40 % of that without a fee, the rest with slippage.
 */
const engine = vaultMarket(
  [
    { room: ROOM, feePpm: 0n, tokens: [token(1), token(3)] },
    { room: 40n * E21, feePpm: 0n, tokens: [token(3), token(2)] },
  ],
  [{ tokens: [token(3), token(2)], reserves: [500n * E21, 500n * E21] }],
);

function routeOf(side: "in" | "out", amount: bigint) {
  const found = engine.find(ask(token(1), token(2), amount, { side }));
  if (found.kind === "missing") throw new Error(found.reason);
  return found.route;
}

test.each([1n, 20n, 50n, 70n, 90n, 99n])(
  "the output of a sale of %i % of the room can be bought for the amount sold",
  (percent) => {
    const amount = (ROOM * percent) / 100n;
    const { amountOut } = routeOf("in", amount);
    const bought = routeOf("out", amountOut);
    expect(bought.amountOut).toBeGreaterThanOrEqual(amountOut);
    expect(Number(bought.amountIn) / Number(amount)).toBeLessThan(1 + 1e-8);
    const sold = routeOf("in", bought.amountIn);
    expect(Number(sold.amountOut) / Number(amountOut)).toBeGreaterThan(1 - 1e-6);
  },
);
