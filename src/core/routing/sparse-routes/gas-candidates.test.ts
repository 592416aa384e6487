import { expect, test } from "vitest";
import type { Protocol, Registry } from "../../protocol.ts";
import {
  ask,
  constantProduct,
  fixtureRegistry,
  market,
  tickedProduct,
  token,
  WRAPPED,
} from "../market.fixture.ts";

/** A constant product with five times the gas. */
const dear: Protocol = {
  ...(constantProduct as Protocol),
  name: "dear",
  gas: () => 300_000,
  quote: (...asked) => {
    const fill = (constantProduct as Protocol).quote(...asked);
    return fill && { ...fill, gas: 300_000 };
  },
};
const registry: Registry = new Map([...fixtureRegistry, [dear.name, dear]]);
const GWEI = 10n ** 9n;
const DEEP = 10n ** 23n;

test("finds a pool of little gas among 120 pools that pay slightly more and take more gas", () => {
  const dearer = Array.from({ length: 120 }, () => ({
    tokens: [WRAPPED, token(2)],
    reserves: [DEEP, DEEP],
    protocol: dear.name,
  }));
  const cheap = { tokens: [WRAPPED, token(2)], reserves: [DEEP, (DEEP * 999n) / 1000n] };
  const { engine } = market([...dearer, cheap], registry);
  const request = ask(WRAPPED, token(2), 10n ** 18n, { maxLegs: 16, gasPriceWei: 100n * GWEI });
  const found = engine.find(request);
  expect(found.kind === "found" && found.route.steps.map(({ pool }) => pool.protocol)).toEqual([
    constantProduct.name,
  ]);
});

test("finds a path that crosses no ticks once the gas of a tick is learned", () => {
  const specs = [
    { tokens: [WRAPPED, token(2)], reserves: [DEEP, DEEP], protocol: tickedProduct.name },
    { tokens: [WRAPPED, token(3)], reserves: [DEEP, DEEP] },
    { tokens: [token(3), token(2)], reserves: [DEEP, DEEP] },
  ];
  const { engine } = market(specs, new Map([...fixtureRegistry, [tickedProduct.name, tickedProduct]]));
  const request = ask(WRAPPED, token(2), 10n ** 18n, { maxLegs: 16, gasPriceWei: 50n * GWEI });
  const found = engine.find(request);
  // Ten ticks cost two million units of gas, 0.1 coins; the path over token 3 loses 0.003 coins to its second fee.
  expect(found.kind === "found" && found.route.steps.map(({ pool }) => pool.protocol)).toEqual([
    constantProduct.name,
    constantProduct.name,
  ]);
});
