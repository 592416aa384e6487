import { expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { ask, constantProduct, fixtureRegistry, market, token, WRAPPED } from "./market.fixture.ts";

/** Pays up to a unit more than its curve, as designs do that round the fee of what they pay down. */
const generous: Protocol = {
  ...(constantProduct as Protocol),
  name: "generous",
  quote: (...asked) => {
    const fill = (constantProduct as Protocol).quote(...asked);
    return fill && { ...fill, amountOut: fill.amountOut + 1n };
  },
};
const [A, B] = [token(1), token(2)];

test("no purchase sells less than is stated where a unit bought is worth very many sold", () => {
  const registry = new Map([...fixtureRegistry, [generous.name, generous]]);
  const { engine } = market(
    [
      { tokens: [A, B], reserves: [10n ** 24n, 10n ** 12n], protocol: generous.name },
      { tokens: [WRAPPED, B], reserves: [10n ** 24n, 10n ** 12n] },
    ],
    registry,
  );
  for (const gasPriceWei of [undefined, 1n])
    for (const wanted of [1n, 2n, 7n, 1_000n, 123_457n, 98_765_432n]) {
      const found = engine.find(ask(A, B, wanted, { side: "out", gasPriceWei }));
      if (found.kind === "missing" || found.optimality.upperBound === null) throw new Error("not proved");
      expect(found.optimality.lowerBound! <= found.route.amountIn).toBe(true);
    }
});
