import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { dynamicFee } from "../../core/math/curve/stable-math.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { mirrorOf } from "./doubles/mirror.ts";
import { exchange } from "./exact/exchange.ts";
import { curveStable } from "./index.ts";
import type { State } from "./state.ts";

/** Tests the specifics of lending pools, stableswap-ng and forks. */

const [A, B, C, D, E, POOL, UNDER] = [1, 2, 3, 4, 5, 6, 7].map(
  (k) => `0x${`${k}`.repeat(40)}` as Address,
) as [Address, Address, Address, Address, Address, Address, Address];
const NOW = 1_700_000_000;
const at = { blockNumber: 100, timestamp: NOW };
const E18 = 10n ** 18n;

function deploy(pools: string): Pool {
  const deployment: Deployment = {
    ...{ id: "curve", protocol: "curve-stable", name: "Curve", factory: A, fromBlock: 0, trusted: true },
    facts: { pools },
    source: "test",
  };
  return curveStable.seeds(deployment)[0]!;
}

const base: State = {
  rounding: "early",
  balances: [74979963586785496721932343n, 72585749356844n, 38458902603579n],
  rates: [E18, 10n ** 30n, 10n ** 30n],
  ramp: { initialA: 2000n, futureA: 2000n, initialTime: 0, futureTime: 0 },
  aPrecision: 1n,
  fee: 1000000n,
  adminFee: 5000000000n,
  offpegFeeMultiplier: 0n,
  lpSupply: 180839184919818013094480501n,
  base: null,
  worth: null,
  readAt: 0,
};

const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const none: Hex = "0x";
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;

test("a trade that leaves nothing of a coin reverts where a price oracle divides by it", () => {
  const state: State = { ...base, balances: [1_000_000n, 1_000_000n], rates: [E18, E18], aPrecision: 100n };
  const sell = (rounding: State["rounding"], dx: bigint) => {
    const drained: State = { ...state, rounding };
    const float = curveStable.quoteFloat(mirrorOf(drained, undefined, NOW), 0, 1, Number(dx));
    return [exchange(drained, { i: 0, j: 1, dx, timestamp: NOW })?.dy, float > 0];
  };
  for (const rounding of ["together", "ng2023"] as const) {
    expect(sell(rounding, 10n ** 8n)).toEqual([expect.any(BigInt), true]);
    expect(sell(rounding, 10n ** 13n)).toEqual([undefined, false]);
  }
  expect(sell("base", 10n ** 13n)).toEqual([expect.any(BigInt), true]);
});

