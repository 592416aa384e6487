import { describe, expect, test } from "vitest";
import { word } from "../../../core/abi.ts";
import { writeNamed } from "../../../core/named-addresses.ts";
import type { Address, At, Call, Hex, Pool } from "../../../core/types.ts";
import { DYNAMIC_FEE } from "../../pool-manager.ts";
import { MANAGER, POOL_ID } from "../arbitrary.ts";
import { uniswapV4 } from "../index.ts";
import type { State } from "../state.ts";
import { leastBefore } from "./rule.ts";

const words = (...values: readonly (bigint | number | string)[]): Hex =>
  `0x${values.map((value) => word(BigInt.asUintN(256, BigInt(value)))).join("")}`;

const address = (last: number, bits = 0): Address =>
  `0x${word((BigInt(last) << 20n) + BigInt(bits)).slice(24)}`;

const [TOKEN_0, TOKEN_1, VIEW] = [address(1), address(2), address(3)];
const [FACTORY, LOCKER, CONVERTER, STRANGER] = [address(4), address(5), address(6), address(7)];
const CLANKER = address(8, 0x28cc);
const NOBODY = address(0);
const Q96 = 2n ** 96n;
const at: At = { blockNumber: 9, timestamp: 1000 };

/** A pool at price 1 of 10^21 liquidity from tick -6000 to 6000. */
function poolOf(family: string, hooks: Address, fee: number = DYNAMIC_FEE): Pool {
  const helpers = writeNamed({
    [family]: hooks,
    "clanker-factory": FACTORY,
    "clanker-locker": LOCKER,
    "clanker-converter": CONVERTER,
    "zora-factory": FACTORY,
  });
  return {
    id: POOL_ID,
    address: MANAGER,
    protocol: "uniswap-v4",
    deployment: "test",
    tokens: [TOKEN_0, TOKEN_1],
    stateIds: [POOL_ID],
    facts: { fee, tickSpacing: 60, hooks, family, helpers, stateView: VIEW },
  };
}

/** StateView's answers for the pool, whose own fee is 777 parts per million. */
function viewed({ data }: Call): Hex {
  const last = BigInt.asIntN(256, BigInt(`0x${data.slice(74) || "0"}`));
  if (data.startsWith("0xc815641c")) return words(Q96, 0, 0, 777);
  if (data.startsWith("0xfa6793d5")) return words(10n ** 21n);
  // At spacing 60, ticks -6000 and 6000 are bits 156 of word -1 and 100 of word 0.
  if (data.startsWith("0x1c7ccb4c")) return words(last === -1n ? 1n << 156n : last === 0n ? 1n << 100n : 0n);
  return words(10n ** 21n, last < 0n ? 10n ** 21n : -(10n ** 21n));
}

/** Loads the pool with the answers of contracts other than StateView by calldata, by target or by selector. */
function load(pool: Pool, told: Readonly<Record<string, Hex>>, when: At = at) {
  const answers: Hex[] = [];
  for (;;) {
    const calls = uniswapV4.reads(pool, answers);
    if (calls.length === 0) return uniswapV4.load(pool, answers, when);
    for (const call of calls) {
      const answer = told[call.data] ?? told[call.to] ?? told[call.data.slice(0, 10)] ?? "0x";
      answers.push(call.to === VIEW ? viewed(call) : answer);
    }
  }
}

type Sale = { readonly i: number; readonly amount: bigint; readonly side?: "in" | "out" };

function trade(pool: Pool, state: State, { i, amount, side = "in" }: Sale) {
  return uniswapV4.quote(new Map([[POOL_ID, state]]), pool, i, 1 - i, amount, side, at);
}

/** Output of 10^21 liquidity at price 1, by the closed form, for an input net of fees. */
const paid = (net: bigint) => (net * 10n ** 21n) / (10n ** 21n + net);

const fees = { "0x2c78f493": words(10_000), "0xf732b64e": words(30_000) };
const calm = { "0x2b887e0f": words(0), "0xee4d96cf": words(500) };
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

  test("a sale pays the clanker's fee, and a fifth of it in the paired token afterwards", () => {
    const state = load(pool, own) as State;
    expect(state).toMatchObject({
      dynamic: false,
      feePpm: 0,
      rule: { fees: [10_000, 30_000], moves: false },
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
    ["above 100 %", { "0x2c78f493": words(1_000_001) }],
    ["locker does not answer", { "0x4468979e": words(LOCKER) }],
    ["locker does not answer", { "0x4468979e": words(LOCKER), "0x30bd3eeb": rewards(TOKEN_1, 2) }],
    [
      "sells fees in the pool",
      { "0x4468979e": words(CONVERTER), "0x30bd3eeb": rewards(TOKEN_0, 2), "0xda37c915": words(1) },
    ],
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
    const told = { "0x30bd3eeb": rewards(TOKEN_0, 2), "0xda37c915": words(0) };
    const plain = load(pool, { ...own, ...told, "0x4468979e": words(LOCKER) }) as State;
    const converting = load(pool, { ...own, ...told, "0x4468979e": words(CONVERTER) }) as State;
    expect(plain.rule!.gas).toBeGreaterThan(none.rule!.gas);
    expect([plain.dynamic, converting.dynamic]).toEqual([false, true]);
  });
});

describe("Clanker's fixed fees, first version", () => {
  const pool = poolOf("clanker-static", CLANKER);
  const info = (token: Address, hook: Address, locker: Address) => words(32, token, hook, locker, 128, 0);
  const own = { ...fees, ...calm, "0xbdf22863": words(STRANGER), "0x30bd3eeb": rewards(TOKEN_1, 2) };

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
