import { encodeEventTopics, encodeFunctionData, parseAbi } from "viem/utils";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Call, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { emptyPool, minted } from "../shared/concentrated/concentrated-arbitrary.ts";
import { uniswapV3 } from "./index.ts";
import type { State } from "./state.ts";

const abi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)",
  "event CustomFeeSet(address indexed pool, uint24 indexed fee)",
  "event InitialFeeDisabled(address indexed pool)",
  "function slot0() view returns (uint160, int24)",
  "function liquidity() view returns (uint128)",
  "function fee() view returns (uint24)",
  "function swapFeeModule() view returns (address)",
  "function defaultScalingFactor() view returns (uint256)",
  "function defaultFeeCap() view returns (uint256)",
  "function secondsAgo() view returns (uint32)",
  "function MIN_SECONDS_AGO() view returns (uint32)",
  "function dynamicFeeConfig(address) view returns (uint24, uint24, uint64, bool, uint24)",
  "function tickBitmap(int16) view returns (uint256)",
  "function ticks(int24) view returns (uint128, int128)",
]);

const factory = "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a";
const module = "0x00000000000000000000000000000000000000fe";
const address = "0x00000000000000000000000000000000000000bb";
const [token0, token1] = [
  "0x1111111111111111111111111111111111111111",
  "0x2222222222222222222222222222222222222222",
] as const;
const at = { blockNumber: 5, timestamp: 1_700_000_000 };
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
type Asked =
  | ("fee" | "swapFeeModule" | "slot0" | "liquidity")
  | ("defaultScalingFactor" | "defaultFeeCap" | "secondsAgo" | "MIN_SECONDS_AGO");
const asked = (data: Hex, name: Asked) => data === encodeFunctionData({ abi, functionName: name });

const record: Deployment = {
  id: "aerodrome-slipstream",
  protocol: "uniswap-v3",
  name: "Aerodrome_Slipstream",
  factory,
  fromBlock: 0,
  trusted: false,
  facts: {},
  source: "test",
};

const created: Log = {
  address: factory,
  topics: encodeEventTopics({
    abi,
    eventName: "PoolCreated",
    args: { token0, token1, tickSpacing: 200 },
  }) as Hex[],
  data: words(BigInt(address)),
};
const pool = uniswapV3.discover(created, record) as Pool;

/** A pool at tick 7 with one position. */
const held = minted(emptyPool({ feePpm: 420, tickSpacing: 200 }, 7, 0), {
  lower: -400,
  upper: 600,
  liquidity: 10n ** 18n,
});

type Answers = Readonly<Record<"fee" | "module" | "scaling" | "config" | "window", Hex>>;
const byHand: Answers = {
  fee: words(420),
  module: words(BigInt(module)),
  scaling: "0x",
  config: "0x",
  window: words(600),
};

function ofModule(data: Hex, given: Answers): Hex {
  if (asked(data, "defaultScalingFactor")) return given.scaling;
  if (asked(data, "defaultFeeCap")) return words(9_000);
  if (asked(data, "secondsAgo")) return given.window;
  return asked(data, "MIN_SECONDS_AGO") ? words(2) : given.config;
}

function answer({ to, data }: Call, given: Answers): Hex {
  if (asked(data, "slot0")) return words(held.sqrtPriceX96, held.tick, 0, 1, 1);
  if (asked(data, "liquidity")) return words(held.liquidity);
  if (asked(data, "fee")) return given.fee;
  if (asked(data, "swapFeeModule")) return to === factory ? given.module : "0x";
  if (to === module) return ofModule(data, given);
  if (data.startsWith("0x380dc1c2")) return words(3_000);
  if (data.startsWith("0x252c09d7")) return words(at.timestamp - 2, 0, 0, data.endsWith("0") ? 1 : 0);
  const bit = (tick: number) => 1n << BigInt((((tick / 200) % 256) + 256) % 256);
  const bitmaps = new Map(
    [-1, 0].map((at) => [
      encodeFunctionData({ abi, functionName: "tickBitmap", args: [at] }),
      words(at === 0 ? bit(600) : bit(-400)),
    ]),
  );
  const ticks = new Map(
    held.ticks.map((tick, k) => [
      encodeFunctionData({ abi, functionName: "ticks", args: [tick] }),
      words(held.grosses[k]!, held.nets[k]!),
    ]),
  );
  return bitmaps.get(data) ?? ticks.get(data) ?? words(0n);
}

