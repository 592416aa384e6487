import { expect, test } from "vitest";
import type { Protocol } from "../../protocol.ts";
import { ask, fixtureRegistry, market, token, WRAPPED, wrapper } from "../market.fixture.ts";

const [A, B] = [token(1), token(2)];
const UNIT = 10n ** 18n;

/** A wrapper that pays five millionths more than one for one, and takes as much more on the way back: less than counts as a gain. */
const generous: Protocol = {
  ...wrapper,
  name: "generous",
  quote: (...asked) => {
    const fill = wrapper.quote(...asked);
    const [, , i] = asked;
    const [paid, sold] = i === 0 ? [1_000_005n, 1_000_000n] : [1_000_000n, 1_000_005n];
    return fill && { ...fill, amountOut: (fill.amountIn * paid) / sold };
  },
  quoteFloat: (_mirror, i, _j, x) => x * rateFrom(i),
  curve: (_mirror, i) => ({ x: [0], y: [0], m: [rateFrom(i)], c: [0], end: Infinity }),
} as Protocol;
const rateFrom = (i: number) => (i === 0 ? 1.000005 : 1 / 1.000005);

test("no route sells less than is stated where constant prices differ by less than counts as a gain", () => {
  const registry = new Map([...fixtureRegistry, [generous.name, generous]]);
  const same = [wrapper, generous].map(({ name }) => ({ tokens: [A, B], reserves: [], protocol: name }));
  const { engine } = market([...same, { tokens: [WRAPPED, A], reserves: [UNIT, UNIT] }], registry);
  for (const [sold, bought] of [
    [A, B],
    [B, A],
  ] as const)
    for (const maxLegs of [0, 1, 16]) {
      const found = engine.find(ask(sold, bought, UNIT, { side: "out", maxLegs }));
      if (found.kind === "missing" || found.optimality.upperBound === null) throw new Error("not proved");
      expect(found.optimality.lowerBound! <= found.route.amountIn).toBe(true);
    }
});
