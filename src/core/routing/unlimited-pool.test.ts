import { expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { ask, fixtureRegistry, market, type PairSpec, token, WRAPPED, wrapper } from "./market.fixture.ts";

const UNIT = 10n ** 18n;
const [B, C] = [token(1), token(2)];

/** A pool that exchanges any amount one to one, less a fee of 0.3 %. */
const tolled = {
  ...wrapper,
  name: "tolled",
  quote: (...asked) => {
    const fill = wrapper.quote(...asked);
    return fill && { ...fill, amountOut: (fill.amountIn * 997n) / 1000n };
  },
  quoteFloat: (_mirror, _i, _j, x) => 0.997 * x,
  curve: () => ({ x: [0], y: [0], m: [0.997], c: [0], end: Infinity }),
} as Protocol;

test.each([10n ** 6n, 10n ** 12n, UNIT])(
  "a pool of %s wei that is off by a tenth does not hide a pool of unlimited size",
  (dust) => {
    const specs: readonly PairSpec[] = [
      { tokens: [WRAPPED, B], reserves: [], protocol: tolled.name },
      { tokens: [WRAPPED, B], reserves: [dust, (dust * 9n) / 10n] },
      { tokens: [WRAPPED, C], reserves: [100n * UNIT, 100n * UNIT] },
      { tokens: [C, B], reserves: [100n * UNIT, 100n * UNIT] },
    ];
    const { engine } = market(specs, new Map([...fixtureRegistry, [tolled.name, tolled]]));
    for (const gasPriceWei of [undefined, 10n ** 9n]) {
      const found = engine.find(ask(WRAPPED, B, UNIT, { maxLegs: 16, gasPriceWei }));
      if (found.kind === "missing" || found.optimality.upperBound === null) throw new Error("not proved");
      expect(found.route.amountOut).toBe((UNIT * 997n) / 1000n);
      expect(found.optimality.arbitrageShare).toBeLessThan(1);
    }
    expect(engine.counters().boundsViolated).toBe(0);
  },
);
