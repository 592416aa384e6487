import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newtonY } from "../../core/math/curve/crypto-math.ts";
import { solveTwo } from "../../core/math/curve/twocrypto-math.ts";
import { states, subjectOf } from "./arbitrary.ts";
import { designs } from "./designs.ts";
import { exchange, getDy, shapeAt, startOf } from "./exchange.ts";
import { curveCrypto } from "./index.ts";
import { at, NOW, two } from "./pool.fixture.ts";

/** Tests outputs of a pool and states after trades, exactly and in doubles. */

const ONE = 10n ** 18n;

describe("swaps", () => {
  const swap = { i: 1, j: 0, dx: ONE, timestamp: NOW };

  test("leave D and the virtual price as the pool computes them", () => {
    const { dy, next } = exchange(two, swap)!;
    expect(next.balances).toEqual([two.balances[0]! - dy, two.balances[1]! + ONE]);
    expect(next.virtualPrice > two.virtualPrice && next.d > two.d).toBe(true);
    expect(next.isSettled).toBe(true);
    expect(exchange(next, swap)!.dy < dy).toBe(true);
  });

  test("too small to raise the virtual price revert, though the view answers", () => {
    const small = { ...swap, dx: 10_918_181n };
    expect(getDy(two, small)).toBe(10_734_905n);
    expect(exchange(two, small)).toBeUndefined();
    expect(exchange({ ...two, virtualPrice: 0n }, small)?.dy).toBe(10_734_905n);
  });

  test("that may have moved the price scale are not followed by another", () => {
    const rich = { ...two, xcpProfit: two.virtualPrice * 2n - ONE, allowedExtraProfit: 0n };
    const { next } = exchange(rich, { ...swap, dx: 100n * ONE })!;
    expect(next.isSettled).toBe(false);
    expect(exchange(next, swap)).toBeUndefined();
    const mirror = curveCrypto.mirror(next, subjectOf(next).pool, at, new Map());
    expect(curveCrypto.quoteFloat(mirror, 0, 1, 1e18)).toBe(0);
    const order = [subjectOf(two).pool, 1, 0, ONE, "in", at] as const;
    const gas = [two, rich].map((state) => curveCrypto.quote(new Map([[order[0].id, state]]), ...order)?.gas);
    expect(gas[0]! < gas[1]!).toBe(true);
    const old = { ...two, design: "twocrypto" as const };
    expect(exchange(old, swap)!.next.isSettled).toBe(false);
  });

  test("beyond a hundredth of D are refused, by the mirror as well", () => {
    const mirror = curveCrypto.mirror(two, subjectOf(two).pool, at, new Map());
    expect(exchange(two, { ...swap, dx: 10n ** 24n })).toBeUndefined();
    expect(curveCrypto.quoteFloat(mirror, 1, 0, 1e24)).toBe(0);
  });

  test("in a ramp take A, gamma and D of the second", () => {
    const ramp = { ...two.ramp, initialAnn: 4000000n, initialTime: NOW - 100, futureTime: NOW + 100 };
    expect(shapeAt(ramp, 10000n, NOW)).toEqual({
      ann: 12000000n,
      gamma: 2n * 10n ** 16n,
      multiplier: 10000n,
    });
    expect(shapeAt(ramp, 10000n, NOW + 100).ann).toBe(20000000n);
    const ramping = { ...two, ramp };
    expect(startOf(ramping, NOW)!.d).not.toBe(two.d);
    expect(startOf(ramping, NOW + 100)!.d).toBe(two.d);
    const over = { ...two, design: "twocrypto" as const, ramp: { ...two.ramp, futureTime: NOW - 5 } };
    expect(startOf({ ...over, d: two.d + 10n ** 15n }, NOW)!.d).toBe(startOf(over, NOW)!.d);
    expect(exchange(ramping, { ...swap, dx: 10_918_181n })).toBeDefined();
  });

  test("what is bought costs the least that pays it", () => {
    const { pool, states: view } = subjectOf(two);
    const fill = curveCrypto.quote(view, pool, 0, 1, 5n * ONE, "out", at)!;
    const dy = (dx: bigint) => exchange(two, { i: 0, j: 1, dx, timestamp: NOW })?.dy ?? 0n;
    expect(dy(fill.amountIn) >= 5n * ONE && dy(fill.amountIn - 1n) < 5n * ONE).toBe(true);
    expect(curveCrypto.quote(view, pool, 0, 1, two.balances[1]!, "out", at)).toBeUndefined();
  });

  test("the first pools refuse dust where the curve has no price", () => {
    const flat = { ...two, design: "twocrypto" as const, virtualPrice: 0n };
    expect(exchange(flat, { ...swap, dx: 100_000n })?.dy).toBeGreaterThan(0n);
  });
});

