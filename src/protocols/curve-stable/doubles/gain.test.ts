import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pool } from "../../../core/types.ts";
import type { State } from "../state.ts";
import { bases, named, type PoolGroup } from "./group.fixture.ts";
import { certified, GREEDY, middle, type Prices, steps, swapped } from "./swaps.fixture.ts";

/**
 * The certificate's bound on the gain of a pool with a dynamic fee over all its pairs is at least the gain of exact
 * consecutive swaps (the best of all, or any; in one piece or several), and seldom much more. The same holds for
 * lending pools, which sell each coin under two names.
 */

const RUNS = 400;
/** Tolerances: relative to the amount traded for doubles, and in units for the rounding of all swaps. */
const DOUBLES = 1e-9;
const ROUNDING = 100;
const ID = named(0xdd);

function poolOf(state: State): PoolGroup {
  const own = state.balances.length;
  const names = own * (state.worth === null ? 1 : 2);
  const pool: Pool = {
    ...{ id: ID, address: ID, protocol: "curve-stable", deployment: "arbitrary", stateIds: [ID] },
    tokens: Array.from({ length: names }, (_, k) => named(k + 1)),
    facts: { implementation: state.worth === null ? "ng" : "aave", own },
  };
  return { pools: [pool], states: new Map([[ID, state]]) };
}

const pools: fc.Arbitrary<PoolGroup> = fc
  .record({
    state: bases,
    rounding: fc.constantFrom("together" as const, "aave" as const, "templateA" as const),
    offpegFeeMultiplier: fc.constantFrom(11_000_000_000n, 20_000_000_000n, 100_000_000_000n),
    percents: fc.option(fc.array(fc.integer({ min: 50, max: 300 }), { minLength: 3, maxLength: 3 })),
  })
  .map(({ state, percents, ...own }) => {
    const worth = percents?.map((percent) => BigInt(percent) * 10n ** 16n) ?? null;
    return poolOf({ ...state, ...own, worth });
  });

const moves = fc
  .tuple(
    fc.constantFrom(0, 1e-4, 1e-3, 1e-2, 1e-1),
    fc.array(fc.noBias(fc.integer({ min: -100, max: 100 })), { minLength: 3, maxLength: 3 }),
  )
  .map(([most, percents]) => percents.map((percent) => (percent / 100) * most));

/**
 * The pool's own prices changed by `moved`, in units of the first coin; an underlying coin is worth `off` more than
 * its wrapped coin.
 */
function pricesOf({ pools: [pool], states }: PoolGroup, moved: readonly number[], off: number) {
  const { balances, worth } = states.get(ID)!;
  const own = balances.length;
  const coins = balances.map((_, k) => (k === 0 ? 1 : middle(pool!, states, k, 0)) * (1 + moved[k]!));
  const under = (k: number) => (coins[k]! * 1e18 * (1 + off)) / Number(worth![k]!);
  const prices: Prices = new Map(
    pool!.tokens.map((token, k) => [token, k < own ? coins[k]! : under(k - own)]),
  );
  return [...prices.values()].every((price) => price > 0 && price < Infinity) ? prices : undefined;
}

test("a pool with a dynamic fee gains no more than is certified, and half as much where it gains much", () => {
  const ratios: number[] = [];
  let unknown = 0;
  fc.assert(
    fc.property(pools, moves, steps, fc.constantFrom(0, 1e-6, -1e-4), (group, moved, way, off) => {
      const prices = pricesOf(group, moved, off);
      if (prices === undefined) return;
      const found = certified(group, prices);
      if (found !== undefined && "reason" in found) {
        // The prices of a coin's two names differ by more than the fees, possibly in the last digit only.
        expect(off !== 0 || group.states.get(ID)!.fee === 0n).toBe(true);
        unknown++;
        return;
      }
      const { gained, traded } = swapped(group, prices, [...way, ...GREEDY], 0n);
      const slack = DOUBLES * traded + ROUNDING * Math.max(...prices.values());
      const earned = found?.earned ?? 0;
      expect(gained).toBeLessThanOrEqual(earned * (1 + DOUBLES) + slack);
      if (way === GREEDY && gained > slack) ratios.push(earned / gained);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  ratios.sort((a, b) => a - b);
  expect(ratios.length).toBeGreaterThan(RUNS / 20);
  expect(ratios[ratios.length >> 1]!).toBeLessThan(2);
  expect(unknown).toBeLessThan(RUNS / 4);
});

const even: State = {
  ...{ rounding: "together", rates: [10n ** 18n, 10n ** 18n], aPrecision: 100n, base: null, readAt: 0 },
  balances: [10n ** 24n, 10n ** 24n],
  ramp: { initialA: 300_000n, futureA: 300_000n, initialTime: 0, futureTime: 0 },
  ...{ fee: 4_000_000n, adminFee: 0n, offpegFeeMultiplier: 10_000_000_001n, lpSupply: 0n, worth: null },
};

test("trades in pieces are paid a part of the fees that those before have left, and the bound has room for that", () => {
  const pieces = 40;
  const slices = Array.from({ length: pieces }, (_, k) => Math.min(1, 1.5 / (pieces - k)));
  const group = poolOf(even);
  const prices = pricesOf(group, [0, 0.3], 0)!;
  const gainOf = (shares: readonly number[]) => {
    const way = shares.map((share) => ({ crossing: undefined, share, isBlind: false }));
    return swapped(group, prices, way, 0n).gained;
  };
  const fee = Number(even.fee) / 1e10;
  expect(gainOf(slices)).toBeGreaterThan(gainOf([1]) * (1 + 0.9 * fee));
  expect((certified(group, prices) as { earned: number }).earned).toBeGreaterThan(gainOf(slices));
});

test("a trade that pays only by what it saves of a falling fee is a gain, with two coins and with two names of each", () => {
  const state: State = {
    ...even,
    balances: [300n * 10n ** 18n, 1100n * 10n ** 18n],
    ...{ fee: 40_000_000n, offpegFeeMultiplier: 100_000_000_000n },
  };
  for (const worth of [null, [10n ** 18n, 10n ** 18n]]) {
    const group = poolOf({ ...state, worth });
    const prices = pricesOf(group, [-0.0036, 0.0012], 0)!;
    const { gained } = swapped(group, prices, GREEDY, 0n);
    expect(gained).toBeGreaterThan(1e16);
    expect(certified(group, prices)).toHaveProperty("earned");
    expect((certified(group, prices) as { earned: number }).earned).toBeGreaterThan(gained);
  }
});
