import { describe, expect, test } from "vitest";
import { NOW, POOL } from "./arbitrary.ts";
import { balancerV3 } from "./index.ts";
import { mirror, quoteFloat } from "./mirror.ts";
import { type Inner, onSwap, solvedAt } from "./shapes.ts";
import type { Shape, State } from "./state.ts";
import { grownImbalance, imbalanceFloat } from "./surge/float.ts";
import { imbalanceOf } from "./surge/surge.ts";
import { vaultSwap } from "./swap.ts";
import { at, discovered, load, ONE, pool, poolData, RECLAMM, state, table } from "./vault.fixture.ts";

/** Tests outputs of swaps and the states after them, exactly and in doubles. */

function ask(of: State, amount: bigint, when = at, [i, j] = [0, 1]) {
  return balancerV3.quote(new Map([[POOL as string, of]]), pool, i!, j!, amount, "in", when);
}

const stableShape: Shape = {
  kind: "stable",
  ramp: { initialA: 200_000n, futureA: 200_000n, initialTime: 0, futureTime: 0 },
};

describe("swaps", () => {
  test("half of the fee leaves the pool, the rest stays", () => {
    const fill = ask(state, 10n ** 19n)!;
    const next = fill.writes[0]![1] as State;
    expect(next.balances[0]).toBe(10n ** 21n + 10n ** 19n - 10n ** 19n / 100n / 2n);
    expect(next.balances[1]).toBe(10n ** 9n - fill.amountOut);
  });

  test("less than the least trade is refused, on either side", () => {
    expect(ask(state, 1_010_101n)).toBeUndefined();
    // 1.02 million units exceed the minimum trade, but pay less than one unit of a token with six decimals.
    expect(ask(state, 1_020_000n)).toBeUndefined();
    expect(ask(state, 2_000_000_000_000n)?.amountOut).toBe(1n);
  });

  test("a balance that the vault cannot store is refused, in 18 digits too", () => {
    // Both tokens have 6 decimals, and 3.4e38 is the width of a balance.
    const large = {
      ...state,
      balances: [3n * 10n ** 26n, 3n * 10n ** 26n],
      factors: [10n ** 12n, 10n ** 12n],
    };
    expect(ask(large, 3n * 10n ** 25n)).toBeDefined();
    expect(ask(large, 5n * 10n ** 25n)).toBeUndefined();
    expect(ask({ ...large, rates: [2n * ONE, ONE] }, 3n * 10n ** 25n)).toBeUndefined();
  });

  test("a swap that unbalances a pool beyond the threshold pays more", () => {
    const plain = { ...state, shape: stableShape };
    const surging = { ...plain, surge: { threshold: 10n ** 17n, maxFee: 5n * 10n ** 17n } };
    expect(ask(surging, 10n ** 19n)).toMatchObject({ amountOut: ask(plain, 10n ** 19n)!.amountOut });
    const [more, less] = [ask(plain, 5n * 10n ** 20n)!.amountOut, ask(surging, 5n * 10n ** 20n)!.amountOut];
    expect(Number(less) / Number(more)).toBeLessThan(0.85);
    expect(Number(less) / Number(more)).toBeGreaterThan(0.7);
  });

  test("a rate counts at once, and is rounded up where it divides", () => {
    const rated = { ...state, rates: [ONE, 11n * 10n ** 17n + 3n] };
    expect(Number(ask(rated, 10n ** 18n)!.amountOut) / Number(ask(state, 10n ** 18n)!.amountOut)).toBeCloseTo(
      1,
      3,
    );
  });

  test("outside its range a readjusting pool follows the market with time", () => {
    const off = load(discovered({ factory: RECLAMM })!, {
      ...table,
      "getPoolData(address)": poolData([10n ** 20n, 9n * 10n ** 9n], [ONE, ONE]),
    }) as State;
    const outs = [0, 3600, 86_400].map(
      (later) => ask(off, 10n ** 18n, { ...at, timestamp: NOW + later })!.amountOut,
    );
    // Token A is scarce, so the pool asks for more.
    expect(outs[0]! < outs[1]! && outs[1]! < outs[2]!).toBe(true);
    const next = ask(off, 10n ** 18n)!.writes[0]![1] as State;
    expect(next.shape).toMatchObject({ pool: { lastTimestamp: NOW } });
  });

  test("a sale is open between its times, for one token only where the other is blocked", () => {
    const shape: Shape = {
      kind: "bootstrapping",
      startWeights: [9n * 10n ** 17n, 10n ** 17n],
      endWeights: [10n ** 17n, 9n * 10n ** 17n],
      startTime: NOW - 50,
      endTime: NOW + 50,
      blocked: 1,
    };
    const sale = { ...state, shape };
    const times = [-51, -50, 0, 50, 51].map((later) => ({ ...at, timestamp: NOW + later }));
    const outs = times.map((when) => ask(sale, 10n ** 19n, when)?.amountOut);
    expect([outs[0], outs[4]]).toEqual([undefined, undefined]);
    expect(outs[1]! > outs[2]! && outs[2]! > outs[3]!).toBe(true);
    expect(ask(sale, 10n ** 7n, at, [1, 0])).toBeUndefined();
  });
});

