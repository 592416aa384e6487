import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from "viem";
import { describe, expect, test } from "vitest";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { parseVectors } from "../swapvec.ts";
import { runVector } from "../vectors.ts";
import { NOW, POOL, subjectOf, VAULT } from "./arbitrary.ts";
import { swapBuffer } from "./buffer.ts";
import buffers from "./buffers.json" with { type: "json" };
import { balancerV3 } from "./index.ts";
import type { Shape, State } from "./state.ts";
import { imbalanceOf } from "./surge.ts";

const WEIGHTED: Address = "0x00000000000000000000000000000000000000f1";
const STABLE: Address = "0x00000000000000000000000000000000000000f2";
const RECLAMM: Address = "0x00000000000000000000000000000000000000f3";
const STRANGER: Address = "0x00000000000000000000000000000000000000f9";
const SURGE_HOOK: Address = "0x00000000000000000000000000000000000000e1";
const NOBODY: Address = "0x0000000000000000000000000000000000000000";
const A: Address = "0x00000000000000000000000000000000000000a1";
const B: Address = "0x00000000000000000000000000000000000000a2";
const ONE = 10n ** 18n;
const at: At = { blockNumber: 7, timestamp: NOW };

const deployment: Deployment = {
  id: "balancer-v3",
  protocol: "balancer-v3",
  name: "Balancer_V3",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: `weighted=${WEIGHTED};stable=${STABLE};reclamm=${RECLAMM}`, surgeHooks: SURGE_HOOK },
  source: "test",
};

const abi = parseAbi([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }",
  "struct Hooks { bool a; bool b; bool c; bool computesFee; bool beforeSwap; bool afterSwap; bool d; bool e; bool f; bool g; address hooksContract; }",
  "struct Management { bool a; bool b; bool c; bool d; }",
  "event PoolRegistered(address indexed pool, address indexed factory, TokenConfig[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, Roles roleAccounts, Hooks hooksConfig, Management liquidityManagement)",
  "event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)",
  "event PoolPausedStateChanged(address indexed pool, bool paused)",
  "event LastTimestampUpdated(uint32 lastTimestamp)",
]);
const registeredData = parseAbiParameters([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }",
  "struct Hooks { bool a; bool b; bool c; bool computesFee; bool beforeSwap; bool afterSwap; bool d; bool e; bool f; bool g; address hooksContract; }",
  "struct Management { bool a; bool b; bool c; bool d; }",
  "TokenConfig[], uint256, uint32, Roles, Hooks, Management",
]);

type Registration = {
  factory?: Address;
  hooks?: object;
  rated?: boolean;
  from?: Address;
  facts?: Deployment["facts"];
};

function discovered(registration: Registration): Pool | undefined {
  const { factory = WEIGHTED, hooks = {}, rated = false, from = VAULT } = registration;
  const off = { a: false, b: false, c: false, d: false, e: false, f: false, g: false };
  const flags = {
    ...off,
    computesFee: false,
    beforeSwap: false,
    afterSwap: false,
    hooksContract: NOBODY,
    ...hooks,
  };
  const token = (address: Address, type: number) => ({
    token: address,
    tokenType: type,
    rateProvider: NOBODY,
    paysYieldFees: false,
  });
  const roles = { pauseManager: NOBODY, swapFeeManager: NOBODY, poolCreator: NOBODY };
  const data = encodeAbiParameters(registeredData, [
    [token(A, rated ? 1 : 0), token(B, 0)],
    ONE,
    1,
    roles,
    flags,
    { a: true, b: false, c: false, d: true },
  ]);
  const topics = encodeEventTopics({ abi, eventName: "PoolRegistered", args: { pool: POOL, factory } });
  const facts = registration.facts ?? deployment.facts;
  return balancerV3.discover({ address: from, topics: topics as Hex[], data }, { ...deployment, facts });
}

