import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from "viem/utils";
import { expect } from "vitest";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, At, Deployment, Hex, Pool } from "../../core/types.ts";
import { NOW, POOL, VAULT } from "./arbitrary.ts";
import { balancerV3 } from "./index.ts";
import type { State } from "./state.ts";

/** A pool as the vault registers it, and the vault's answers about it. */

export const WEIGHTED: Address = "0x00000000000000000000000000000000000000f1";
export const STABLE: Address = "0x00000000000000000000000000000000000000f2";
export const RECLAMM: Address = "0x00000000000000000000000000000000000000f3";
export const STRANGER: Address = "0x00000000000000000000000000000000000000f9";
export const SURGE_HOOK: Address = "0x00000000000000000000000000000000000000e1";
const NOBODY: Address = "0x0000000000000000000000000000000000000000";
export const A: Address = "0x00000000000000000000000000000000000000a1";
export const B: Address = "0x00000000000000000000000000000000000000a2";
export const ONE = 10n ** 18n;
export const at: At = { blockNumber: 7, timestamp: NOW };

export const deployment: Deployment = {
  id: "balancer-v3",
  protocol: "balancer-v3",
  name: "Balancer_V3",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: {
    factories: writeNamed({ weighted: WEIGHTED, stable: STABLE, reclamm: RECLAMM }),
    hooks: writeNamed({ "stable-surge": SURGE_HOOK }),
  },
  source: "test",
};

export const abi = parseAbi([
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

export function discovered(registration: Registration): Pool | undefined {
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

export const words = (...values: (bigint | number | boolean)[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values.map(BigInt),
  );

const poolDataType = parseAbiParameters([
  "struct Info { uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Data { bytes32 bits; address[] tokens; Info[] info; uint256[] raw; uint256[] live; uint256[] rates; uint256[] factors; }",
  "Data",
]);

export function poolData(raw: readonly bigint[], rates: readonly bigint[]): Hex {
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

export type Table = Readonly<Record<string, Hex>>;

export const config = (paused: boolean, recovers = false) =>
  words(0, 0, 0, 0, 10n ** 16n, 5n * 10n ** 17n, 0, 0, 0, true, true, paused, recovers);
export const table: Table = {
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

export function load(pool: Pool, answers: Table = table) {
  const got = balancerV3.reads(pool, []).map(({ data }) => {
    const name = Object.keys(answers).find((item) => toFunctionSelector(item) === data.slice(0, 10));
    return name === undefined ? "0x" : answers[name]!;
  });
  expect(balancerV3.reads(pool, got)).toEqual([]);
  return balancerV3.load(pool, got, at);
}

export const pool = discovered({})!;
export const state = load(pool) as State;
