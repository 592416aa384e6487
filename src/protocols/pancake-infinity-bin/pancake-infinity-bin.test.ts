import { describe, expect, test } from "vitest";
import { MAX_LIQUIDITY } from "../../core/math/bins/bin-math.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { apply, discover, touches } from "./events.ts";
import { pancakeInfinityBin } from "./index.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";
import { swapBins } from "./trade.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;

const ONE = 2 ** 23;
const E18 = 10n ** 18n;
const OTHER = "0x00000000000000000000000000000000000000ee";
const HOOK = "0x00000000000000000000000000000000000000c0";
const INITIALIZE = "0xddfde5903015c0eb1671976c6c8f760f1328bec57f15286b6bdab2f955cab9c9";
const SWAP = "0x3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861";
const MINT = "0x7b6bc49b385af8644341f07a67cd976bf9daf2bdd5d71668e651a3a792e318e1";
const BURN = "0x16d40aa4e497175b58e47cbf101544758de8c01d92a760c738943044c758df8a";
const DONATE = "0xfc18146d5586318640b3febea90b094b834f09982812258534a1c07bdda12954";
const PROTOCOL_FEE = "0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9";
const DYNAMIC_FEE_SET = "0x14b2b80e0d62303dc85494859f35a84579160aafbd650180ddf526b1ab547bd6";

const deployment: Deployment = {
  id: "pancake-infinity-bin",
  protocol: "pancake-infinity-bin",
  name: "PancakeSwap_Infinity_Bin",
  factory: POOL.manager,
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "test",
};

function initialize(callbacks = 0, hooks: bigint | number = 0): Log {
  return {
    address: POOL.manager,
    topics: [INITIALIZE, POOL.id, words(1), words(2)],
    data: words(hooks, 3000, 10 * 2 ** 16 + callbacks, ONE),
  };
}

const pool = discover(initialize(), deployment) as Pool;
const HEAD = [words(ONE, (500 << 12) + 1000, 3000), words(0)];

/** Answers with X above the active bin, Y below it and both in it. @param shares by bin */
function answersOf(
  of: Pool,
  head: readonly Hex[] = HEAD,
  shares: (id: number) => number = () => 10 ** 9,
): Hex[] {
  const bins = reads(of, head).map(({ data }) => {
    const id = Number(BigInt(`0x${data.slice(74)}`));
    return words(id >= ONE ? E18 : 0n, id <= ONE ? E18 : 0n, 0, shares(id));
  });
  return [...head, ...bins];
}

const state = load(pool, answersOf(pool)) as State;
const sell = (of: State, amount: bigint, swapForY = true) => swapBins(of, { swapForY, amount, isSale: true });
const buy = (of: State, amount: bigint, swapForY = true) => swapBins(of, { swapForY, amount, isSale: false });
const log = (topic: Hex, data: Hex, address: Hex = POOL.manager): Log => ({
  address,
  topics: [topic, POOL.id, words(9)],
  data,
});

test("a pool of the manager, and none of another", () => {
  expect(pool).toMatchObject({ id: POOL.id, address: POOL.manager, facts: { fee: 3000, listed: false } });
  const stepless = { ...initialize(), data: words(0, 3000, 7, ONE) };
  const others = [{ ...initialize(), address: OTHER } as Log, stepless];
  expect(others.map((log) => discover(log, deployment))).toEqual([undefined, undefined]);
});

describe("reading", () => {
  test("bins around the active one, fees of both directions", () => {
    expect(state).toMatchObject({
      shape: { binStep: 10 },
      feePpm: 3000,
      protocolFees: [1000, 500],
      activeId: ONE,
      first: ONE - 256,
    });
    expect([state.xs.length, state.xs[255], state.xs[256]]).toEqual([513, 0n, E18]);
  });

  test("a hook around swaps is refused without a call, unless the deployment lists it", () => {
    for (const bit of [6, 7, 10, 11]) {
      const hooked = discover(initialize(2 ** bit, BigInt(HOOK)), deployment) as Pool;
      expect([reads(hooked, []), load(hooked, [])]).toEqual([
        [],
        { refusal: expect.stringContaining("hook") },
      ]);
    }
    const listed = discover(initialize(64, BigInt(HOOK)), { ...deployment, facts: { hooks: HOOK } }) as Pool;
    expect(load(listed, answersOf(listed))).toEqual(state);
    const harmless = discover(initialize(0b11_0011_0011_1111, BigInt(HOOK)), deployment) as Pool;
    expect(load(harmless, answersOf(harmless))).toEqual(state);
  });

  test.each<[string, Hex[]]>([
    ["getSlot0 or paused failed", ["0x", words(0)]],
    ["getSlot0 or paused failed", [words(ONE, 0, 0), "0x"]],
    ["the manager is paused", [words(ONE, 0, 0), words(1)]],
    ["getBin failed", HEAD],
    ["the fee is above the manager's limit", answersOf(pool, [words(ONE, 0, 100_001), words(0)])],
    ["the price is too low", answersOf(pool, [words(ONE - 90_000, 0, 0), words(0)])],
  ])("refused: %s", (refusal, answers) => {
    expect(load(pool, answers)).toEqual({ refusal });
  });
});

