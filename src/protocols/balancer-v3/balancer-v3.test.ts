import { encodeAbiParameters, encodeEventTopics, parseAbiParameters, toEventSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Hex, Log } from "../../core/types.ts";
import { NOW, POOL, subjectOf, VAULT } from "./arbitrary.ts";
import { balancerV3 } from "./index.ts";
import type { State } from "./state.ts";
import {
  A,
  abi,
  at,
  B,
  config,
  discovered,
  load,
  ONE,
  pool,
  poolData,
  RECLAMM,
  STABLE,
  STRANGER,
  SURGE_HOOK,
  state,
  type Table,
  table,
  WEIGHTED,
  words,
} from "./vault.fixture.ts";

/** Tests discovery and state from the vault's logs and answers, and the router's step from a state. */

describe("discovery", () => {
  test("the vault's registration is a pool of its factory's design", () => {
    expect(pool).toMatchObject({
      id: POOL,
      address: VAULT,
      tokens: [A, B],
      facts: { design: "weighted", hasRates: false, hook: "none" },
    });
    expect(discovered({ from: STRANGER })).toBeUndefined();
  });

  test.each([
    ["another factory's", { factory: STRANGER }, "made by a factory that is not listed"],
    ["a hook before swaps", { hooks: { beforeSwap: true } }, "its hooks may change what a swap pays"],
    ["a hook after swaps", { hooks: { afterSwap: true } }, "its hooks may change what a swap pays"],
    [
      "a fee by a hook that is not known",
      { hooks: { computesFee: true, hooksContract: STRANGER } },
      "its hooks may change what a swap pays",
    ],
    [
      "a surge hook on a weighted pool",
      { hooks: { computesFee: true, hooksContract: SURGE_HOOK } },
      "a surge hook on another curve",
    ],
  ] as const)("%s pool is refused", (_name, registration, refusal) => {
    expect(load(discovered(registration)!)).toEqual({ refusal });
  });

  test("a deployment that lists no factories is wrong", () => {
    expect(() => discovered({ facts: {} })).toThrow("factories must list name=address");
  });
});

describe("state", () => {
  test("balances, scaling and fees are the vault's", () => {
    expect(state).toEqual({
      vault: VAULT,
      tokens: [A, B],
      balances: [10n ** 21n, 10n ** 9n],
      factors: [1n, 10n ** 12n],
      rates: [ONE, ONE],
      swapFee: 10n ** 16n,
      aggregateFee: 5n * 10n ** 17n,
      leastTrade: 1_000_000n,
      shape: { kind: "weighted", weights: [5n * 10n ** 17n, 5n * 10n ** 17n] },
      surge: null,
      onlyIn: 0,
    });
  });

  test("in recovery no fee leaves the pool; with rates the state holds for one block", () => {
    expect(load(pool, { ...table, "getPoolConfig(address)": config(false, true) })).toMatchObject({
      aggregateFee: 0n,
    });
    const rated = load(discovered({ rated: true })!) as State;
    expect([7, 8].map((blockNumber) => balancerV3.stale(rated, { ...at, blockNumber }))).toEqual([
      false,
      true,
    ]);
  });

  test("a stable pool has its ramp, and the hook's threshold and fee", () => {
    const surging = discovered({ factory: STABLE, hooks: { computesFee: true, hooksContract: SURGE_HOOK } })!;
    expect(load(surging)).toMatchObject({
      shape: { kind: "stable", ramp: { initialA: 200_000n, futureA: 400_000n, futureTime: NOW + 100 } },
      surge: { threshold: 10n ** 17n, maxFee: 5n * 10n ** 17n },
    });
  });

  test("a hook that has no say in swaps is any contract of the pool's creator, and is not called", () => {
    const hooked = discovered({ hooks: { hooksContract: STRANGER } })!;
    expect(load(hooked)).toEqual(load(pool));
    expect(hooked.facts).toMatchObject({ hook: "none", hookAddress: STRANGER });
    expect(balancerV3.reads(hooked, []).map(({ to }) => to)).not.toContain(STRANGER);
  });

  test("a weighted pool that knows least balances has them", () => {
    const lists = (...values: readonly bigint[]) => encodeAbiParameters([{ type: "uint256[]" }], [values]);
    const answered = (answer: Hex) => load(pool, { ...table, "getMinTokenBalances()": answer });
    expect(answered(lists(5n, 6n))).toMatchObject({ shape: { kind: "weighted", least: [5n, 6n] } });
    expect(answered(lists(5n))).toEqual({ refusal: "the pool's parameters failed" });
  });

  test.each([
    ["the vault is paused", { "isVaultPaused()": words(true) }],
    ["the pool is paused", { "getPoolConfig(address)": config(true) }],
    ["getPoolConfig failed", { "getPoolConfig(address)": "0x" }],
    ["getPoolData failed", { "getPoolData(address)": words(32, 0) }],
    ["a rate is zero", { "getPoolData(address)": poolData([1n, 1n], [ONE, 0n]) }],
    ["getMinimumTradeAmount failed", { "getMinimumTradeAmount()": "0x" }],
    ["the pool's parameters failed", { "getNormalizedWeights()": "0x" }],
  ] as const)("refused: %s", (refusal, change) => {
    expect(load(pool, { ...table, ...change } as Table)).toEqual({ refusal });
  });
});

