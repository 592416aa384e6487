import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Amplification, ampAt, balanceFor, dynamicFee, invariant } from "./stable-math.ts";

/** Newton's method from D, as the contracts write it. */
function plainY(j: number, xp: readonly bigint[], d: bigint, { amp, precision }: Amplification) {
  const n = BigInt(xp.length);
  const ann = amp * n;
  let [c, sum] = [d, 0n];
  for (const [k, x] of xp.entries()) {
    if (k === j) continue;
    sum += x;
    c = (c * d) / (x * n);
  }
  c = (c * d * precision) / (ann * n);
  const b = sum + (d * precision) / ann;
  let y = d;
  for (let step = 0; step < 255; step++) {
    const before = y;
    y = (y * y + c) / (2n * y + b - d);
    if (y - before <= 1n && before - y <= 1n) return y;
  }
  return undefined;
}

const pools = fc.record({
  xp: fc.array(
    fc
      .integer({ min: 1, max: 92 })
      .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits - 1), max: 2n ** BigInt(bits) })),
    { minLength: 2, maxLength: 5 },
  ),
  amp: fc.integer({ min: 100, max: 1_000_000 }).map(BigInt),
  precision: fc.constantFrom(1n, 100n),
  moved: fc.integer({ min: 1, max: 1000 }),
});

describe("the balance that keeps D", () => {
  test("is the one that Newton's method finds from D, whatever it starts from here", () => {
    let seen = 0;
    fc.assert(
      fc.property(pools, ({ xp, amp, precision, moved }) => {
        const d = invariant(xp, { amp, precision }, "perCoin");
        if (d === undefined) return;
        const after = xp.slice();
        after[0] = (after[0]! * BigInt(1000 + moved)) / 1000n + 1n;
        for (let j = 0; j < xp.length; j++) {
          const y = balanceFor(j, after, d, { amp, precision });
          if (y === undefined) continue;
          seen++;
          expect(y).toBe(plainY(j, after, d, { amp, precision }));
        }
      }),
      { numRuns: 500 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  test("an empty balance beside it, and what a uint256 cannot hold, is a revert", () => {
    const a = { amp: 10_000n, precision: 100n };
    expect(balanceFor(0, [5n, 0n], 10n, a)).toBeUndefined();
    expect(balanceFor(0, [5n, 2n ** 200n], 2n ** 200n, a)).toBeUndefined();
  });
});

describe("D", () => {
  const a = { amp: 10_000n, precision: 100n };

  test.each(["perCoin", "perCoinPlusOne", "together"] as const)("equal balances add up: %s", (form) => {
    for (const n of [2, 3, 4, 8]) {
      const xp = Array.from({ length: n }, () => 10n ** 24n);
      const d = invariant(xp, a, form)!;
      expect(d >= BigInt(n) * 10n ** 24n - 2n && d <= BigInt(n) * 10n ** 24n + 2n).toBe(true);
    }
  });

  test("nothing in it is 0; one empty balance is a revert but where the contract adds a unit", () => {
    expect(invariant([0n, 0n], a, "perCoin")).toBe(0n);
    expect(invariant([0n, 10n ** 18n], a, "perCoin")).toBeUndefined();
    expect(invariant([0n, 10n ** 18n], a, "together")).toBeUndefined();
    expect(invariant([1n, 10n ** 18n], a, "perCoinPlusOne")).toBeDefined();
  });

  test("balances too far apart never settle, as on the chain", () => {
    const xp = [
      14581731602000000000000n,
      7584641092575167553n,
      297354791000000000000n,
      63473254000000000000n,
    ];
    expect(invariant(xp, { amp: 20_000n, precision: 100n }, "perCoin")).toBeUndefined();
  });

  test("overflow is a revert", () => {
    expect(invariant([2n ** 130n, 2n ** 130n], a, "perCoin")).toBeUndefined();
  });
});

test.each([
  [100n, 200n, 1000, 150n],
  [200n, 100n, 1000, 150n],
  [100n, 103n, 1001, 101n],
  [103n, 100n, 1001, 102n],
  [100n, 200n, 2000, 200n],
  [100n, 200n, 5000, 200n],
])("a ramp from %s to %s is rounded towards its start at %s", (initialA, futureA, timestamp, amp) => {
  expect(ampAt({ initialA, futureA, initialTime: 0, futureTime: 2000 }, timestamp)).toBe(amp);
});

test.each([
  ["constant up to a multiplier of 1", 1n, 3n, 10n ** 10n, 4_000_000n],
  ["unchanged in balance", 5n, 5n, 2n * 10n ** 10n, 4_000_000n],
  ["doubled far off", 1n, 10n ** 12n, 2n * 10n ** 10n, 8_000_000n],
])("dynamic fee: %s", (...[_name, xpi, xpj, multiplier, fee]) => {
  expect(dynamicFee(xpi, xpj, 4_000_000n, multiplier)).toBe(fee);
});
