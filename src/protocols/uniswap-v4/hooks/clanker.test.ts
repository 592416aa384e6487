import { describe, expect, test } from "vitest";
import { word } from "../../../core/abi.ts";
import type { Address, Hex } from "../../../core/types.ts";
import { DYNAMIC_FEE } from "../../shared/pool-managers/pool-manager.ts";
import { MANAGER, POOL_ID } from "../arbitrary.ts";
import { uniswapV4 } from "../index.ts";
import type { State } from "../state.ts";
import {
  address,
  at,
  CLANKER,
  CONVERTER,
  LOCKER,
  load,
  NOBODY,
  paid,
  poolOf,
  Q96,
  STRANGER,
  SWAP,
  TOKEN_0,
  TOKEN_1,
  trade,
  words,
} from "./hooks.fixture.ts";

const fees = { "0x2c78f493": words(10_000), "0xf732b64e": words(30_000) };
const calm = { "0x2b887e0f": words(0), "0xee4d96cf": words(500) };
const POSITIONS = address(11);
/** Answers of a locker that holds three positions of a token's launch. */
const rewards = (token: Address, recipients: number) =>
  words(32, token, TOKEN_0, TOKEN_1, DYNAMIC_FEE, 60, CLANKER, 11, 3, 352, 500, 600, recipients, 5000, 5000);

describe("Clanker's fixed fees, second version", () => {
  const pool = poolOf("clanker-static-v2", CLANKER);
  const own = {
    ...fees,
    ...calm,
    "0x07eda3da": words(1),
    "0x4468979e": words(NOBODY),
    "0xac3e6ec9": words(0),
  };
  const held = { "0x791b98bc": words(POSITIONS), "0x30bd3eeb": rewards(TOKEN_0, 2) };

  test("a sale pays the clanker's fee, and a fifth of it in the paired token afterwards", () => {
    const state = load(pool, own) as State;
    expect(state).toMatchObject({
      dynamic: false,
      feePpm: 0,
      rule: { fees: [10_000, 30_000], moves: "never" },
    });
    const gross = paid((10n ** 18n * 990_000n) / 1_000_000n);
    const fill = trade(pool, state, { i: 0, amount: 10n ** 18n })!;
    expect(fill.amountOut).toBe(gross - (gross * 2_000n) / 1_000_000n);
  });

  test("a purchase loses the hook's share before the pool's fee", () => {
    const state = load(pool, own) as State;
    const share = (6_000n * 10n ** 18n) / 1_006_000n;
    const net = 10n ** 18n - (10n ** 18n * share) / 10n ** 18n;
    const fill = trade(pool, state, { i: 1, amount: 10n ** 18n })!;
    expect(fill.amountIn).toBe(10n ** 18n);
    expect(fill.amountOut).toBe(paid((net * 970_000n) / 1_000_000n));
  });

  test("what is bought costs the least input that pays it", () => {
    const state = load(pool, own) as State;
    for (const i of [0, 1]) {
      const { amountIn } = trade(pool, state, { i: i, amount: 10n ** 18n, side: "out" })!;
      expect(trade(pool, state, { i: i, amount: amountIn })!.amountOut).toBeGreaterThanOrEqual(10n ** 18n);
      expect(trade(pool, state, { i: i, amount: amountIn - 3n })!.amountOut).toBeLessThan(10n ** 18n);
    }
  });

  test("the step carries the fee of the key, as the manager asks", () => {
    const { extra } = uniswapV4.encode(pool, load(pool, own) as State, 0, 1);
    expect(extra).toBe(`0x80000000003c${CLANKER.slice(2)}`);
  });

  test.each<[string, Readonly<Record<string, Hex>>]>([
    ["two minutes", { "0x2b887e0f": words(1), "0xee4d96cf": words(900) }],
    ["extension", { "0xac3e6ec9": words(STRANGER) }],
    ["locker that is not listed", { "0x4468979e": words(STRANGER) }],
    ["does not answer", { "0x2c78f493": "0x" }],
    ["above the most", { "0x2c78f493": words(300_001) }],
    ["locker does not answer", { "0x4468979e": words(LOCKER) }],
    ["locker does not answer", { ...held, "0x4468979e": words(LOCKER), "0x30bd3eeb": rewards(TOKEN_1, 2) }],
    ["locker does not answer", { ...held, "0x4468979e": words(CONVERTER), "0xda37c915": words(3) }],
    ["cannot be read", { ...held, "0x4468979e": words(CONVERTER), "0xda37c915": words(1) }],
  ])("refused: %s", (refusal, told) => {
    expect(load(pool, { ...own, ...told })).toEqual({ refusal: expect.stringContaining(refusal) });
  });

  test("a module against snipers that has expired is no obstacle", () => {
    expect(load(pool, { ...own, "0x2b887e0f": words(1), "0xee4d96cf": words(880) })).toMatchObject({
      tick: 0,
    });
  });

  test("a locker costs gas; one that may come to sell fees makes the state age", () => {
    const none = load(pool, own) as State;
    const told = { ...held, "0xda37c915": words(0) };
    const plain = load(pool, { ...own, ...told, "0x4468979e": words(LOCKER) }) as State;
    const converting = load(pool, { ...own, ...told, "0x4468979e": words(CONVERTER) }) as State;
    expect(plain.rule!.gas).toBeGreaterThan(none.rule!.gas);
    expect([plain.dynamic, converting.dynamic]).toEqual([false, true]);
  });

  describe("a locker that sells fees", () => {
    const L = 10n ** 21n;
    const info = (lower: number, upper: number) =>
      words(((BigInt(upper) << 24n) + BigInt.asUintN(24, BigInt(lower))) << 8n);
    const preference = (k: number) => `0xda37c915${word(BigInt(TOKEN_0))}${word(k)}`;
    const told = {
      ...{ ...own, ...held, "0x4468979e": words(CONVERTER), "0x89097a6a": info(-6000, 6000) },
      // The first recipient wants the paired token, the second both.
      ...{ [preference(0)]: words(1), [preference(1)]: words(0), "0xda37c915": "0x" as Hex },
      // Three positions, each with 10^18 units of token 0 for a third of the liquidity.
      "0xdacf1d2f": words(L / 3n, 5, 7),
      "0x53e9c1fb": words(5n + (3n * 2n ** 128n) / 1000n, 7),
    };
    // Half of the fees, less the clanker's fee, moves the price.
    const half = (3n * ((((3n * 2n ** 128n) / 1000n) * (L / 3n)) >> 128n) + 1n) / 2n;
    const net = (half * 990_000n) / 1_000_000n;

    test("leaves its price and its fee to the next swap", () => {
      const state = load(pool, told) as State;
      const moved = (L << 96n) * Q96;
      const below = (L << 96n) + net * Q96;
      expect(state.sqrtPriceX96).toBe((moved + below - 1n) / below);
      expect(state).toMatchObject({ dynamic: true, rule: { fees: [10_000, 10_000], moves: "before" } });
      expect(state.rule!.inputCuts[1]).toBe((2_000n * 10n ** 18n) / 1_002_000n);
      expect(state.rule!.outputCuts[0]).toBe(2_000);
    });

    test("makes a swap the last one until the pool is read again", () => {
      const state = load(pool, told) as State;
      const after = trade(pool, state, { i: 0, amount: 10n ** 18n })!.writes[0]![1] as State;
      expect(trade(pool, after, { i: 0, amount: 10n ** 18n })).toBeUndefined();
      const topics: readonly Hex[] = [SWAP, POOL_ID, words(9)];
      const swapped = { topics, data: words(-5, 4, Q96, 1, 0, 0) };
      expect(uniswapV4.apply(state, { address: MANAGER, ...swapped }, at)).toBe("reload");
      expect(uniswapV4.apply(state, { address: STRANGER, ...swapped }, at)).toBe(state);
    });

    test("is refused where the pool does not take all of it", () => {
      const huge = { ...told, "0x53e9c1fb": words(2n ** 200n, 7) };
      expect(load(pool, huge)).toEqual({ refusal: expect.stringContaining("does not take") });
    });
  });
});

