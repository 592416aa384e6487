import { describe, expect, test } from "vitest";
import { chains } from "../../../chains/index.ts";
import { readNamed } from "../../../core/named-addresses.ts";
import type { Address, Hex } from "../../../core/types.ts";
import { uniswapV4 } from "../index.ts";
import type { State } from "../state.ts";
import { families } from "./families.ts";
import {
  address,
  at,
  load,
  NOBODY,
  paid,
  poolOf,
  STRANGER,
  TOKEN_0,
  TOKEN_1,
  trade,
  words,
} from "./hooks.fixture.ts";
import { leastBefore } from "./rule.ts";

describe("Doppler's multicurve pools", () => {
  test("pay what their ticks say, and a log after the swap costs gas", () => {
    const pool = poolOf("doppler-multicurve", address(9, 0x2d40), 3000);
    const state = load(pool, {}) as State;
    expect(state).toMatchObject({ dynamic: false, feePpm: 777 });
    expect(trade(pool, state, { i: 0, amount: 10n ** 18n })!.amountOut).toBe(
      paid((10n ** 18n * 999_223n) / 1_000_000n),
    );
    expect(trade(pool, state, { i: 0, amount: 10n ** 18n })!.gas).toBeGreaterThan(61_000);
  });

  test("are refused before they open", () => {
    const pool = poolOf("doppler-scheduled", address(9, 0x2dc0), 3000);
    expect(load(pool, { "0xa5264869": words(1001) })).toEqual({ refusal: "the pool has not opened" });
    expect(load(pool, { "0xa5264869": words(1000) })).toMatchObject({ tick: 0 });
    expect(load(pool, {})).toEqual({ refusal: "Doppler's hook does not answer" });
  });

  test("are refused while their fee falls", () => {
    const pool = poolOf("doppler-decay", address(9, 0x2dc0));
    const schedule = (last: number) => ({ "0x10d052f2": words(900, 50_000, 1_000, last, 100) });
    expect(load(pool, schedule(2_000))).toMatchObject({ rule: { fees: [1_000, 1_000] }, dynamic: false });
    expect(load(pool, schedule(2_000), { ...at, timestamp: 999 })).toEqual({
      refusal: expect.stringContaining("falls"),
    });
    expect(load(pool, schedule(1_000), { ...at, timestamp: 999 })).toMatchObject({ tick: 0 });
    expect(load({ ...pool, facts: { ...pool.facts, fee: 3000 } }, schedule(1_000))).toHaveProperty("refusal");
  });
});

describe("Zora's coins", () => {
  const hook = address(10, 0x1040);
  const pool = poolOf("zora-coin", hook, 10_000);
  const step = (to: Address, by: Address = hook) => [to, 10_000, 60, by, 160, 0];
  const path = (...steps: readonly (readonly (string | number)[])[]) => {
    const offsets = steps.map((_, k) => 32 * (steps.length + 6 * k));
    return words(32, 64, TOKEN_0, steps.length, ...offsets, ...steps.flat());
  };
  const told = (answer: Hex) => ({ [TOKEN_0]: answer });

  test("a swap pays what the ticks say, and the pool is spent", () => {
    const state = load(pool, told(path(step(TOKEN_1)))) as State;
    const fill = trade(pool, state, { i: 0, amount: 10n ** 18n })!;
    expect(fill.amountOut).toBe(paid((10n ** 18n * 999_223n) / 1_000_000n));
    const after = fill.writes[0]![1] as State;
    expect(trade(pool, after, { i: 0, amount: 10n ** 18n })).toBeUndefined();
    expect(uniswapV4.quoteFloat(uniswapV4.mirror(after, pool, at, new Map()), 0, 1, 1e18)).toBe(0);
  });

  test("its tokens are asked apart from all other contracts: anyone may have made them", () => {
    expect(uniswapV4.reads(pool, []).map(({ to, isUntrusted }) => [to, isUntrusted])).toEqual([
      [TOKEN_0, true],
      [TOKEN_1, true],
    ]);
  });

  test("a swap pays accounts of the coin's creator, which are foreign code; one without a hook calls nothing", () => {
    const state = load(pool, told(path(step(TOKEN_1)))) as State;
    expect(uniswapV4.encode(pool, state, 0, 1).runsForeignCode).toBe(true);
    const plain = poolOf("", NOBODY, 3000);
    expect(uniswapV4.encode(plain, load(plain, {}) as State, 0, 1).runsForeignCode).toBe(false);
  });

  test.each<[string, Hex]>([
    ["in other pools", path(step(TOKEN_1), step(STRANGER))],
    ["no token is a Zora coin", path(step(TOKEN_1, STRANGER))],
    ["no token is a Zora coin", path(step(STRANGER))],
    ["no token is a Zora coin", "0x"],
    ["no token is a Zora coin", words(32, 2n ** 255n, 5)],
  ])("refused: %s", (refusal, answer) => {
    expect(load(pool, told(answer))).toEqual({ refusal: expect.stringContaining(refusal) });
  });
});

test("the amount before a share is the least that leaves enough", () => {
  for (const cut of [0n, 1n, 6_000n, 59_999n, 999_999n])
    for (let net = 1n; net < 60n; net++) {
      const before = leastBefore(net, cut, 1_000_000n);
      const left = (amount: bigint) => amount - (amount * cut) / 1_000_000n;
      expect(left(before)).toBeGreaterThanOrEqual(net);
      expect(left(before - 1n)).toBeLessThan(net);
    }
});

describe("records", () => {
  const helpers = ["clanker-factory", "clanker-locker", "clanker-converter", "zora-factory"];
  const records = chains.flatMap(({ name, deployments }) =>
    deployments.filter(({ protocol }) => protocol === "uniswap-v4").map(({ facts }) => ({ name, facts })),
  );

  test.each(records)(
    "on $name, each name is a family's or a helper's, and each hook is called around swaps",
    ({ facts }) => {
      const listed = facts.hooks === undefined ? [] : readNamed(facts.hooks, "hooks");
      for (const { name, address: hook } of listed) {
        expect([...families.keys(), ...helpers]).toContain(name);
        expect(families.has(name)).toBe(!helpers.includes(name));
        if (families.has(name)) expect(BigInt(hook) & 0b1100_1100n).not.toBe(0n);
        // The manager ignores what a hook of Zora's answers only if these bits are not set.
        if (name === "zora-coin") expect(BigInt(hook) & 0b1000_1100n).toBe(0n);
      }
      const names = new Set(listed.map(({ name }) => name));
      expect(names.has("clanker-static") && !names.has("clanker-factory")).toBe(false);
      expect(names.has("zora-coin")).toBe(names.has("zora-factory"));
    },
  );
});

test("a record without the factory that a family asks is wrong", () => {
  const pool = poolOf("clanker-static", address(8, 0x28cc));
  const alone = { ...pool, facts: { ...pool.facts, helpers: `clanker-static=${address(8, 0x28cc)}` } };
  expect(() => uniswapV4.reads(alone, [])).toThrow(/deployment test: hooks must list clanker-factory/);
});
