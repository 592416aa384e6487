import { toEventSelector, toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { curveCrypto } from "./index.ts";
import { at, two } from "./pool.fixture.ts";

const [A, B, C, LP, FACTORY] = [1, 2, 3, 4, 5].map((k) => `0x${`${k}`.repeat(40)}` as Address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
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
    ...[none, text("v2.1.0"), answer(BigInt(C)), answer(two.lpSupply)],
    ...[...two.balances, 18n, 18n, ...two.priceScale].map(answer),
  ];
  const answers = [...round, text("v2.1.0")];

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

  test("a pool and a maths contract of 2023 follow their own bounds", () => {
    const first = answers.with(12, text("v2.0.0")).with(20, text("v2.0.0"));
    expect(curveCrypto.load(pool, first, at)).toMatchObject({ design: "twocrypto-ng" });
  });

  test("the contracts of newer chains name their version without a v", () => {
    const later = answers.with(12, text("2.1.0")).with(20, text("2.1.0"));
    expect(curveCrypto.load(pool, later, at)).toEqual(curveCrypto.load(pool, answers, at));
    expect(curveCrypto.load(pool, later.with(20, text("v2.1.0")), at)).toEqual({
      refusal: "unknown version",
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
    [12, text("v2.0.0"), "unknown version"],
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
    ...sizes.map((n) => `ClaimAdminFee(address,uint256[${n}])`),
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

test("the step says that indexes are uint256", () => {
  expect(curveCrypto.encode(subjectOf(two).pool, two, 1, 0)).toEqual({
    ...{ kind: 6, target: POOL, zeroForOne: false, extra: "0x010001", intake: "approval", paysAnyone: false },
  });
});
