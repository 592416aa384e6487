import { encodeAbiParameters, keccak256, parseAbiParameters, toEventSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { type At, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../core/types.ts";
import { DYNAMIC_FEE } from "../shared/pool-managers/pool-manager.ts";
import { MANAGER, POOL_ID } from "./arbitrary.ts";
import { apply, discover, touches } from "./events.ts";
import { pancakeInfinityCl } from "./index.ts";
import { bitmap, load, reads } from "./reads.ts";
import { type State, trade } from "./state.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;

const ONE = 2n ** 96n;
const OTHER = "0x00000000000000000000000000000000000000ee";
const HOOK = "0x00000000000000000000000000000000000000c0";
const INITIALIZE = "0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c";
const SWAP = "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237";
const MODIFY = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec";
const PROTOCOL_FEE = "0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9";
const DYNAMIC_FEE_SET = "0x14b2b80e0d62303dc85494859f35a84579160aafbd650180ddf526b1ab547bd6";

const at: At = { blockNumber: 7, timestamp: 1 };
const deployment: Deployment = {
  id: "pancake-infinity-cl",
  protocol: "pancake-infinity-cl",
  name: "PancakeSwap_Infinity_CL",
  factory: MANAGER,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

type Key = { readonly fee?: number; readonly hooks?: Hex; readonly callbacks?: number };

/** @param id the log's pool id */
function initialize({ fee = 3000, hooks = words(0), callbacks = 0 }: Key, id: Hex = POOL_ID): Log {
  return {
    address: MANAGER,
    topics: [INITIALIZE, id, words(0), words(2)],
    data: words(BigInt(hooks), fee, 60 * 2 ** 16 + callbacks, ONE, 0),
  };
}

const log = (topic: Hex, data: Hex, address: Hex = MANAGER): Log => ({
  address,
  topics: [topic, POOL_ID, words(9)],
  data,
});

const pool = discover(initialize({}), deployment) as Pool;

/** Answers of a pool at price 1 with one position of 10^18 from tick -600 to 600. */
function answersOf(of: Pool, slot0: readonly number[] = [0, 3000], paused = 0): Hex[] {
  const bits = (call: { data: Hex }) => BigInt.asIntN(256, BigInt(`0x${call.data.slice(74)}`));
  const answers = reads(of, []).map((call, k): Hex => {
    if (k === 0) return words(ONE, 0, ...slot0);
    if (k === 1) return words(10n ** 18n);
    if (k === 2) return words(paused);
    // Ticks -600 and 600 at spacing 60 are bits 246 of word -1 and 10 of word 0.
    return words(bits(call) === -1n ? 1n << 246n : bits(call) === 0n ? 1n << 10n : 0n);
  });
  const ticks = reads(of, answers).map((_, k) =>
    words(10n ** 18n, k === 0 ? 10n ** 18n : -(10n ** 18n), 0, 0),
  );
  return [...answers, ...ticks];
}

const state = load(pool, answersOf(pool), at) as State;

describe("discovery", () => {
  test("a pool of the manager; the zero address is the native coin", () => {
    expect(pool).toMatchObject({
      id: POOL_ID,
      address: MANAGER,
      tokens: [NATIVE, `0x${word(2).slice(24)}`],
      facts: { fee: 3000, parameters: 60 * 2 ** 16, listed: false },
    });
    expect(discover({ ...initialize({}), address: OTHER }, deployment)).toBeUndefined();
    const wide = { ...initialize({}), data: words(0, 3000, 2n ** 40n, ONE, 0) };
    const none = { ...initialize({}), data: words(0, 3000, 2n ** 16n - 1n, ONE, 0) };
    expect([discover(wide, deployment), discover(none, deployment)]).toEqual([undefined, undefined]);
  });

  test("the step's extra bytes complete a key whose hash is the pool's id", () => {
    const { extra } = pancakeInfinityCl.encode(pool, state, 0, 1);
    const field = (start: number, bytes: number) =>
      BigInt(`0x${extra.slice(2 + 2 * start, 2 + 2 * (start + bytes))}`);
    expect([extra.length, field(23, 1)]).toEqual([60, 0n]);
    const types = parseAbiParameters("address, address, address, address, uint24, bytes32");
    const idOf = (hooks: Hex, fee: number, parameters: Hex) =>
      keccak256(encodeAbiParameters(types, [OTHER, MANAGER, hooks, MANAGER, fee, parameters]));
    const coded = idOf(`0x${extra.slice(2, 42)}`, Number(field(20, 3)), words(field(24, 5)));
    expect(coded).toBe(idOf(`0x${"00".repeat(20)}`, 3000, words(60 * 2 ** 16)));
  });
});

test("a pause of the manager has all pools read again", () => {
  const selectors = ["Paused", "Unpaused"].map((name) => toEventSelector(`event ${name}(address)`));
  expect(pancakeInfinityCl.pauses).toEqual(selectors);
  expect(pancakeInfinityCl.topics).toEqual(expect.arrayContaining(selectors));
});

describe("reading", () => {
  test("ticks with their liquidity, all of them known", () => {
    expect(state).toMatchObject({ ticks: [-600, 600], nets: [10n ** 18n, -(10n ** 18n)], tickSpacing: 60 });
    expect(state).toMatchObject({ lowest: -887_272, highest: 887_272, feePpm: 3000, dynamic: false });
    expect(bitmap(pool)).toMatchObject({ spacing: 60, target: MANAGER });
  });

  test("a hook around swaps is refused without a call, unless the deployment lists it", () => {
    for (const bit of [6, 7, 10, 11]) {
      const hooked = discover(
        initialize({ hooks: words(BigInt(HOOK)), callbacks: 2 ** bit }),
        deployment,
      ) as Pool;
      expect([reads(hooked, []), bitmap(hooked)]).toEqual([[], undefined]);
      expect(load(hooked, [], at)).toEqual({ refusal: expect.stringContaining("hook") });
    }
    const listing = { ...deployment, facts: { hooks: HOOK } };
    const log6 = initialize({ hooks: words(BigInt(HOOK)), callbacks: 64 });
    const listed = discover(log6, listing) as Pool;
    expect(load(listed, answersOf(listed), at)).toMatchObject({ liquidity: 10n ** 18n });
    // Around initialisation, liquidity and donations.
    const others = initialize({ hooks: words(BigInt(HOOK)), callbacks: 0b11_0011_0011_1111 });
    const harmless = discover(others, deployment) as Pool;
    expect(load(harmless, answersOf(harmless), at)).toMatchObject({ liquidity: 10n ** 18n });
  });

  test.each<[string, number, Hex]>([
    ["getSlot0 or getLiquidity failed", 0, "0x"],
    ["the tick is not the price's", 0, words(ONE, 5, 0, 3000)],
    ["paused failed", 2, "0x"],
    ["the manager is paused", 2, words(1)],
    ["the tick bitmap failed", 3, "0x"],
    ["ticks failed", -1, "0x"],
    ["liquidity is not its ticks' sum", 1, words(5)],
  ])("refused: %s", (refusal, index, answer) => {
    const answers = answersOf(pool);
    answers.splice(index, 1, answer);
    expect(load(pool, answers, at)).toEqual({ refusal });
  });
});

describe("events", () => {
  test("a swap, a change of liquidity, both fees", () => {
    expect(apply(state, log(SWAP, words(-5, 4, ONE + 1n, 77, 3, 3000, 0)))).toEqual({
      ...state,
      sqrtPriceX96: ONE + 1n,
      liquidity: 77n,
      tick: 3,
    });
    const added = apply(state, log(MODIFY, words(-60, 60, 5, 0))) as State;
    expect(added).toMatchObject({ ticks: [-600, -60, 60, 600], liquidity: 10n ** 18n + 5n });
    expect(apply(state, log(PROTOCOL_FEE, words((4000 << 12) + 25)))).toEqual({
      ...state,
      protocolFees: [25, 4000],
    });
    const fee = log(DYNAMIC_FEE_SET, words(1234));
    expect([touches(fee), apply(state, fee)]).toEqual([[POOL_ID], { ...state, feePpm: 1234 }]);
  });

  test("a log of another contract with the pool's id changes nothing", () => {
    expect(apply(state, log(SWAP, words(-5, 4, ONE + 1n, 77, 3, 3000, 0), OTHER))).toBe(state);
    expect(apply(state, log(DYNAMIC_FEE_SET, words(1), OTHER))).toBe(state);
  });

  test("a fee that a hook sets is followed by logs, so the state does not age; the step passes the key's fee", () => {
    const key = { fee: DYNAMIC_FEE, hooks: words(BigInt(HOOK)), callbacks: 2 };
    const dynamic = discover(initialize(key), deployment) as Pool;
    const read = load(dynamic, answersOf(dynamic, [0, 500]), at) as State;
    expect(read.feePpm).toBe(500);
    expect(pancakeInfinityCl.stale(read, { ...at, blockNumber: 10 ** 9 })).toBe(false);
    expect(pancakeInfinityCl.encode(dynamic, read, 0, 1).extra).toBe(`${HOOK}8000000000003c0002`);
  });
});

test("each direction pays its own protocol fee before the providers'", () => {
  const order = { i: 0, j: 1, amount: 10n ** 12n, side: "in", at } as const;
  const taxed = { ...state, protocolFees: [4000, 0] as const };
  expect(trade(taxed, order)!.amountOut).toBe(trade({ ...state, feePpm: 6988 }, order)!.amountOut);
  const back = { ...order, i: 1, j: 0 };
  expect(trade(taxed, back)!.amountOut).toBe(trade(state, back)!.amountOut);
});

test("the native coin is held by the router, tokens are paid in the callback", () => {
  expect(pancakeInfinityCl.encode(pool, state, 0, 1)).toMatchObject({ kind: 20, intake: "held" });
  expect(pancakeInfinityCl.encode(pool, state, 1, 0)).toMatchObject({
    intake: "callback",
    zeroForOne: false,
  });
});
