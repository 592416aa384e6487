import { expect, test } from "vitest";
import { ask, market, token, WRAPPED, wrapper } from "../market.fixture.ts";

const ORDER = 10n ** 21n;
const DUST = ORDER / 1_000n;
const DEEP = 10_000n * ORDER;

test("an order over more pools than all rounds admit has a bound too", () => {
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

test("an order through a pool of constant price and unlimited size closes its gap", () => {
  const { engine } = market([
    { tokens: [WRAPPED, token(1)], reserves: [DEEP, DEEP] },
    { tokens: [WRAPPED, token(1)], reserves: [DEEP / 3n, DEEP / 3n] },
    { tokens: [token(1), token(2)], reserves: [0n, 0n], protocol: wrapper.name },
    { tokens: [WRAPPED, token(3)], reserves: [DEEP / 2n, DEEP / 2n] },
    { tokens: [token(3), token(1)], reserves: [DEEP / 2n, DEEP / 2n] },
    { tokens: [token(3), token(2)], reserves: [DEEP / 5n, DEEP / 5n] },
  ]);
  let orders = 0;
  for (const from of [WRAPPED, token(1), token(2), token(3)])
    for (const to of [WRAPPED, token(1), token(2), token(3)])
      for (const amount of [ORDER / 1_000n, ORDER, 1_000n * ORDER]) {
        if (from === to) continue;
        expect(engine.find(ask(from, to, amount)).kind).toBe("found");
        orders++;
      }
  const { searches, notConverged } = engine.counters();
  expect(searches).toBeGreaterThanOrEqual(orders);
  expect(notConverged).toBe(0);
});
