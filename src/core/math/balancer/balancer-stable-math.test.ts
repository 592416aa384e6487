import fc from "fast-check";
import { expect, test } from "vitest";
import { divideUp } from "../fixed-point.ts";
import { balanceFor, invariantOf, type StablePool } from "./balancer-stable-math.ts";

const limits = { numRuns: 500 };

/** The iteration of Vault v2, from the contract's start. */
function fromTheContractsStart(j: number, { balances, d, amp }: StablePool): bigint {
  const n = BigInt(balances.length);
  const ann = amp * n;
  const sum = balances.reduce((all, balance) => all + balance, 0n) - balances[j]!;
  const product = balances.reduce((all, balance, k) => (k === 0 ? balance * n : (all * balance * n) / d), 0n);
  const c = divideUp(d * d, ann * product) * 1000n * balances[j]!;
  const b = sum + (d / ann) * 1000n;
  let y = divideUp(d * d + c, d + b);
  for (;;) {
    const before = y;
    y = divideUp(y * y + c, 2n * y + b - d);
    if (y - before <= 1n && before - y <= 1n) return y;
  }
}

const pools = fc.record({
  balances: fc.array(fc.bigInt({ min: 10n ** 20n, max: 10n ** 26n }), { minLength: 2, maxLength: 5 }),
  amp: fc.integer({ min: 1, max: 5000 }).map((amp) => BigInt(amp) * 1000n),
  sold: fc.bigInt({ min: 1n, max: 10n ** 25n }),
});

test("a start from doubles ends on the contract's integer", () => {
  fc.assert(
    fc.property(pools, ({ balances, amp, sold }) => {
      const d = invariantOf(balances, amp, "down");
      if (d === undefined) return;
      const after = { balances: [balances[0]! + sold, ...balances.slice(1)], d, amp };
      expect(balanceFor(1, after)).toBe(fromTheContractsStart(1, after));
    }),
    limits,
  );
});
