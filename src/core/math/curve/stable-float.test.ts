import fc from "fast-check";
import { expect, test } from "vitest";
import { invariantOf } from "../balancer/balancer-stable-math.ts";
import { changeOfBalance, changeOfD, fallOf, stableFloat } from "./stable-float.ts";

const pools = fc
  .record({
    whole: fc.array(fc.integer({ min: 1000, max: 100_000 }), { minLength: 2, maxLength: 5 }),
    amp: fc.integer({ min: 1, max: 5000 }),
  })
  .map(({ whole, amp }) => {
    const balances = whole.map((count) => BigInt(count) * 10n ** 18n);
    const d = invariantOf(balances, BigInt(amp) * 1000n, "down")!;
    return {
      balances,
      amp: BigInt(amp) * 1000n,
      d,
      pool: stableFloat(balances, Number(d), amp * balances.length),
    };
  });

/** Compares up to a relative error and the exact side's rounding of its last units. */
const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.abs(b) + 10);

test("D rises as the exact invariant does", () => {
  fc.assert(
    fc.property(pools, fc.integer({ min: 1, max: 50_000_000 }), ({ balances, amp, d, pool }, millis) => {
      const added = BigInt(millis) * 10n ** 15n;
      const after = invariantOf([balances[0]! + added, ...balances.slice(1)], amp, "down");
      if (after !== undefined) near(changeOfD(pool, 0, Number(added)), Number(after - d));
    }),
  );
});

test("a balance that gives a change of D is undone by it", () => {
  fc.assert(
    fc.property(pools, fc.double({ min: 1e-12, max: 5, noNaN: true }), ({ pool }, part) => {
      const h = part * pool.x[0]!;
      near(changeOfBalance(pool, 0, changeOfD(pool, 0, h)), h);
    }),
  );
});

test("what is bought changes D back", () => {
  fc.assert(
    fc.property(
      pools,
      fc.double({ min: 1e-9, max: 0.5, noNaN: true }),
      ({ balances, amp, d, pool }, part) => {
        const h = BigInt(Math.floor(part * pool.x[0]!));
        const fall = BigInt(Math.floor(fallOf(pool, 0, 1, Number(h))));
        const after = [balances[0]! + h, balances[1]! - fall, ...balances.slice(2)];
        const gap = Number((invariantOf(after, amp, "down") ?? d) - d);
        expect(Math.abs(gap)).toBeLessThanOrEqual(Number(d) * 1e-12);
      },
    ),
  );
});
