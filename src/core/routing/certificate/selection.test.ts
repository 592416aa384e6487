import fc from "fast-check";
import { expect, test } from "vitest";
import { type Earner, netGain } from "./selection.ts";

const LEAST = 10;
/** `ends`: bit 0 where a group trades the token sold, bit 1 where it trades the token bought. */
const group = fc.record({
  earned: fc.integer({ min: 0, max: 40 }),
  cost: fc.integer({ min: LEAST, max: 60 }),
  ends: fc.integer({ min: 0, max: 3 }),
});
type Group = Earner & { readonly ends: number };

const scene = fc.record({
  groups: fc.array(group, { maxLength: 6 }),
  most: fc.integer({ min: 2, max: 5 }),
  fewest: fc.integer({ min: 1, max: 3 }),
  /**
   * By end, the cost of its cheapest crossing less that of the cheapest of all, unless a group of the end is cheaper.
   */
  above: fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })),
});

function leastAt(
  { groups, above }: { groups: Group[]; above: readonly [number, number] },
  end: number,
): number {
  const costs = groups.filter(({ ends }) => (ends & (1 << end)) !== 0).map(({ cost }) => cost);
  return Math.min(LEAST + above[end]!, ...costs);
}

/**
 * The best net gain by enumeration of all sets of groups, completed by crossings that gain nothing for ends and
 * distance.
 */
function bestRoute(
  all: { groups: Group[]; above: readonly [number, number] },
  fewest: number,
  most: number,
): number {
  const { groups } = all;
  let best = -Infinity;
  for (let set = 0; set < 1 << groups.length; set++) {
    const taken = groups.filter((_, k) => (set & (1 << k)) !== 0);
    const sum = taken.reduce((gains, { earned, cost }) => gains + earned - cost, 0);
    const missing = [0, 1].filter((end) => !taken.some(({ ends }) => (ends & (1 << end)) !== 0));
    // At a distance of 1 one crossing may serve both ends; at 2 or more none does.
    const both = taken.filter(({ ends }) => ends !== 0).length + missing.length;
    const idle = missing.map((end) => leastAt(all, end));
    const costs = fewest === 1 && idle.length === 2 ? [Math.max(...idle)] : idle;
    const twice = fewest > 1 && both < 2 ? [Math.min(leastAt(all, 0), leastAt(all, 1))] : [];
    const crossed = taken.length + costs.length + twice.length;
    const filled = Math.max(0, fewest - crossed);
    if (crossed + filled > most) continue;
    const spent = [...costs, ...twice].reduce((a, b) => a + b, 0) + filled * LEAST;
    best = Math.max(best, sum - spent);
  }
  return best;
}

test("no set of crossings that reaches both ends gains more after its costs than the bound", () => {
  let tight = 0;
  fc.assert(
    fc.property(scene, ({ groups, most, fewest, above }) => {
      const ends = [0, 1].map((end) => ({
        leastCost: leastAt({ groups, above }, end),
        isAt: (place: number) => (groups[place]!.ends & (1 << end)) !== 0,
      }));
      const bound = netGain(groups, { fewest, most, leastCost: LEAST, ends });
      const best = bestRoute({ groups, above }, fewest, most);
      expect(bound).toBeGreaterThanOrEqual(best - 1e-9);
      expect(bound).toBeLessThanOrEqual(netGain(groups, { fewest, most, leastCost: LEAST }) + 1e-9);
      if (Math.abs(bound - best) < 1e-9) tight++;
    }),
    { numRuns: 3000 },
  );
  expect(tight).toBeGreaterThan(1500);
});

test("an end whose only pool is expensive costs that pool's gas, although other pools are cheaper", () => {
  const lengths = { fewest: 2, most: 16, leastCost: 10 };
  const ends = [
    { leastCost: 10, isAt: () => false },
    { leastCost: 45, isAt: () => false },
  ];
  expect(netGain([], lengths)).toBe(-20);
  expect(netGain([], { ...lengths, ends })).toBe(-55);
  expect(netGain([], { ...lengths, fewest: 1, ends })).toBe(-45);
});