test("a sale is read with its token, and refused where it counts in a balance that is not there", () => {
  const lists = parseAbiParameters("uint256, uint256, uint256[], uint256[]");
  const update = encodeAbiParameters(lists, [
    1n,
    2n,
    [9n * 10n ** 17n, 10n ** 17n],
    [10n ** 17n, 9n * 10n ** 17n],
  ]);
  const answers: Table = {
    ...table,
    "getGradualWeightUpdateParams()": update,
    "isProjectTokenSwapInBlocked()": words(true),
    "getProjectToken()": words(BigInt(B)),
  };
  const sale = discovered({ facts: { factories: writeNamed({ lbp: WEIGHTED }) } })!;
  expect(load(sale, answers)).toMatchObject({
    shape: { kind: "bootstrapping", startTime: 1, endTime: 2, blocked: 1 },
  });
  const seedless = { ...answers, "getReserveTokenVirtualBalance()": words(5, 5) };
  expect(load(sale, seedless)).toEqual({ refusal: "the pool's parameters failed" });
});

describe("logs", () => {
  const log = (eventName: "Swap" | "PoolPausedStateChanged", args: object, data: Hex): Log => ({
    address: VAULT,
    topics: encodeEventTopics({ abi, eventName, args: args as never }) as Hex[],
    data,
  });
  const swap = log("Swap", { pool: POOL, tokenIn: A, tokenOut: B }, words(1000, 20, 10n ** 16n, 10));

  test("a swap moves balances as a quote does", () => {
    expect(balancerV3.touches(swap)).toEqual([POOL]);
    const next = balancerV3.apply(state, swap, at) as State;
    expect(next.balances).toEqual([10n ** 21n + 1000n - 5n, 10n ** 9n - 20n]);
  });

  test("with rates, and where virtual balances moved, it is read again", () => {
    expect(balancerV3.apply({ ...state, onlyIn: 7 }, swap, at)).toBe("reload");
    const readjusting = load(discovered({ factory: RECLAMM })!) as State;
    expect(balancerV3.apply(readjusting, swap, at)).toBe("reload");
  });

  test("a log that only looks like the vault's changes nothing; a pause is read again", () => {
    expect(balancerV3.apply(state, { ...swap, address: STRANGER }, at)).toBe(state);
    expect(balancerV3.apply(state, log("PoolPausedStateChanged", { pool: POOL }, words(true)), at)).toBe(
      "reload",
    );
  });

  test("a pause of the vault has all pools read again", () => {
    const topic = toEventSelector("event VaultPausedStateChanged(bool)");
    expect(balancerV3.pauses).toEqual([topic]);
    expect(balancerV3.topics).toContain(topic);
  });

  test("a pool's own log is about itself", () => {
    const topics = encodeEventTopics({ abi, eventName: "LastTimestampUpdated" }) as Hex[];
    expect(balancerV3.touches({ address: POOL, topics, data: words(NOW) })).toEqual([POOL]);
  });
});

test("the step names the vault and the pool", () => {
  expect(balancerV3.encode(subjectOf(state).pool, state, 0, 1)).toMatchObject({
    kind: 8,
    target: VAULT,
    extra: POOL,
  });
});
