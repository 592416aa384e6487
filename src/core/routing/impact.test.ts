import { expect, test } from "vitest";
import { ask, market, type PairSpec, token } from "./market.fixture.ts";

const E18 = 10n ** 18n;
/** A deep path with a worse spot rate, a shallow pool with a better one, and a dust pool with the best. */
const SPECS: readonly PairSpec[] = [
  { tokens: [token(1), token(2)], reserves: [1000n * E18, 2000n * E18] },
  { tokens: [token(1), token(0)], reserves: [100_000n * E18, 100_000n * E18] },
  { tokens: [token(0), token(2)], reserves: [100_000n * E18, 199_000n * E18] },
  { tokens: [token(1), token(2)], reserves: [10n ** 13n, 9n * 10n ** 13n] },
];
const { engine } = market(SPECS);

/** The rate that impact is measured against, and how much worse the order does, as a share. */
function impactOf(amount: bigint) {
  const found = engine.find(ask(token(1), token(2), amount));
  if (found.kind === "missing") throw new Error(found.reason);
  const paid = Number(found.route.amountOut) / Number(amount);
  return { spot: found.spotPrice, impact: 1 - paid / found.spotPrice };
}

test("the reference rate of price impact is that of the best path without dust, for every size", () => {
  for (const amount of [E18 / 100n, E18, 1000n * E18, 50_000n * E18])
    expect(impactOf(amount).spot).toBeCloseTo(1.994, 9);
});

test("impact grows with the order", () => {
  let before = -1;
  for (let amount = E18 / 10n; amount < 100_000n * E18; amount *= 4n) {
    const { impact } = impactOf(amount);
    expect(impact).toBeGreaterThan(before);
    before = impact;
  }
  expect(before).toBeGreaterThan(0.2);
});