test("the closed forms find what Newton's method finds, to its own precision", () => {
  let seen = 0;
  fc.assert(
    fc.property(states, fc.integer({ min: 1, max: 300 }), (state, permille) => {
      const start = startOf(state, NOW);
      if (start === undefined || !designs[state.design].isNg) return;
      const { xp, d, shape, design } = start;
      const moved = xp.with(0, (xp[0]! * BigInt(1000 + permille)) / 1000n);
      const found = design.balanceFor(shape, moved, d, 1);
      const iterated = newtonY(shape, moved, d, 1);
      if (found === undefined || iterated === undefined) return;
      seen++;
      const off = found.y > iterated ? found.y - iterated : iterated - found.y;
      expect(Number(off) / Number(iterated)).toBeLessThan(1e-9);
    }),
    { numRuns: 200 },
  );
  expect(seen).toBeGreaterThan(50);
});

test("the mirror is within 1e-9, 2 units or 1e-15 of the reserve, at every size", () => {
  const { pool, states: view } = subjectOf(two);
  for (const state of [two, { ...two, design: "twocrypto" as const }]) {
    const blind = { ...state, virtualPrice: 0n };
    const mirror = curveCrypto.mirror(blind, pool, at, view);
    for (let exponent = 0; exponent < 45; exponent++) {
      const dx = 3n ** BigInt(exponent);
      const dy = Number(exchange(blind, { i: 0, j: 1, dx, timestamp: NOW })?.dy ?? 0n);
      const float = curveCrypto.quoteFloat(mirror, 0, 1, Number(dx));
      expect(Math.abs(float - dy)).toBeLessThanOrEqual(
        Math.max(1e-9 * dy, 2, 1e-15 * Number(two.balances[1]!)),
      );
    }
  }
});

/** Answers of the contracts' source, run with the integers of Vyper. */
describe("the newer contracts' own bounds", () => {
  test("two coins: a balance that Newton's method finds has none", () => {
    const shape = { ann: 26_203_352n, gamma: 178_289_763_583_404_544n, multiplier: 10_000n };
    const x = [2_158_894_773_789_947_854_848n, 666_084_664_490_280_353_792n];
    const found = designs["twocrypto-ng-2024"].balanceFor(shape, x, 1_989_906_083_034_172_715_659n, 1);
    expect(found).toEqual({ y: 50_610_996_447_566_967_626n, k0: 0n });
  });

  describe("two coins, v2.0.0", () => {
    const shape = { ann: 20_000_000n, gamma: 10n ** 15n, multiplier: 10_000n };
    const { balanceFor, invariant } = designs["twocrypto-ng"];
    const later = designs["twocrypto-ng-2024"];
    const d = 10n ** 24n;

    test("no balance falls below a hundredth of D", () => {
      const share = (x: bigint) => (solveTwo(shape, [x, 1n], d, 1)!.y * 10_000n) / d;
      const [within, beyond] = [15n * d, 20n * d];
      expect([share(within), share(beyond)]).toEqual([121n, 87n]);
      expect(balanceFor(shape, [within, 1n], d, 1)).toBeDefined();
      expect(balanceFor(shape, [beyond, 1n], d, 1)).toBeUndefined();
      expect(later.balanceFor(shape, [beyond, 1n], d, 1)).toBeDefined();
    });

    test("the balance sold to it is not below a hundredth of D, nor above a hundred times D", () => {
      expect(balanceFor(shape, [d / 100n - 10n ** 6n, 1n], d, 1)).toBeUndefined();
      expect(later.balanceFor(shape, [d / 100n - 10n ** 6n, 1n], d, 1)).toBeDefined();
      expect(balanceFor(shape, [100n * d + 10n ** 6n, 1n], d, 1)).toBeUndefined();
    });

    test("a gamma above 0.002 reverts", () => {
      const x = [d / 2n, d / 2n];
      const large = { ...shape, gamma: 2n * 10n ** 15n + 1n };
      expect(balanceFor({ ...shape, gamma: 2n * 10n ** 15n }, x, d, 1)).toBeDefined();
      expect([balanceFor(large, x, d, 1), invariant(large, x, 0n)]).toEqual([undefined, undefined]);
    });
  });

  test("three coins: a product of balances that is wider than 256 bits reverts", () => {
    const shape = { ann: 170_548_837n, gamma: 16_864_998_023_802n, multiplier: 10_000n };
    const x = [62n, 97n, 42n].map((balance) => balance * 10n ** 30n);
    const { invariant, mean } = designs["tricrypto-ng"];
    expect([invariant(shape, x, 0n), mean(x)]).toEqual([undefined, undefined]);
    expect(mean(x.map((balance) => balance / 10n))! > 0n).toBe(true);
  });
});