/** The answers of the compiled contract. @source balancer/balancer-v3-monorepo 0a5890a WeightedPool.sol onSwap */
describe("a weighted pool with least balances", () => {
  const [cheap, dear] = [10n ** 28n, 10n ** 18n];
  const floor = 10n ** 27n;
  const asked = (balances: readonly [bigint, bigint], swap: Inner, least?: readonly bigint[]) => {
    const weights = [ONE / 2n, ONE / 2n];
    const shape: Shape = { kind: "weighted", weights, ...(least && { least }) };
    return onSwap(solvedAt({ ...state, balances, factors: [1n, 1n], shape }, NOW)!, swap);
  };
  const sold = (amount: bigint, i = 0): Inner => ({ i, j: 1 - i, amount, side: "in" });
  const bought = (amount: bigint): Inner => ({ i: 0, j: 1, amount, side: "out" });
  const least = [10n ** 12n, floor];

  test.each([
    ["an input", [dear, cheap], sold(10n ** 17n + 6n), 90_909_090_909_090_913n * 10n ** 10n],
    ["an output", [dear, cheap], bought(10n ** 26n), 10_101_010_101_010_103n],
    [
      "what leaves more than the least",
      [dear, floor + 2n * 10n ** 26n],
      sold(10n ** 17n),
      1_090_909_090_909_090_908n * 10n ** 8n,
    ],
    [
      "what leaves the least",
      [dear, floor + 2n * 10n ** 26n],
      bought(2n * 10n ** 26n),
      200_000_000_000_000_001n,
    ],
    ["a unit more", [dear, floor + 2n * 10n ** 26n], bought(2n * 10n ** 26n + 1n), undefined],
    [
      "the token sold a unit below its least",
      [10n ** 12n - 1n, cheap],
      sold(10n ** 10n),
      99_009_900_990_099n * 10n ** 12n,
    ],
    ["the token sold two units below it", [10n ** 12n - 2n, cheap], sold(10n ** 10n), undefined],
  ] as const)("%s", (_what, balances, swap, answer) => {
    expect(asked(balances, swap, least)).toBe(answer);
  });

  test("one of an older factory pays by the balance sold as it is", () => {
    expect(asked([dear, cheap], sold(10n ** 17n + 6n))).toBe(90_909_090_909_090_914n * 10n ** 10n);
  });
});

test.each([
  [[5n, 5n], 0n],
  [[3n, 1n], 5n * 10n ** 17n],
  [[1n, 8n, 2n], (7n * ONE) / 11n],
] as const)("the imbalance of %s is %s", (balances, imbalance) => {
  expect(imbalanceOf(balances)).toBe(imbalance);
});

