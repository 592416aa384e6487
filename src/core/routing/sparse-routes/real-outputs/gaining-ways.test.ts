import { describe, expect, test } from "vitest";
import { findRoute } from "../../engine.ts";
import { ask, graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { emptyWorkspace } from "../../workspace.ts";

const E18 = 10n ** 18n;
const deep = (a: string, b: string): PairSpec => ({
  tokens: [a, b] as never,
  reserves: [10_000n * E18, 10_000n * E18],
});

/**
 * Deep pools of consistent prices; `DUST` are two consecutive shallow pools, from token 3 over 4 to 5, that each pay a
 * fifth too much.
 */
const DEEP = [
  deep(token(1), WRAPPED),
  deep(WRAPPED, token(2)),
  ...[3, 4, 5].map((n) => deep(WRAPPED, token(n))),
];
const FROM_SOLD = [deep(token(1), token(3)), deep(token(5), token(2))];
const DUST = [
  [3, 4],
  [4, 5],
].map(([a, b]): PairSpec => ({ tokens: [token(a!), token(b!)], reserves: [(10n * E18) / 12n, E18] }));

const AMOUNT = E18 / 10n;

function found(specs: readonly PairSpec[], more: Parameters<typeof ask>[3] = {}) {
  const result = findRoute(graphOf(specs), emptyWorkspace(), ask(token(1), token(2), AMOUNT, more));
  if (result.kind !== "found") throw new Error(result.reason);
  return result;
}

describe("shallow pools with arbitrage", () => {
  test("are used, several in a row, if that pays", () => {
    const without = found([...DEEP, ...FROM_SOLD]);
    const along = found([...DEEP, ...FROM_SOLD, ...DUST], { maxLegs: 16 });
    const crossed = along.route.steps.map(({ pool }) => pool.tokens.join());
    for (const { tokens } of DUST) expect(crossed).toContain(tokens.join());
    expect(Number(along.route.amountOut)).toBeGreaterThan(1.1 * Number(without.route.amountOut));
  });

  test("do not change the route if their gas costs more than they gain", () => {
    const dear = { maxLegs: 16, gasPriceWei: E18 / 1_000_000n };
    const without = found([...DEEP, ...FROM_SOLD], dear);
    const beside = found([...DEEP, ...FROM_SOLD, ...DUST], dear);
    expect(beside.route.amountOut).toBe(without.route.amountOut);
    expect(beside.route.steps.length).toBe(without.route.steps.length);
  });

  test("keep the bound at or above what is paid", () => {
    for (const gasPriceWei of [undefined, 10n ** 9n, 10n ** 12n]) {
      const { route, optimality } = found([...DEEP, ...FROM_SOLD, ...DUST], { maxLegs: 16, gasPriceWei });
      if (optimality.upperBound === null) throw new Error(optimality.reason);
      expect(optimality.upperBound).toBeGreaterThanOrEqual(route.amountOut);
    }
  });
});