describe("lending pools", () => {
  const pool = deploy(`${POOL} aave ${A},${B}/${C},${D}`);
  const state: State = {
    ...base,
    rounding: "aave",
    balances: [9_000_000n * E18, 4_000_000_000_000n],
    rates: [E18, 10n ** 30n],
    offpegFeeMultiplier: 20_000_000_000n,
    readAt: at.blockNumber,
  };
  const states = new Map([[POOL, state]]);
  const quote = (i: number, j: number) => curveStable.quote(states, pool, i, j, 1000n * E18, "in", at);

  test("of the first version round balances down: without a fee, a round trip over a drained coin wins its worth", () => {
    const first = deploy(`${POOL} compound ${A},${B}/${C},${D}`);
    const drained: State = {
      ...{ ...base, rounding: "first", balances: [110_000_000n, 100_000_000n], fee: 0n },
      ...{ rates: [10n ** 30n, 10n ** 30n], aPrecision: 100n, lpSupply: 210n * E18 },
      ramp: { initialA: 1000n, futureA: 1000n, initialTime: 0, futureTime: 0 },
    };
    const there = curveStable.quote(new Map([[POOL, drained]]), first, 0, 1, 190_420_820n, "in", at)!;
    const after = new Map(there.writes);
    const back = curveStable.quote(after, first, 1, 0, there.amountOut, "in", at)!;
    // A fraction of a unit of the nearly exhausted coin was lost in the pool's accounting; it is worth ten units of
    // the other coin.
    expect([there.amountOut, back.amountOut]).toEqual([96_318_077n, 190_420_830n]);
    expect(curveStable.quote(after, first, 1, 0, 4n, "in", at)!.amountOut).toBeGreaterThan(10n);
  });

  test("exchange wrapped for wrapped and underlying for underlying at one price", () => {
    expect(quote(2, 3)!.amountOut).toBe(quote(0, 1)!.amountOut);
    expect(quote(0, 3)).toBeUndefined();
    expect(curveStable.encode(pool, state, 0, 1).extra).toBe("0x000100");
    expect(curveStable.encode(pool, state, 2, 3).extra).toBe("0x000102");
    const mirror = curveStable.mirror(state, pool, at, states);
    expect(curveStable.quoteFloat(mirror, 2, 3, 1e21)).toBe(curveStable.quoteFloat(mirror, 0, 1, 1e21));
    expect(curveStable.quoteFloat(mirror, 0, 3, 1e21)).toBe(0);
  });

  test("the fee grows off the peg, and nothing is kept for rounding", () => {
    const swap = { i: 0, j: 1, dx: 1000n * E18, timestamp: NOW };
    const constant = exchange({ ...state, offpegFeeMultiplier: 0n }, swap)!.dy;
    expect(exchange(state, swap)!.dy < constant).toBe(true);
    expect(dynamicFee(9n * E18, 4n * E18, base.fee, 20_000_000_000n)! > base.fee).toBe(true);
    // The contract squares the sum of the balances before and after, halved: 2^128 fits no longer, nor does what it multiplies.
    expect(exchange(state, { ...swap, dx: 2n ** 127n })).toBeDefined();
    expect(exchange(state, { ...swap, dx: 2n ** 129n })).toBeUndefined();
    expect(exchange({ ...state, offpegFeeMultiplier: 0n }, { ...swap, dx: 2n ** 129n })).toBeDefined();
    expect(dynamicFee(2n ** 110n, 2n ** 110n, base.fee, 20_000_000_000n)).toBeDefined();
    expect(dynamicFee(2n ** 111n, 2n ** 111n, base.fee, 20_000_000_000n)).toBeUndefined();
    const free = { ...state, fee: 0n };
    expect(exchange({ ...free, rounding: "base" }, swap)!.dy <= exchange(free, swap)!.dy).toBe(true);
  });
});

