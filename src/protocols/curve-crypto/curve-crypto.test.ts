import fc from "fast-check";
import { toEventSelector, toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { newtonY } from "../../core/math/crypto-math.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { POOL, states, subjectOf } from "./arbitrary.ts";
import { designs } from "./designs.ts";
import { exchange, getDy, shapeAt, startOf } from "./exchange.ts";
import { curveCrypto } from "./index.ts";
import type { State } from "./state.ts";

const limits = { interruptAfterTimeLimit: 30_000, markInterruptAsFailure: true };
const [A, B, C, LP, FACTORY] = [1, 2, 3, 4, 5].map((k) => `0x${`${k}`.repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const NOW = 1_726_463_373;
const at = { blockNumber: 100, timestamp: NOW };
const ONE = 10n ** 18n;

/** ETH+/WETH on Arbitrum, of the vectors. */
const two: State = {
  design: "twocrypto-ng",
  balances: [968569777414549410834n, 1045106588251996643768n],
  precisions: [1n, 1n],
  priceScale: [983313638977093334n],
  ramp: {
    initialAnn: 20000000n,
    initialGamma: 20000000000000000n,
    futureAnn: 20000000n,
    futureGamma: 20000000000000000n,
    initialTime: 0,
    futureTime: 0,
  },
  multiplier: 10000n,
  d: 1996236386986675947911n,
  midFee: 500000n,
  outFee: 8000000n,
  feeGamma: 30000000000000000n,
  lpSupply: 1006167834136870835627n,
  virtualPrice: 1000381175737496082n,
  xcpProfit: 1000760564011364559n,
  allowedExtraProfit: 1000000000000n,
  isSettled: true,
};

function deployment(pools?: string): Deployment {
  return {
    ...{
      id: "curve-crypto",
      protocol: "curve-crypto",
      name: "Curve",
      factory: FACTORY,
      fromBlock: 0,
      trusted: true,
    },
    facts: pools === undefined ? {} : { pools },
    source: "test",
  };
}

const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const text = (value: string): Hex =>
  `0x${word(32)}${word(value.length)}${Buffer.from(value).toString("hex").padEnd(64, "0")}`;
const none: Hex = "0x";
const packed = (ann: bigint, gamma: bigint) => (ann << 128n) | gamma;

describe("pools", () => {
  test("of the first generation are listed", () => {
    expect(curveCrypto.seeds(deployment(`${POOL} tricrypto ${A},${B},${C} lp=${LP}`))).toEqual([
      {
        ...{
          id: POOL,
          address: POOL,
          protocol: "curve-crypto",
          deployment: "curve-crypto",
          tokens: [A, B, C],
        },
        ...{ stateIds: [POOL], facts: { implementation: "tricrypto", lp: LP } },
      },
    ]);
    expect(() => curveCrypto.seeds(deployment(`${POOL} quadcrypto ${A},${B}`))).toThrow(
      "no such implementation",
    );
  });

  test("of the newer factories are announced", () => {
    const three: Log = {
      address: FACTORY,
      topics: ["0xa307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a"],
      data: words(BigInt(POOL), 416, 480, BigInt(C), BigInt(A), BigInt(B), BigInt(C), 0, 0, 0, 0, 0, 0, 0, 0),
    };
    const pair: Log = {
      ...three,
      topics: ["0x8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca"],
      data: words(BigInt(POOL), 416, 480, BigInt(A), BigInt(B), 0, 0, 0, 0, 0, 0, 0, 0, 0),
    };
    const [first, second] = [three, pair].map((log) => curveCrypto.discover(log, deployment()));
    expect(first).toMatchObject({ id: POOL, tokens: [A, B, C], facts: { implementation: "tricrypto-ng" } });
    expect(second).toMatchObject({ id: POOL, tokens: [A, B], facts: { implementation: "twocrypto-ng" } });
    expect(curveCrypto.discover({ ...three, address: A }, deployment())).toBeUndefined();
    expect(curveCrypto.discover({ ...three, data: "0x" }, deployment())).toBeUndefined();
  });
});

describe("state", () => {
  const pool: Pool = { ...subjectOf(two).pool, tokens: [A, B], facts: { implementation: "twocrypto-ng" } };
  const round: readonly Hex[] = [
    ...[two.d, two.midFee, two.outFee, two.feeGamma, two.virtualPrice, two.xcpProfit].map(answer),
    ...[two.allowedExtraProfit, packed(19000000n, 10n ** 16n), packed(20000000n, 2n * 10n ** 16n), 0, 0].map(
      answer,
    ),
    ...[none, text("v2.0.0"), answer(BigInt(C)), answer(two.lpSupply)],
    ...[...two.balances, 18n, 18n, ...two.priceScale].map(answer),
  ];
  const answers = [...round, text("v2.0.0")];

  test("is read by the selectors that the compiler gives, the version of the maths in a second round", () => {
    const calls = curveCrypto.reads(pool, []);
    expect(calls).toHaveLength(round.length);
    const named = [
      "D",
      "mid_fee",
      "out_fee",
      "fee_gamma",
      "virtual_price",
      "xcp_profit",
      "allowed_extra_profit",
    ];
    const ramp = ["initial_A_gamma", "future_A_gamma", "initial_A_gamma_time", "future_A_gamma_time"];
    const selector = (signature: string) => toFunctionSelector(`function ${signature}`);
    const own = [...named, ...ramp, "is_killed", "version", "MATH", "totalSupply"];
    expect(calls.slice(0, 15).map(({ data }) => data)).toEqual(own.map((name) => selector(`${name}()`)));
    expect(calls[16]!.data).toBe(`${selector("balances(uint256)")}${word(1)}`);
    expect(calls[17]).toEqual({ to: A, data: selector("decimals()") });
    expect(calls[19]!.data).toBe(selector("price_scale()"));
    expect(curveCrypto.reads(pool, round)).toEqual([{ to: C, data: selector("version()") }]);
    expect(curveCrypto.reads(pool, answers)).toEqual([]);
    const first: Pool = { ...pool, tokens: [A, B, C], facts: { implementation: "tricrypto", lp: LP } };
    const old = curveCrypto.reads(first, []);
    expect(old[14]).toEqual({ to: LP, data: selector("totalSupply()") });
    expect(old.at(-1)!.data).toBe(`${selector("price_scale(uint256)")}${word(1)}`);
    expect(
      curveCrypto.reads(
        first,
        old.map(() => none),
      ),
    ).toEqual([]);
  });

  test("is what the answers say", () => {
    expect(curveCrypto.load(pool, answers, at)).toEqual({
      ...two,
      ramp: { ...two.ramp, initialAnn: 19000000n, initialGamma: 10n ** 16n },
    });
  });

  test.each([
    [0, none, "a read failed"],
    [14, none, "a read failed"],
    [15, none, "a read failed"],
    [17, answer(19), "decimals failed"],
    [19, answer(0), "not initialised"],
    [8, answer(0), "not initialised"],
    [11, answer(1), "killed"],
    [12, text("v2.1.0d"), "unknown version"],
    [20, text("v3.0.0"), "unknown version"],
    [20, none, "unknown version"],
  ] as const)("answer %i of %s is refused: %s", (index, bad, refusal) => {
    expect(curveCrypto.load(pool, answers.with(index, bad), at)).toEqual({ refusal });
  });

  test("another number of coins, and a coin that is there twice, are refused", () => {
    expect(curveCrypto.load({ ...pool, tokens: [A, B, C] }, answers, at)).toEqual({
      refusal: "another number of coins",
    });
    expect(curveCrypto.load({ ...pool, tokens: [A, A] }, answers, at)).toEqual({
      refusal: "a coin is there twice",
    });
  });
});

test("every change is read again, by the contracts' own events", () => {
  const sizes = ["2", "3"];
  const uints = (count: number) => Array.from({ length: count }, () => "uint256").join(",");
  const texts = [
    `TokenExchange(address,${uints(4)})`,
    `TokenExchange(address,${uints(6)})`,
    ...sizes.map((n) => `AddLiquidity(address,uint256[${n}],uint256,uint256)`),
    ...sizes.map((n) => `AddLiquidity(address,uint256[${n}],uint256,uint256,uint256)`),
    ...sizes.map((n) => `RemoveLiquidity(address,uint256[${n}],uint256)`),
    `RemoveLiquidityOne(address,${uints(3)})`,
    `RemoveLiquidityOne(address,${uints(5)})`,
    ...[6, 7, 8].map((count) => `NewParameters(${uints(count)})`),
    `RampAgamma(${uints(6)})`,
    `RampAgamma(${uints(4)})`,
    `StopRampA(${uints(3)})`,
    "ClaimAdminFee(address,uint256)",
    "ClaimAdminFee(address,uint256[2])",
  ];
  const topics = texts.map((signature) => toEventSelector(`event ${signature}`));
  expect(curveCrypto.topics.slice(2)).toEqual(topics);
  for (const topic of topics) {
    const log: Log = { address: POOL, topics: [topic], data: "0x" };
    expect(curveCrypto.touches(log)).toEqual([POOL]);
    expect(curveCrypto.apply(two, log, at)).toBe("reload");
  }
  expect(curveCrypto.apply(two, { address: POOL, topics: ["0x11"], data: "0x" }, at)).toBe(two);
});

describe("swaps", () => {
  const swap = { i: 1, j: 0, dx: ONE, timestamp: NOW };

  test("leave D and the virtual price as the pool computes them", () => {
    const { dy, next } = exchange(two, swap)!;
    expect(next.balances).toEqual([two.balances[0]! - dy, two.balances[1]! + ONE]);
    expect(next.virtualPrice > two.virtualPrice && next.d > two.d).toBe(true);
    expect(next.isSettled).toBe(true);
    expect(exchange(next, swap)!.dy < dy).toBe(true);
  });

  test("too small to raise the virtual price revert, though the view answers", () => {
    const small = { ...swap, dx: 10_918_181n };
    expect(getDy(two, small)).toBe(10_734_905n);
    expect(exchange(two, small)).toBeUndefined();
    expect(exchange({ ...two, virtualPrice: 0n }, small)?.dy).toBe(10_734_905n);
  });

  test("that may have moved the price scale are not followed by another", () => {
    const rich = { ...two, xcpProfit: two.virtualPrice * 2n - ONE, allowedExtraProfit: 0n };
    const { next } = exchange(rich, { ...swap, dx: 100n * ONE })!;
    expect(next.isSettled).toBe(false);
    expect(exchange(next, swap)).toBeUndefined();
    const mirror = curveCrypto.mirror(next, subjectOf(next).pool, at, new Map());
    expect(curveCrypto.quoteFloat(mirror, 0, 1, 1e18)).toBe(0);
    const old = { ...two, design: "twocrypto" as const };
    expect(exchange(old, swap)!.next.isSettled).toBe(false);
  });

  test("beyond a hundredth of D are refused, by the mirror as well", () => {
    const mirror = curveCrypto.mirror(two, subjectOf(two).pool, at, new Map());
    expect(exchange(two, { ...swap, dx: 10n ** 24n })).toBeUndefined();
    expect(curveCrypto.quoteFloat(mirror, 1, 0, 1e24)).toBe(0);
  });

  test("in a ramp take A, gamma and D of the second", () => {
    const ramp = { ...two.ramp, initialAnn: 4000000n, initialTime: NOW - 100, futureTime: NOW + 100 };
    expect(shapeAt(ramp, 10000n, NOW)).toEqual({
      ann: 12000000n,
      gamma: 2n * 10n ** 16n,
      multiplier: 10000n,
    });
    expect(shapeAt(ramp, 10000n, NOW + 100).ann).toBe(20000000n);
    const ramping = { ...two, ramp };
    expect(startOf(ramping, NOW)!.d).not.toBe(two.d);
    expect(startOf(ramping, NOW + 100)!.d).toBe(two.d);
    const over = { ...two, design: "twocrypto" as const, ramp: { ...two.ramp, futureTime: NOW - 5 } };
    expect(startOf({ ...over, d: two.d + 10n ** 15n }, NOW)!.d).toBe(startOf(over, NOW)!.d);
    expect(exchange(ramping, { ...swap, dx: 10_918_181n })).toBeDefined();
  });

  test("what is bought costs the least that pays it", () => {
    const { pool, states: view } = subjectOf(two);
    const fill = curveCrypto.quote(view, pool, 0, 1, 5n * ONE, "out", at)!;
    const dy = (dx: bigint) => exchange(two, { i: 0, j: 1, dx, timestamp: NOW })?.dy ?? 0n;
    expect(dy(fill.amountIn) >= 5n * ONE && dy(fill.amountIn - 1n) < 5n * ONE).toBe(true);
    expect(curveCrypto.quote(view, pool, 0, 1, two.balances[1]!, "out", at)).toBeUndefined();
  });

  test("the first pools refuse dust where the curve has no price", () => {
    const flat = { ...two, design: "twocrypto" as const, virtualPrice: 0n };
    expect(exchange(flat, { ...swap, dx: 100_000n })?.dy).toBeGreaterThan(0n);
  });
});

test("the closed forms find what Newton's method finds, to its own precision", () => {
  let seen = 0;
  fc.assert(
    fc.property(states, fc.integer({ min: 1, max: 300 }), (state, permille) => {
      const start = startOf(state, NOW);
      if (start === undefined || !designs[state.design].isNg) return;
      const { xp, d, shape, design } = start;
      const moved = xp.with(0, (xp[0]! * BigInt(1000 + permille)) / 1000n);
      const found = design.balanceFor(shape, moved, d, 1);
      const iterated = newtonY(shape, moved, d, 1);
      if (found === undefined || iterated === undefined) return;
      seen++;
      const off = found.y > iterated ? found.y - iterated : iterated - found.y;
      expect(Number(off) / Number(iterated)).toBeLessThan(1e-9);
    }),
    { ...limits, numRuns: 200 },
  );
  expect(seen).toBeGreaterThan(50);
});

test("the mirror is within 1e-9, 2 units or 1e-15 of the reserve, at every size", () => {
  const { pool, states: view } = subjectOf(two);
  for (const state of [two, { ...two, design: "twocrypto" as const }]) {
    const blind = { ...state, virtualPrice: 0n };
    const mirror = curveCrypto.mirror(blind, pool, at, view);
    for (let exponent = 0; exponent < 45; exponent++) {
      const dx = 3n ** BigInt(exponent);
      const dy = Number(exchange(blind, { i: 0, j: 1, dx, timestamp: NOW })?.dy ?? 0n);
      const float = curveCrypto.quoteFloat(mirror, 0, 1, Number(dx));
      expect(Math.abs(float - dy)).toBeLessThanOrEqual(
        Math.max(1e-9 * dy, 2, 1e-15 * Number(two.balances[1]!)),
      );
    }
  }
});

test("the step says that indexes are uint256", () => {
  expect(curveCrypto.encode(subjectOf(two).pool, two, 1, 0)).toEqual({
    ...{ kind: 6, target: POOL, zeroForOne: false, extra: "0x010001", intake: "approval", paysAnyone: false },
  });
});
