import { expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { ask, constantProduct, expectBalanced, fixtureRegistry, market, token } from "./market.fixture.ts";

const [A, B, C] = [token(1), token(2), token(3)];
const DEPTH = 10n ** 18n;
const LEAST = 1_000_000n;

/** A constant product that takes no fewer than a million units. */
const coarse: Protocol = {
  ...(constantProduct as Protocol),
  name: "coarse",
  quote: (...asked) => {
    const fill = (constantProduct as Protocol).quote(...asked);
    return fill !== undefined && fill.amountIn >= LEAST ? fill : undefined;
  },
};
const registry = new Map([...fixtureRegistry, [coarse.name, coarse]]);

const plain = { tokens: [A, B], reserves: [DEPTH, DEPTH] };
const better = { protocol: coarse.name, reserves: [DEPTH, 2n * DEPTH] };

test.each([
  ["beside the other", [{ ...better, tokens: [A, B] }]],
  [
    "on a longer path",
    [
      { ...better, tokens: [A, C] },
      { ...better, tokens: [C, B] },
    ],
  ],
])("a pool of the best price that takes no small amounts hides no other pool: %s", (_, coarser) => {
  const { engine } = market([...coarser, plain], registry);
  for (const gasPriceWei of [undefined, 1n])
    for (const maxLegs of [0, 1, 2, 16]) {
      const found = engine.find(ask(A, B, 1_000n, { maxLegs, gasPriceWei }));
      if (found.kind === "missing") throw new Error(found.reason);
      expectBalanced(found.route);
      expect(found.route.amountOut).toBe(996n);
      if (found.optimality.upperBound === null) throw new Error(found.optimality.reason);
      // The bound is that of all pools, since others of their amounts can be filled.
      if (maxLegs !== 1) expect(found.optimality.upperBound).toBeGreaterThan(1_900n);
    }
});
