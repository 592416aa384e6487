import { expect, test } from "vitest";
import { ask, market, token, WRAPPED } from "../market.fixture.ts";

const ORDER = 10n ** 21n;
const DUST = ORDER / 1_000n;
const DEEP = 10_000n * ORDER;

test("an order over more pools than the rounds let in has a bound all the same", () => {
  const dust = Array.from({ length: 7_500 }, (_, k) => ({
    tokens: [token(1), token(2)],
    reserves: [DUST, DUST - (DUST * BigInt(k)) / 2_000_000n],
  }));
  const deep = [
    { tokens: [WRAPPED, token(1)], reserves: [DEEP, DEEP] },
    { tokens: [token(1), token(2)], reserves: [DEEP, (DEEP * 99n) / 100n] },
  ];
  const found = market([...dust, ...deep]).engine.find(ask(token(1), token(2), ORDER));
  if (found.kind === "missing") throw new Error(found.reason);
  const { upperBound } = found.optimality;
  expect(upperBound).not.toBeNull();
  expect(Number(found.route.amountOut) / Number(upperBound)).toBeGreaterThan(0.9999);
});
