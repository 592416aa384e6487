import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { swapStep } from "../../core/math/concentrated/swap-math.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import { type At, type Deployment, type Hex, type Log, NATIVE, type Pool } from "../../core/types.ts";
import { DYNAMIC_FEE, swapFee } from "../shared/pool-managers/pool-manager.ts";
import { MANAGER, POOL_ID, subjectOf } from "./arbitrary.ts";
import { apply, discover, touches } from "./events.ts";
import { uniswapV4 } from "./index.ts";
import { load, reads } from "./reads.ts";
import { type State, trade } from "./state.ts";

const limits = { numRuns: 500 };
const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const ONE = 2n ** 96n;
const VIEW = "0x00000000000000000000000000000000000000ee";
const SWAP = "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f";
const MODIFY = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec";
const at: At = { blockNumber: 7, timestamp: 1 };

const deployment: Deployment = {
  id: "uniswap-v4",
  protocol: "uniswap-v4",
  name: "Uniswap_V4",
  factory: MANAGER,
  fromBlock: 0,
  trusted: true,
  facts: { stateView: VIEW },
  source: "test",
};

function initialize(fee: number, hooks: bigint): Log {
  return {
    address: MANAGER,
    topics: [
      "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
      POOL_ID,
      words(0),
      words(2),
    ],
    data: words(fee, 60, hooks, ONE, 0),
  };
}

const log = (topic: Hex, data: Hex, address: Hex = MANAGER): Log => ({
  address,
  topics: [topic, POOL_ID, words(9)],
  data,
});

const pool = discover(initialize(3000, 0n), deployment) as Pool;

/** Answers of a pool at price 1 with one position of 10^18 from tick -600 to 600. */
function answersOf(of: Pool, slot0: readonly number[] = [0, 3000]): Hex[] {
  const head = reads(of, []);
  const bits = (call: { data: Hex }) => BigInt.asIntN(256, BigInt(`0x${call.data.slice(74)}`));
  const answers = head.map((call, k): Hex => {
    if (k === 0) return words(ONE, 0, ...slot0);
    if (k === 1) return words(10n ** 18n);
    // Ticks -600 and 600 at spacing 60 are bits 246 of word -1 and 10 of word 0.
    return words(bits(call) === -1n ? 1n << 246n : bits(call) === 0n ? 1n << 10n : 0n);
  });
  const ticks = reads(of, answers).map((_, k) => words(10n ** 18n, k === 0 ? 10n ** 18n : -(10n ** 18n)));
  return [...answers, ...ticks];
}

const state = load(pool, answersOf(pool), at) as State;

describe("discovery", () => {
  test("a pool of the manager; the zero address is the native coin", () => {
    expect(pool).toMatchObject({
      id: POOL_ID,
      address: MANAGER,
      tokens: [NATIVE, `0x${word(2).slice(24)}`],
      facts: { fee: 3000, tickSpacing: 60, family: "" },
    });
    expect(discover({ ...initialize(3000, 0n), address: VIEW }, deployment)).toBeUndefined();
  });

  test("a deployment without StateView is a wrong record", () => {
    expect(() => discover(initialize(3000, 0n), { ...deployment, facts: {} })).toThrow(/stateView/);
  });
});

describe("reading", () => {
  test("ticks with their liquidity, all of them known", () => {
    expect(state).toMatchObject({ ticks: [-600, 600], nets: [10n ** 18n, -(10n ** 18n)] });
    expect(state).toMatchObject({ lowest: -887_272, highest: 887_272, feePpm: 3000, readAt: 7 });
  });

  test("protocol fees have twelve bits a direction", () => {
    expect(load(pool, answersOf(pool, [(200 << 12) + 100, 3000]), at)).toMatchObject({
      protocolFees: [100, 200],
    });
  });

  test("a hook around swaps is refused without a call, unless the deployment lists it", () => {
    const hooks = 0x1234n << 20n;
    for (const bit of [7n, 6n, 3n, 2n]) {
      const hooked = discover(initialize(3000, hooks + (1n << bit)), deployment) as Pool;
      expect(reads(hooked, [])).toEqual([]);
      expect(load(hooked, [], at)).toEqual({ refusal: expect.stringContaining("hook") });
    }
    const known = `0x${word(hooks + 64n).slice(24)}` as const;
    const facts = { ...deployment.facts, hooks: writeNamed({ "doppler-multicurve": known }) };
    const listed = discover(initialize(3000, hooks + 64n), { ...deployment, facts }) as Pool;
    expect(listed.facts).toMatchObject({ family: "doppler-multicurve" });
    expect(load(listed, answersOf(listed), at)).toMatchObject({ liquidity: 10n ** 18n, dynamic: false });
    const beside = {
      ...facts,
      hooks: writeNamed({ "zora-coin": known, "zora-factory": VIEW, other: MANAGER }),
    };
    const helped = discover(initialize(3000, hooks + 64n), { ...deployment, facts: beside }) as Pool;
    expect(helped.facts).toMatchObject({ family: "zora-coin", helpers: `zora-factory=${VIEW}` });
    const liquidityHook = discover(initialize(3000, hooks + (1n << 11n)), deployment) as Pool;
    expect(load(liquidityHook, answersOf(liquidityHook), at)).toMatchObject({ liquidity: 10n ** 18n });
  });

  test.each<[string, number, Hex]>([
    ["getSlot0 or getLiquidity failed", 0, "0x"],
    ["the tick is not the price's", 0, words(ONE, 5, 0, 3000)],
    ["the tick bitmap failed", 2, "0x"],
    ["ticks failed", -1, "0x"],
    ["bitmap and ticks disagree", -1, words(0, 0)],
    ["liquidity is not its ticks' sum", 1, words(5)],
  ])("refused: %s", (refusal, index, answer) => {
    const answers = answersOf(pool);
    answers.splice(index, 1, answer);
    expect(load(pool, answers, at)).toEqual({ refusal });
  });
});

