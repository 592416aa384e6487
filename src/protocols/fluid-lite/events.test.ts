import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Deployment, Hex, Log } from "../../core/types.ts";
import { packed, withBits } from "../shared/packed-word.ts";
import { subjectOf } from "./arbitrary.ts";
import { topics } from "./events.ts";
import { fluidLite } from "./index.ts";
import { FIELDS, idOf, type State } from "./state.ts";

const CONTRACT = "0x00000000000000000000000000000000000000f1";
const DEPLOYER = "0x4ec7b668baf70d4a4b0fc7941a7708a07b6d45be";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const DEX_ID = 0x6dd1_6110_7ef0_7bb8n;
const [INITIALIZE, SWAP, FEE_CHANGED] = topics as readonly [Hex, Hex, Hex];
const at = { blockNumber: 9, timestamp: 1_700_000_000 };

const deployment: Deployment = {
  id: "fluid-lite",
  protocol: "fluid-lite",
  name: "Fluid_Lite",
  factory: CONTRACT,
  fromBlock: undefined,
  trusted: true,
  facts: { deployer: DEPLOYER },
  source: "a test",
};

const logOf = (topic: Hex, words: readonly bigint[]): Log =>
  ({ address: CONTRACT, topics: [topic], data: `0x${words.map(word).join("")}` }) as unknown as Log;
const KEY = [BigInt(USDC), BigInt(USDT), 3n, DEX_ID << 192n];

const variables = packed([
  [FIELDS.fee, 100n],
  [FIELDS.decimals0, 6n],
  [FIELDS.decimals1, 6n],
  [FIELDS.supply0, 1000n],
  [FIELDS.supply1, 1000n],
]);
const state: State = {
  ...{ contract: CONTRACT, variables, centerShift: 1n, rangeShift: 0n, thresholdShift: 0n, named: 0n },
  ...{ readAt: 8, isClosed: false },
};

describe("discovery", () => {
  test("a pool is announced with its key, and known by its 8 bytes", () => {
    const pool = fluidLite.discover(logOf(INITIALIZE, [...KEY, variables, 0n]), deployment)!;
    expect(pool).toMatchObject({ id: idOf(DEX_ID), address: CONTRACT, tokens: [USDC, USDT] });
    expect(pool.facts).toEqual({ salt: `0x${word(3n)}`, deployer: DEPLOYER });
  });

  test("other logs, other contracts and a log that is cut announce nothing; a record without a deployer is wrong", () => {
    expect(fluidLite.discover(logOf(SWAP, [...KEY, variables]), deployment)).toBeUndefined();
    expect(fluidLite.discover(logOf(INITIALIZE, KEY.slice(0, 3)), deployment)).toBeUndefined();
    const other = { ...deployment, factory: USDC } as Deployment;
    expect(fluidLite.discover(logOf(INITIALIZE, KEY), other)).toBeUndefined();
    const wrong = { ...deployment, facts: {} };
    expect(() => fluidLite.discover(logOf(INITIALIZE, KEY), wrong)).toThrow(/deployer/);
  });
});

describe("logs", () => {
  const swapped = (after: bigint) => logOf(SWAP, [DEX_ID | (1n << 64n) | (5n << 65n), after]);

  test("all name the pool by its 8 bytes, a swap in its lowest bits", () => {
    expect(fluidLite.touches(swapped(variables))).toEqual([idOf(DEX_ID)]);
    expect(fluidLite.touches(logOf(FEE_CHANGED, KEY))).toEqual([idOf(DEX_ID)]);
    expect(fluidLite.touches(logOf(FEE_CHANGED, KEY.slice(1)))).toEqual([]);
    expect(fluidLite.touches(logOf(`0x${"9".repeat(64)}`, KEY))).toEqual([]);
  });

  test("a swap of a pool at rest carries its state", () => {
    const traded = withBits(withBits(variables, FIELDS.supply0, 1100n), FIELDS.supply1, 900n);
    expect(fluidLite.apply(state, swapped(traded), at)).toEqual({ ...state, variables: traded, readAt: 9 });
    expect(fluidLite.stale(state, { ...at, blockNumber: 1_000_000 })).toBe(false);
  });

  test("what another contract says of a pool changes nothing", () => {
    const emptied = withBits(withBits(variables, FIELDS.supply0, 1n), FIELDS.supply1, 1n << 40n);
    for (const log of [swapped(emptied), logOf(FEE_CHANGED, KEY)])
      expect(fluidLite.apply(state, { ...log, address: USDC }, at)).toBe(state);
  });

  test("the pool is read again where more than supplies changed, or time moves its prices", () => {
    for (const [field, value] of [
      [FIELDS.fee, 200n],
      [FIELDS.status, 2n],
      [FIELDS.namer, 1n],
      [FIELDS.isRangeShifting, 1n],
    ] as const) {
      const changed = withBits(variables, field, value);
      expect(fluidLite.apply(state, swapped(changed), at)).toBe("reload");
      if (field === FIELDS.fee) continue;
      const moving = { ...state, variables: changed };
      expect(fluidLite.apply(moving, swapped(changed), at)).toBe("reload");
      expect(fluidLite.stale(moving, at)).toBe(false);
      expect(fluidLite.stale(moving, { ...at, blockNumber: 10 })).toBe(true);
    }
    expect(fluidLite.apply(state, logOf(FEE_CHANGED, KEY), at)).toBe("reload");
    expect(fluidLite.apply(state, logOf(`0x${"9".repeat(64)}`, KEY), at)).toBe(state);
  });
});

describe("reads", () => {
  const { pool } = subjectOf(state);
  const answers = [variables, 1n, 0n, 0n].map((value): Hex => `0x${word(value)}`);
  const naming = [`0x${word(withBits(variables, FIELDS.namer, 1n))}` as Hex, ...answers.slice(1)];

  test("four words, of slots by the pool's 8 bytes", () => {
    const calls = fluidLite.reads(pool, []);
    expect(calls).toHaveLength(4);
    // keccak256 of 0x1234 in the first 8 bytes of a word, and 2.
    expect(calls[0]).toEqual({
      to: pool.address,
      data: "0xb5c736e454a9d33674b6a68e369926a2f489e94cd14e3f05ea22c30890b80ea902d35510",
    });
    expect(fluidLite.reads(pool, answers)).toEqual([]);
    expect(fluidLite.load(pool, answers, { ...at, blockNumber: 8 })).toEqual(state);
  });

  test("then the contract that names the centre price, the deployer's by its number", () => {
    const [call, ...others] = fluidLite.reads(pool, naming);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ mayWrite: true, data: expect.stringMatching(/^0x02c59a68/) });
    expect(fluidLite.load(pool, [...naming, `0x${word(77n)}`], at)).toMatchObject({ named: 77n });
    expect(fluidLite.load(pool, [...naming, "0x"], at)).toHaveProperty("refusal");
  });

  test("a pool that does not exist, cannot be read, or has impossible decimals is refused", () => {
    const zero: Hex = `0x${word(0n)}`;
    const odd: Hex = `0x${word(withBits(variables, FIELDS.decimals1, 19n))}`;
    for (const bad of [
      [zero, ...answers.slice(1)],
      [...answers.slice(0, 3), "0x" as Hex],
      [odd, ...answers.slice(1)],
    ])
      expect(fluidLite.load(pool, bad, at)).toHaveProperty("refusal");
  });
});