describe("swaps", () => {
  test("a bin is emptied, the protocol's part of its fee aside, before the next one is touched", () => {
    const done = sell(state, (E18 * 3n) / 2n)!;
    // 1000 ppm of the protocol, then 3000 ppm of the rest: 3997 ppm.
    const fee = (E18 * 3997n + 996_002n) / 996_003n;
    const { next } = done;
    expect([next.activeId, next.ys[256]]).toEqual([ONE - 1, 0n]);
    expect(next.xs[256]).toBe(E18 + E18 + fee - (fee * 1000n) / 3997n);
  });

  test("a bin that its providers left is passed over, unless it is the active one", () => {
    const left = load(
      pool,
      answersOf(pool, HEAD, (id) => (id === ONE - 1 || id === ONE ? 1000 : 1001)),
    ) as State;
    const done = sell(left, (E18 * 3n) / 2n)!;
    expect([done.next.activeId, done.next.ys[255], done.next.ys[256]]).toEqual([ONE - 2, E18, 0n]);
  });

  test("what is bought can be bought by selling its price", () => {
    for (const amount of [1n, 10n ** 9n, E18, (E18 * 7n) / 3n]) {
      const bought = buy(state, amount, false)!;
      expect(bought.amountOut).toBe(amount);
      expect(sell(state, bought.amountIn, false)!.amountOut).toBeGreaterThanOrEqual(amount);
    }
  });

  test("beyond the known bins, dust, and a bin that outgrows its limit are no fills", () => {
    expect([sell(state, 10n ** 24n), buy(state, 10n ** 24n), sell(state, 1n)]).toEqual(
      Array(3).fill(undefined),
    );
    const full = (MAX_LIQUIDITY >> 128n) - E18;
    const heavy = { ...state, protocolFees: [0, 0] as const, xs: state.xs.with(256, full) };
    expect(sell(heavy, E18 / 4n)).toBeUndefined();
    expect(sell({ ...heavy, xs: state.xs.with(256, full - E18) }, E18 / 4n)).toBeDefined();
  });
});

describe("events", () => {
  /** The Swap log of a trade. */
  function swapLog(done: NonNullable<ReturnType<typeof sell>>, swapForY: boolean, fee: number): Log {
    const { amountIn, amountOut, next } = done;
    const deltas = swapForY ? [-amountIn, amountOut] : [amountOut, -amountIn];
    return log(SWAP, words(...deltas, next.activeId, fee, swapForY ? 1000 : 500));
  }

  test("the log of a swap leads to the state that the quote foresaw, whichever amount was asked", () => {
    for (const amount of [12_345_678n, E18 / 3n, (E18 * 5n) / 2n])
      for (const swapForY of [true, false])
        for (const done of [sell(state, amount, swapForY)!, buy(state, amount, swapForY)!])
          expect(apply(state, swapLog(done, swapForY, swapForY ? 3997 : 3499))).toEqual(done.next);
  });

  test("a log that no swap of the state leads to reloads, and so does one near the window's end", () => {
    const done = sell(state, E18 / 3n)!;
    const entry = swapLog(done, true, 3997);
    expect(apply({ ...state, feePpm: 2900 }, entry)).toBe("reload");
    expect(apply({ ...state, activeId: ONE - 1 }, entry)).toBe("reload");
    expect(apply(state, log(SWAP, words(-E18, 1, ONE, 3997, 1000)))).toBe("reload");
    const far = sell(state, 265n * E18)!;
    expect(apply(state, swapLog(far, true, 3997))).toBe("reload");
  });

  test("additions fill bins that are known, and swaps enter them from then on", () => {
    const packed = (5n << 128n) + 3n;
    const data = words(160, 0, 256, 0, 0, 2, ONE, ONE + 9000, 2, packed, packed);
    const left = { ...state, entered: state.entered.with(256, false) };
    const added = apply(left, log(MINT, data)) as State;
    expect([added.xs[256], added.ys[256], added.entered[256]]).toEqual([E18 + 3n, E18 + 5n, true]);
    expect(apply(state, log(MINT, words(160, 0, 192, 0, 0, 1, ONE)))).toBe("reload");
    const given = apply(left, log(DONATE, words(-7, -9, ONE))) as State;
    expect([given.xs[256], given.ys[256], given.entered[256]]).toEqual([E18 + 7n, E18 + 9n, false]);
  });

  test("fees are followed, removals reload, other contracts' logs change nothing", () => {
    expect(apply(state, log(PROTOCOL_FEE, words((25 << 12) + 4000)))).toMatchObject({
      protocolFees: [4000, 25],
    });
    expect(apply(state, log(DYNAMIC_FEE_SET, words(777)))).toMatchObject({ feePpm: 777 });
    expect(apply(state, log(DYNAMIC_FEE_SET, words(100_001)))).toBe("reload");
    const burn = log(BURN, words(0));
    expect([touches(burn), apply(state, burn)]).toEqual([[POOL.id], "reload"]);
    expect(apply(state, log(BURN, words(0), OTHER))).toBe(state);
  });
});

test("the step names the kind of the pool, its step and its callbacks", () => {
  const { pool: held } = subjectOf(state);
  expect(pancakeInfinityBin.encode(held, state, 1, 0)).toMatchObject({ kind: 20, zeroForOne: false });
  const hooked = discover(initialize(2, BigInt(HOOK)), deployment) as Pool;
  expect(pancakeInfinityBin.encode(hooked, state, 0, 1).extra).toBe(`${HOOK}000bb80100000a0002`);
});