const words = (...values: (bigint | number | boolean)[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values.map(BigInt),
  );

const poolDataType = parseAbiParameters([
  "struct Info { uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Data { bytes32 bits; address[] tokens; Info[] info; uint256[] raw; uint256[] live; uint256[] rates; uint256[] factors; }",
  "Data",
]);

function poolData(raw: readonly bigint[], rates: readonly bigint[]): Hex {
  const none = { tokenType: 0, rateProvider: NOBODY, paysYieldFees: false };
  return encodeAbiParameters(poolDataType, [
    {
      bits: `0x${"00".repeat(32)}`,
      tokens: [A, B],
      info: [none, none],
      raw,
      live: raw,
      rates,
      factors: [1n, 10n ** 12n],
    },
  ]);
}

type Table = Readonly<Record<string, Hex>>;

const config = (paused: boolean, recovers = false) =>
  words(0, 0, 0, 0, 10n ** 16n, 5n * 10n ** 17n, 0, 0, 0, true, true, paused, recovers);
const table: Table = {
  "getPoolData(address)": poolData([10n ** 21n, 10n ** 9n], [ONE, ONE]),
  "getPoolConfig(address)": config(false),
  "isVaultPaused()": words(false),
  "getMinimumTradeAmount()": words(1_000_000),
  "getNormalizedWeights()": encodeAbiParameters(
    [{ type: "uint256[]" }],
    [[5n * 10n ** 17n, 5n * 10n ** 17n]],
  ),
  "getAmplificationState()": words(200_000, 400_000, NOW - 100, NOW + 100, 1000),
  "getMaxSurgeFeePercentage(address)": words(5n * 10n ** 17n),
  "getSurgeThresholdPercentage(address)": words(10n ** 17n),
  "getLastVirtualBalances()": words(10n ** 21n, 10n ** 21n),
  "getLastTimestamp()": words(NOW - 86_400),
  "getCenterednessMargin()": words(2n * 10n ** 17n),
  "getDailyPriceShiftBase()": words(999_999_197_747_000_000n),
  "getPriceRatioState()": words(15n * 10n ** 17n, 15n * 10n ** 17n, 0, 1),
};

function load(pool: Pool, answers: Table = table) {
  const got = balancerV3.reads(pool, []).map(({ data }) => {
    const name = Object.keys(answers).find((item) => toFunctionSelector(item) === data.slice(0, 10));
    return name === undefined ? "0x" : answers[name]!;
  });
  expect(balancerV3.reads(pool, got)).toEqual([]);
  return balancerV3.load(pool, got, at);
}

const pool = discovered({})!;
const state = load(pool) as State;

function ask(of: State, amount: bigint, when = at, [i, j] = [0, 1]) {
  return balancerV3.quote(new Map([[POOL as string, of]]), pool, i!, j!, amount, "in", when);
}

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
    expect(() => discovered({ facts: {} })).toThrow("must list design=address");
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

describe("swaps", () => {
  test("half of the fee leaves the pool, the rest stays", () => {
    const fill = ask(state, 10n ** 19n)!;
    const next = fill.writes[0]![1] as State;
    expect(next.balances[0]).toBe(10n ** 21n + 10n ** 19n - 10n ** 19n / 100n / 2n);
    expect(next.balances[1]).toBe(10n ** 9n - fill.amountOut);
  });

  test("less than the least trade is refused, on either side", () => {
    expect(ask(state, 1_010_101n)).toBeUndefined();
    // 1.02 million units are enough to sell, but pay less than one unit of a token of six digits.
    expect(ask(state, 1_020_000n)).toBeUndefined();
    expect(ask(state, 2_000_000_000_000n)?.amountOut).toBe(1n);
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
    // Token A has become scarce, so the pool asks more for it.
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

const stableShape: Shape = {
  kind: "stable",
  ramp: { initialA: 200_000n, futureA: 200_000n, initialTime: 0, futureTime: 0 },
};

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
  const sale = discovered({ facts: { factories: `lbp=${WEIGHTED}` } })!;
  expect(load(sale, answers)).toMatchObject({
    shape: { kind: "bootstrapping", startTime: 1, endTime: 2, blocked: 1 },
  });
  const seedless = { ...answers, "getReserveTokenVirtualBalance()": words(5, 5) };
  expect(load(sale, seedless)).toEqual({ refusal: "the pool's parameters failed" });
});

test.each([
  [[5n, 5n], 0n],
  [[3n, 1n], 5n * 10n ** 17n],
  [[1n, 8n, 2n], (7n * ONE) / 11n],
] as const)("the imbalance of %s is %s", (balances, imbalance) => {
  expect(imbalanceOf(balances)).toBe(imbalance);
});

describe("buffers", () => {
  const even = { assets: 1n, shares: 1n };
  test.each([
    ["wrap", "in", 100n, 98n],
    ["wrap", "out", 100n, 102n],
    ["unwrap", "in", 100n, 98n],
    ["unwrap", "out", 100n, 102n],
    ["wrap", "in", 2n, undefined],
  ] as const)("%s, side %s: %s at even value is %s", (direction, side, amount, answer) => {
    expect(swapBuffer(even, { direction, amount, side })).toBe(answer);
  });

  test("round against the trader where the value has decimals", () => {
    const conversion = { assets: 3n, shares: 2n };
    expect(swapBuffer(conversion, { direction: "wrap", amount: 100n, side: "in" })).toBe(65n);
    expect(swapBuffer(conversion, { direction: "unwrap", amount: 100n, side: "out" })).toBe(69n);
  });

  test("recorded swaps pass within the digits of their rate, and no further", () => {
    const vectors = parseVectors(JSON.stringify(buffers));
    for (const vector of vectors) {
      expect(runVector(vector)!.map(({ wrong }) => wrong)).toEqual(vector.swaps.map(() => undefined));
      const off = vector.swaps.map((one) => ({
        ...one,
        amountIn: (one.amountIn! * (one.kind === "exactIn" ? 100_000n : 100_001n)) / 100_000n,
        amountOut: (one.amountOut! * (one.kind === "exactIn" ? 100_001n : 100_000n)) / 100_000n,
      }));
      for (const { wrong } of runVector({ ...vector, swaps: off })!) expect(wrong).toMatch(/^expected/);
    }
  });
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