describe("coins whose rate grows", () => {
  const terms: readonly Hex[] = [
    ...Array.from({ length: 4 }, (): Hex => none),
    ...[answer(4000000), answer(5000000000), none, none, none, none, none, answer(5n * E18), answer(900)],
    ...[answer(3n * 10n ** 15n), answer(2n * 10n ** 15n), answer(8), answer(8)],
  ];
  /** cash, borrows, reserves, supply, rate per block, reserve factor, last block, decimals of the underlying coin */
  const cToken = (cash: bigint, digits: number) =>
    [cash, 6n * cash, cash / 10n, 300n * 10n ** 15n, 10n ** 10n, E18 / 10n, 90n, BigInt(digits)].map(answer);

  test("cTokens: as they will be in the block that executes", () => {
    const pool = deploy(`${POOL} compound ${A},${B}/${C},${D}`);
    const answers = [...terms, ...cToken(10n ** 24n, 18), ...cToken(10n ** 12n, 6)];
    expect(curveStable.reads(pool, [])).toHaveLength(answers.length);
    expect(curveStable.reads(pool, []).slice(-1)[0]).toEqual({ to: D, data: "0x313ce567" });
    const state = curveStable.load(pool, answers, at) as State;
    // 11 blocks of interest on 6e24, a tenth of which is reserved: 6.9e24 + 5.94e17·0.9.
    const exact = 10n ** 24n + 6n * 10n ** 24n + 66n * 10n ** 16n - (10n ** 23n + 66n * 10n ** 15n);
    const rate = (exact * E18) / (300n * 10n ** 15n);
    expect(state.worth![0]).toBe(rate);
    expect(state.rates).toEqual([rate, state.worth![1]! * 10n ** 12n]);
    expect(state).toMatchObject({ rounding: "first", aPrecision: 1n, readAt: 100, ramp: { futureA: 900n } });
    const states = new Map([[POOL, state]]);
    const wrapped = curveStable.quote(states, pool, 0, 1, 10n ** 12n, "in", at)!;
    const under = curveStable.quote(states, pool, 2, 3, (10n ** 12n * rate) / E18 + 1n, "in", at)!;
    expect(under.amountOut).toBe((wrapped.amountOut * state.worth![1]!) / E18);
    const asked = curveStable.quote(states, pool, 2, 3, under.amountOut, "out", at)!;
    expect(asked.amountIn <= under.amountIn).toBe(true);
    const mirror = curveStable.mirror(state, pool, at, states);
    const float = curveStable.quoteFloat(mirror, 2, 3, Number(under.amountIn));
    expect(Math.abs(float / Number(under.amountOut) - 1)).toBeLessThan(1e-6);
    expect(curveStable.load(pool, answers.with(-1, none), at)).toEqual({ refusal: "rates failed" });
    expect(curveStable.load(pool, answers.with(-5, answer(0)), at)).toEqual({ refusal: "rates failed" });
  });

  test("vaults: at their price per share", () => {
    const pool = deploy(`${POOL} y ${A},${B}`);
    const plain = terms.with(-2, answer(18)).with(-1, answer(6));
    const state = curveStable.load(
      pool,
      [...plain, answer((E18 * 11n) / 10n), answer((E18 * 12n) / 10n)],
      at,
    );
    expect(state).toMatchObject({
      ...{ rates: [(E18 * 11n) / 10n, 12n * 10n ** 29n], worth: null, readAt: 100, rounding: "first" },
    });
    expect(curveStable.load(pool, [...plain, none, answer(E18)], at)).toEqual({ refusal: "rates failed" });
  });
});

describe("stableswap-ng", () => {
  const pool = deploy(`${POOL} ng ${A},${B}`);
  const answers = (rates: Hex) => [
    ...[20000, 20000, 0, 0, 1000000, 5000000000, 50000000000].map(answer),
    ...[none, none, none, rates, answer(5n * E18), answer(200), answer(3n * E18), answer(2_000_000n)],
    ...[answer(18), answer(6)],
  ];

  test("rates come from the pool; coins without a rate make a state that lasts", () => {
    const still = curveStable.load(pool, answers(words(32, 2, E18, 10n ** 30n)), at) as State;
    expect(still).toMatchObject({ rates: [E18, 10n ** 30n], readAt: 0, offpegFeeMultiplier: 50000000000n });
    const drifting = curveStable.load(
      pool,
      answers(words(32, 2, (E18 * 11n) / 10n, 10n ** 30n)),
      at,
    ) as State;
    expect(drifting).toMatchObject({ rates: [(E18 * 11n) / 10n, 10n ** 30n], readAt: 100 });
    expect(curveStable.load(pool, answers(words(E18, 10n ** 30n)), at)).toEqual(still);
  });

  test.each([none, words(32, 2, E18), words(32, 1, E18, E18), words(32, 2, E18, 0)])(
    "%s is refused",
    (rates) => {
      expect(curveStable.load(pool, answers(rates), at)).toEqual({ refusal: "rates failed" });
    },
  );

  test("coins that rebase are read every block", () => {
    const rebasing = { ...pool, facts: { ...pool.facts, implementation: "ng-rebasing" } };
    expect(curveStable.load(rebasing, answers(words(32, 2, E18, 10n ** 30n)), at)).toMatchObject({
      readAt: 100,
    });
  });
});

