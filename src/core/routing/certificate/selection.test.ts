import fc from "fast-check";
import { expect, test } from "vitest";
import { grossGain, netGain } from "./selection.ts";

const group = fc.record({
  earned: fc.integer({ min: 0, max: 40 }),
  cost: fc.integer({ min: 10, max: 30 }),
});
const scene = fc.record({
  groups: fc.array(group, { maxLength: 7 }),
  most: fc.integer({ min: 1, max: 5 }),
});

test("no set of so many groups gains more than is said, and some set gains as much", () => {
  fc.assert(
    fc.property(scene, ({ groups, most }) => {
      let [gross, net] = [0, 0];
      for (let set = 0; set < 1 << groups.length; set++) {
        const taken = groups.filter((_, k) => (set & (1 << k)) !== 0);
        if (taken.length > most) continue;
        gross = Math.max(
          gross,
          taken.reduce((sum, { earned }) => sum + earned, 0),
        );
        net = Math.max(
          net,
          taken.reduce((sum, { earned, cost }) => sum + earned - cost, 0),
        );
      }
      expect(grossGain(groups, most)).toBe(gross);
      expect(netGain(groups, most).gain).toBe(net);
    }),
    { numRuns: 2000 },
  );
});

test("the shadow price is what the gain falls by per crossing that is taken away, as the formula of the bound says", () => {
  let scarce = 0;
  fc.assert(
    fc.property(scene, ({ groups, most }) => {
      const { gain, shadow } = netGain(groups, most);
      const beyond = groups.reduce((sum, { earned, cost }) => sum + Math.max(0, earned - cost - shadow), 0);
      expect(shadow * most + beyond).toBe(gain);
      expect(gain - netGain(groups, most - 1).gain).toBe(shadow);
      if (shadow > 0) scarce++;
    }),
    { numRuns: 2000 },
  );
  expect(scarce).toBeGreaterThan(300);
});

test("without a cap a crossing has no shadow price", () => {
  expect(netGain([{ earned: 50, cost: 10 }], Infinity)).toMatchObject({ gain: 40, shadow: 0 });
});