describe("events", () => {
  test("a swap, a change of liquidity, a protocol fee", () => {
    expect(apply(state, log(SWAP, words(-5, 4, ONE + 1n, 77, 3, 3000)))).toEqual({
      ...state,
      sqrtPriceX96: ONE + 1n,
      liquidity: 77n,
      tick: 3,
    });
    const added = apply(state, log(MODIFY, words(-60, 60, 5, 0))) as State;
    expect(added).toMatchObject({ ticks: [-600, -60, 60, 600], liquidity: 10n ** 18n + 5n });
    expect(apply(added, log(MODIFY, words(-60, 60, -5, 0)))).toEqual(state);
    expect(apply(state, log(MODIFY, words(-60, 60, -5, 0)))).toBe("reload");
    const fee = log("0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9", words(1 << 12));
    expect(apply(state, fee)).toEqual({ ...state, protocolFees: [0, 1] });
    expect(touches(fee)).toEqual([POOL_ID]);
  });

  test("a log of another contract with the pool's id changes nothing", () => {
    expect(apply(state, log(SWAP, words(-5, 4, ONE + 1n, 77, 3, 3000), VIEW))).toBe(state);
  });

  test("a dynamic fee is unfit after its block", () => {
    const dynamic = discover(initialize(DYNAMIC_FEE, 1n << 20n), deployment) as Pool;
    const read = load(dynamic, answersOf(dynamic, [0, 500]), at) as State;
    expect(read.feePpm).toBe(500);
    expect([8, 9].map((blockNumber) => uniswapV4.stale(read, { ...at, blockNumber }))).toEqual([false, true]);
    expect(uniswapV4.stale(state, { ...at, blockNumber: 9 })).toBe(false);
    expect(uniswapV4.encode(dynamic, read, 0, 1).extra.slice(0, 8)).toBe("0x800000");
  });
});

describe("fees", () => {
  test("the protocol's is taken first, the sum rounded up", () => {
    expect([swapFee(0, 3000), swapFee(1000, 3000), swapFee(1000, 1_000_000)]).toEqual([
      3000, 3997, 1_000_000,
    ]);
  });

  test("each direction pays its own", () => {
    const order = { i: 0, j: 1, amount: 10n ** 12n, side: "in", at } as const;
    const taxed = { ...state, protocolFees: [1000, 0] as const };
    expect(trade(taxed, order)!.amountOut).toBe(trade({ ...state, feePpm: 3997 }, order)!.amountOut);
    expect(trade(taxed, { ...order, i: 1, j: 0 })!.amountOut).toBe(
      trade(state, { ...order, i: 1, j: 0 })!.amountOut,
    );
  });
});

describe("against v3", () => {
  test("an input that is a unit short never ends on the target: where v3 and v4 differ in words", () => {
    const price = fc.bigInt({ min: 2n ** 40n, max: 2n ** 150n });
    const gap = fc.oneof(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 1n, max: 2n ** 149n }));
    const liquidity = fc.oneof(
      fc.bigInt({ min: 1n, max: 2n ** 20n }),
      fc.bigInt({ min: 1n, max: 2n ** 120n }),
    );
    let reached = 0;
    fc.assert(
      fc.property(price, gap, liquidity, fc.boolean(), (...[start, step, depth, down]) => {
        const target = down ? start - (step % start) + 1n : start + step;
        const stretch = { price: start, target, liquidity: depth, feePpm: 0 };
        const whole = swapStep(stretch, 2n ** 250n).taken;
        expect(swapStep(stretch, whole).price).toBe(target);
        if (whole > 1n && target !== start) expect(swapStep(stretch, whole - 1n).price).not.toBe(target);
        reached += Number(whole > 1n);
      }),
      limits,
    );
    expect(reached).toBeGreaterThan(10);
  });
});

test("the subject of the properties is a pool that the router can be told of", () => {
  const { pool: held } = subjectOf(state);
  expect(uniswapV4.encode(held, state, 0, 1)).toMatchObject({ target: MANAGER, intake: "held" });
  expect(uniswapV4.encode(held, state, 1, 0)).toMatchObject({ intake: "callback", zeroForOne: false });
});