describe("forks", () => {
  test("PancakeSwap announces its pools, of two coins or three", () => {
    const deployment: Deployment = {
      ...{ id: "pancake-stable", protocol: "curve-stable", name: "Pancake_Stable", factory: A, fromBlock: 0 },
      ...{ trusted: true, facts: {}, source: "test" },
    };
    const log: Log = {
      address: A,
      topics: ["0x48dc7a1b156fe3e70ed5ed0afcb307661905edf536f15bb5786e327ea1933532", answer(BigInt(POOL))],
      data: words(BigInt(B), BigInt(C), 0, BigInt(D)),
    };
    const found = curveStable.discover(log, deployment)!;
    expect(found).toMatchObject({
      ...{ id: POOL, address: POOL, tokens: [B, C], stateIds: [POOL] },
      facts: { implementation: "pancake", own: 2, lp: D },
    });
    expect(curveStable.encode(found, base, 0, 1).extra).toBe("0x000101");
    const three = curveStable.discover(
      { ...log, data: words(BigInt(B), BigInt(C), BigInt(E), BigInt(D)) },
      deployment,
    );
    expect(three!.tokens).toEqual([B, C, E]);
    expect(curveStable.discover({ ...log, address: B }, deployment)).toBeUndefined();
    expect(curveStable.discover({ ...log, data: "0x" }, deployment)).toBeUndefined();
  });

  test("Saddle keeps its terms in one place, and its LP token in the last word of it", () => {
    const pool = deploy(`${POOL} saddle ${A},${B}`);
    const first = curveStable.reads(pool, []);
    expect(first).toHaveLength(8);
    const storage = words(48000, 92000, 1652287436, 1653655053, 4000000, 5000000000, BigInt(UNDER));
    const coins = [answer(BigInt(A)), answer(BigInt(B))];
    const some = [answer(0), storage, answer(3n * E18), answer(2_000_000n), answer(18), answer(6), ...coins];
    expect(curveStable.reads(pool, some)).toEqual([{ to: UNDER, data: "0x18160ddd" }]);
    const all = [...some, answer(5n * E18)];
    expect(curveStable.reads(pool, all)).toEqual([]);
    expect(curveStable.load(pool, all, at)).toEqual({
      rounding: "base",
      balances: [3n * E18, 2_000_000n],
      rates: [E18, 10n ** 30n],
      ramp: { initialA: 48000n, futureA: 92000n, initialTime: 1652287436, futureTime: 1653655053 },
      aPrecision: 100n,
      fee: 4000000n,
      adminFee: 5000000000n,
      offpegFeeMultiplier: 0n,
      lpSupply: 5n * E18,
      base: null,
      worth: null,
      readAt: 0,
    });
    const older = words(48000, 92000, 0, 0, 4000000, 5000000000, 5000000, BigInt(UNDER));
    expect(curveStable.reads(pool, some.with(1, older))[0]!.to).toBe(UNDER);
    expect(curveStable.load(pool, all.with(0, answer(1)), at)).toEqual({ refusal: "paused" });
    expect(curveStable.load(pool, all.with(1, none), at)).toEqual({ refusal: "swapStorage failed" });
    for (const lie of [answer(BigInt(A)), none])
      expect(curveStable.load(pool, all.with(7, lie), at)).toEqual({
        refusal: "its coins are not the listed ones",
      });
    expect(curveStable.encode(pool, base, 1, 0).extra).toBe("0x010004");
  });

  test("Saddle's swap log is repeated", () => {
    const ramp = { ...base.ramp, initialA: 10000n, futureA: 10000n };
    const state = { ...base, rounding: "base" as const, aPrecision: 100n, ramp };
    const done = exchange(state, { i: 2, j: 0, dx: 1_000_000n, timestamp: NOW })!;
    const log: Log = {
      address: POOL,
      topics: ["0xc6c1e0630dbe9130cc068028486c0d118ddcea348550819defd5cb8c257f8a38"],
      data: words(1_000_000n, done.dy, 2, 0),
    };
    expect(curveStable.apply(state, log, at)).toEqual(done.next);
  });
});
