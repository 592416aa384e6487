import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grossGain, netGain } from "../selection.ts";
import { displaced } from "./displaced.ts";

const LEAST_GAS = 60_000;
const earner = fc.record({
  earned: fc.integer({ min: 0, max: 6 * LEAST_GAS }),
  cost: fc.integer({ min: LEAST_GAS, max: 5 * LEAST_GAS }),
});
const market = fc.record({
  earners: fc.array(earner, { minLength: 3, maxLength: 20 }),
  /** Of the cheapest pools that may come on top, the shares of what each may earn. */
  more: fc.array(fc.constantFrom(0.5, 1, 1, 1), { maxLength: 20 }),
  most: fc.integer({ min: 1, max: 16 }),
  perGas: fc.constantFrom(0, 0.3, 1),
});

describe("what further pools may earn without a change to the bounds", () => {
  test("as many as there are, each earning no more, leave both bounds as they are", () => {
    let least = 0;
    fc.assert(
      fc.property(market, ({ earners, more, most, perGas }) => {
        const each = displaced(earners, { most, perGas, leastGas: LEAST_GAS });
        if (each > 0) least++;
        const others = more.map((share) => ({ earned: share * each, cost: LEAST_GAS }));
        const bounds = (list: typeof earners) => {
          const costed = list.map(({ earned, cost }) => ({ earned, cost: cost * perGas }));
          return { gross: grossGain(list, most), ...netGain(costed, most) };
        };
        const before = bounds(earners);
        const after = bounds([...earners, ...others]);
        expect(after.gross).toBeLessThanOrEqual(before.gross * (1 + 1e-12));
        expect(after.gain).toBeLessThanOrEqual(before.gain + 1e-12 * Math.max(before.gross, LEAST_GAS));
        expect(after.shadow).toBe(before.shadow);
      }),
      { numRuns: 2000 },
    );
    expect(least).toBeGreaterThan(200);
  });

  test("where all count, or fewer are known than count, none may earn", () => {
    const one = { earned: 5, cost: LEAST_GAS };
    expect(displaced([one, one], { most: 0, perGas: 0, leastGas: LEAST_GAS })).toBe(0);
    expect(displaced([one, one], { most: 3, perGas: 0, leastGas: LEAST_GAS })).toBe(0);
    expect(displaced([one, one, one, one], { most: 3, perGas: 0, leastGas: LEAST_GAS })).toBe(5);
  });
});
