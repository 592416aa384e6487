import { expect, test } from "vitest";
import { ask, market, token, WRAPPED } from "./market.fixture.ts";

const [A, B] = [token(1), token(2)];
const DEPTH = 10n ** 24n;

test.each([1n, 1_000_000_000n])(
  "no net bound is above the bound on what is paid: gas at %d wei",
  (gasPriceWei) => {
    const { engine } = market([
      { tokens: [A, B], reserves: [DEPTH, DEPTH] },
      { tokens: [A, WRAPPED], reserves: [DEPTH, 2n * DEPTH] },
      { tokens: [WRAPPED, B], reserves: [DEPTH, DEPTH] },
    ]);
    for (let amount = 10n ** 15n; amount < DEPTH; amount *= 100n)
      for (const maxLegs of [0, 1, 2, 3, 16]) {
        const found = engine.find(ask(A, B, amount, { gasPriceWei, maxLegs }));
        if (found.kind === "missing" || found.optimality.upperBound === null) throw new Error("not proved");
        const { upperBound, upperBoundNet } = found.optimality;
        expect(upperBoundNet <= upperBound).toBe(true);
      }
  },
);
