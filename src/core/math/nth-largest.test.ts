import fc from "fast-check";
import { expect, test } from "vitest";
import { barOf } from "./nth-largest.ts";

test("the bar is what the wanted number of candidates reach, as sorting all of them says", () => {
  const anyRanks = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(
      anyRanks,
      fc.integer({ min: 1, max: 12 }),
      fc.double({ noNaN: true }),
      (ranks, most, least) => {
        const good = ranks.filter((rank) => rank > least).sort((a, b) => b - a);
        const before = Float64Array.from(ranks);
        const bar = barOf(before, most, least);
        expect(bar === (good.length <= most ? least : good[most - 1])).toBe(true);
        expect([...before]).toEqual([...Float64Array.from(ranks)]);
      },
    ),
    { numRuns: 500 },
  );
});