describe("Clanker's fixed fees, first version", () => {
  const pool = poolOf("clanker-static", CLANKER);
  const info = (token: Address, hook: Address, locker: Address) => words(32, token, hook, locker, 128, 0);
  const own = {
    ...fees,
    ...calm,
    "0xbdf22863": words(STRANGER),
    "0x30bd3eeb": rewards(TOKEN_1, 2),
    "0x791b98bc": words(POSITIONS),
  };

  /** Loads the pool with the factory's answers for both tokens. */
  function launched(answers: readonly [Hex, Hex]) {
    const [of0, of1] = [TOKEN_0, TOKEN_1].map((token) => `0x22adcdb1${word(BigInt(token))}`) as [
      string,
      string,
    ];
    return load(pool, { ...own, [of0]: answers[0], [of1]: answers[1] });
  }

  test("the factory tells the clanker and its locker", () => {
    const state = launched([info(NOBODY, NOBODY, NOBODY), info(TOKEN_1, CLANKER, LOCKER)]);
    expect(state).toMatchObject({ rule: { fees: [30_000, 10_000], outputCuts: [0, 2_000] } });
  });

  test("refused: the factory names both tokens, or neither, or launched it with another hook", () => {
    const both = [info(TOKEN_0, CLANKER, LOCKER), info(TOKEN_1, CLANKER, LOCKER)] as const;
    const elsewhere = [info(NOBODY, NOBODY, NOBODY), info(TOKEN_1, STRANGER, LOCKER)] as const;
    for (const answers of [both, elsewhere])
      expect(launched(answers)).toEqual({ refusal: expect.stringContaining("none or both") });
  });

  test("refused: a pool that anybody opened, whose clanker cannot be read", () => {
    const told = { ...own, "0xbdf22863": words(0), "0x22adcdb1": words(32, 0, 0, 0) };
    expect(load(pool, told)).toEqual({ refusal: expect.stringContaining("not opened by Clanker's factory") });
  });
});