type Move = readonly [
  balances: readonly number[],
  amounts: readonly [sold: number, bought: number],
  tokens: readonly [sold: number, bought: number],
  what: string,
];

describe("a fee that surges, in doubles", () => {
  const rate = 1_152_000_000_000_000_007n;
  const million = 10n ** 12n;
  const ramp = { initialTime: NOW - 1000, futureTime: NOW + 1000 };
  /**
   * Both balances are far from balance, and input and output are on the same side of the median: the imbalance grows
   * by their difference.
   */
  const lopsided: State = {
    ...state,
    balances: [17951000000n, 161001000000000000000000n, 160326000000000000000000n, 114954000000n],
    factors: [million, 1n, 1n, million],
    rates: [ONE, rate, rate, ONE],
    swapFee: 82100000000000000n,
    shape: { kind: "stable", ramp: { ...ramp, initialA: 2000n, futureA: 3000n } },
    surge: { threshold: 50500000000000000n, maxFee: 816100000000000000n },
  };
  const steep: State = {
    ...lopsided,
    balances: [190818000000000000000000n, 34255000000000000000000n, 10015000000n, 10004000000000000000000n],
    factors: [1n, 1n, million, 1n],
    rates: [rate, ONE, ONE, rate],
    swapFee: 46400000000000000n,
    shape: { kind: "stable", ramp: { ...ramp, initialA: 1020000n, futureA: 1530000n } },
    surge: { threshold: 50300000000000000n, maxFee: 424200000000000000n },
  };

  /** Both balances are equal up to the resolution of an 18-digit imbalance. */
  const level: State = {
    ...lopsided,
    balances: [10007000000000000000000n, 10011000000000000000000n, 191143000000n, 199986000000n],
    factors: [1n, 1n, million, million],
    rates: [ONE, ONE, ONE, ONE],
    swapFee: 33400000000000000n,
    shape: { kind: "stable", ramp: { ...ramp, initialA: 817000n, futureA: 817000n } },
    surge: { threshold: 158600000000000000n, maxFee: 863200000000000000n },
  };

  test.each([
    [lopsided, [1, 2], 100_000_000n],
    [lopsided, [1, 2], 5_482_605_032n],
    [steep, [0, 1], 1_000_000_000n],
    [steep, [0, 1], 5_343_794_051n],
    [level, [0, 1], 536_870_921n],
    [level, [0, 1], 5_368_709_210n],
  ] as const)(
    "is that of the contract where a swap is next to nothing beside the balances",
    (of, [i, j], x) => {
      const exact = Number(vaultSwap(of, { i, j, amount: x, side: "in", at })?.amountOut);
      const float = quoteFloat(mirror(of, NOW), i, j, Number(x));
      expect(Math.abs(float - exact)).toBeLessThanOrEqual(Math.max(1e-9 * exact, 2));
    },
  );

  const moves: readonly Move[] = [
    [[3, 3, 3], [1, 0.5], [0, 1], "more than leaves"],
    [[5, 4, 1, 2], [2, 1], [3, 2], "a token goes past two others"],
    [[5, 4, 1, 2], [1, 1], [2, 0], "back into balance"],
    [[9, 4, 1, 2, 6], [3, 2], [2, 4], "past the median"],
    [[9, 4, 1, 2, 6], [8, 1], [1, 3], "the least becomes less"],
  ];

  test.each(moves)("%s, %s of tokens %s: %s", (balances, [sold, bought], [i, j], _what) => {
    const after = balances.map((one, k) => one + (k === i ? sold : 0) - (k === j ? bought : 0));
    const units = (list: readonly number[]) => list.map((one) => BigInt(one * 1e6));
    const [was, is] = [balances, after].map((list) => Number(imbalanceOf(units(list))));
    const swap = { i, j, sold: sold * 1e6, bought: bought * 1e6 };
    const grown = grownImbalance(imbalanceFloat(units(balances)), swap);
    if (is! > was!) expect(grown).toBeCloseTo(is! / 1e18, 12);
    else expect(grown).toBe(0);
  });
});