function loaded(given: Answers) {
  const answers: Hex[] = [];
  for (let calls = uniswapV3.reads(pool, answers); calls.length > 0; calls = uniswapV3.reads(pool, answers))
    answers.push(...calls.map((call) => answer(call, given)));
  return uniswapV3.load(pool, answers, at);
}

describe("a pool of Slipstream", () => {
  test("is found by its spacing, in a log of the listed factory only", () => {
    expect(pool).toMatchObject({
      id: address,
      tokens: [token0, token1],
      facts: { tickSpacing: 200, feesFrom: factory },
    });
    expect(uniswapV3.discover({ ...created, address: module }, record)).toBeUndefined();
    expect(uniswapV3.discover({ ...created, data: "0x" }, record)).toBeUndefined();
  });

  test("is a v3 pool with the fee that it says now", () => {
    expect(loaded(byHand)).toEqual({ ...held, fees: { module, readAt: at.timestamp, swapGas: 36_000 } });
  });

  test("without a module it has its spacing's fee, and a module of the newer kind may stand still", () => {
    const none = loaded({ ...byHand, module: words(0) }) as State;
    expect(none.feePpm).toBe(420);
    const still = loaded({ ...byHand, scaling: words(0), config: words(420, 9000, 0, 0, 0) }) as State;
    expect(still.feePpm).toBe(420);
  });

  test("has the fee that its module computes, or is refused where the module computes another", () => {
    const moving = { ...byHand, scaling: words(10), config: words(400, 0, 0, 0, 0) };
    expect(loaded({ ...moving, fee: words(400) })).toMatchObject({
      feePpm: 400,
      fees: {
        moving: { basePpm: 400, capPpm: 9_000, scaling: 10n, window: 600, blockSeconds: 2, stepSeconds: 2 },
      },
    });
    expect(loaded(moving)).toEqual({ refusal: "the module computes its fee in another way" });
    const own = { ...byHand, fee: words(2_900), scaling: words(10), config: words(0, 7_000, 5, 0, 0) };
    expect(loaded(own)).toEqual({ refusal: "the module computes its fee in another way" });
    expect(loaded({ ...own, fee: words(3_000) })).toMatchObject({
      fees: { moving: { basePpm: 3_000, capPpm: 7_000, scaling: 5n } },
    });
    const opens = { ...byHand, fee: words(0), scaling: words(0), config: words(400, 0, 0, 1, 420) };
    expect(loaded(opens)).toMatchObject({ feePpm: 0, fees: { moving: { openingPpm: 0 } } });
  });

  test.each<[string, Answers, string]>([
    [
      "does not state its window",
      { ...byHand, scaling: words(10), config: words(1, 2, 3), window: "0x" },
      "the module computes its fee in another way",
    ],
    ["cannot be asked for", { ...byHand, module: "0x" }, "the fee or its module failed"],
    ["states a fee of a million", { ...byHand, fee: words(1_000_000) }, "the fee or its module failed"],
  ])("is refused where its module %s", (_name, given, refusal) => {
    expect(loaded(given)).toEqual({ refusal });
  });

  test("is read again when its own module changes the fee, and after an hour", () => {
    const state = loaded(byHand) as State;
    const log = (from: Hex, eventName: "CustomFeeSet" | "InitialFeeDisabled"): Log => {
      const args = eventName === "CustomFeeSet" ? { pool: address, fee: 500 } : { pool: address };
      return {
        address: from,
        topics: encodeEventTopics({ abi, eventName, args } as never) as Hex[],
        data: "0x",
      };
    };
    for (const name of ["CustomFeeSet", "InitialFeeDisabled"] as const) {
      expect(uniswapV3.touches(log(module, name))).toEqual([address]);
      expect(uniswapV3.apply(state, log(module, name), at)).toBe("reload");
      expect(uniswapV3.apply(state, log(factory, name), at)).toBe(state);
      expect(uniswapV3.apply(held, log(module, name), at)).toBe(held);
    }
    expect(uniswapV3.stale(state, { ...at, timestamp: at.timestamp + 3600 })).toBe(false);
    expect(uniswapV3.stale(state, { ...at, timestamp: at.timestamp + 3601 })).toBe(true);
    expect(uniswapV3.stale(held, { ...at, timestamp: at.timestamp + 9999 })).toBe(false);
  });
});
