import {
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem/utils";
import { describe, expect, test } from "vitest";
import { sqrt } from "../../core/math/gyro/gyro-pool-math.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { discoverIn } from "../shared/balancer-vault.ts";
import { POOL, POOL_ID, VAULT } from "./arbitrary.ts";
import { gyroscope } from "./index.ts";
import type { State } from "./state.ts";
import recorded from "./vectors.json" with { type: "json" };

const TWO: Address = "0x00000000000000000000000000000000000000f1";
const THREE: Address = "0x00000000000000000000000000000000000000f2";
const ELLIPSE: Address = "0x00000000000000000000000000000000000000f3";
const tokens: readonly Address[] = [
  "0x00000000000000000000000000000000000000a1",
  "0x00000000000000000000000000000000000000a2",
  "0x00000000000000000000000000000000000000a3",
];
const NOBODY: Address = "0x0000000000000000000000000000000000000000";
const at: At = { blockNumber: 7, timestamp: 1_700_000_000 };

const deployment: Deployment = {
  id: "gyroscope",
  protocol: "gyroscope",
  name: "Gyroscope",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: writeNamed({ "2clp": TWO, "3clp": THREE, eclp: ELLIPSE }) },
  source: "test",
};

const abi = parseAbi([
  "event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)",
]);
const words = (...values: (bigint | number)[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: "int256" })),
    values.map(BigInt),
  );

function registered(count: number): Log {
  const lists = [{ type: "address[]" }, { type: "address[]" }] as const;
  const data = encodeAbiParameters(lists, [tokens.slice(0, count), Array<Address>(count).fill(NOBODY)]);
  const topics = encodeEventTopics({
    abi,
    eventName: "TokensRegistered",
    args: { poolId: POOL_ID },
  }) as Hex[];
  return { address: VAULT, topics, data };
}

function discovered(count: number): Pool {
  return gyroscope.discover(registered(count), deployment)!;
}

type Table = Readonly<Record<string, Hex | ((to: Address) => Hex)>>;

function load(pool: Pool, table: Table) {
  const got: Hex[] = [];
  for (let calls = gyroscope.reads(pool, got); calls.length > 0; calls = gyroscope.reads(pool, got))
    for (const { to, data } of calls) {
      const name = Object.keys(table).find((item) => toFunctionSelector(item) === data.slice(0, 10));
      const answer = name === undefined ? "0x" : table[name]!;
      got.push(typeof answer === "function" ? answer(to) : answer);
    }
  return gyroscope.load(pool, got, at);
}

const shared = (factory: Address, balances: readonly bigint[]): Table => ({
  "isPoolFromFactory(address)": (to) => words(to === factory ? 1 : 0),
  "getPoolTokens(bytes32)": encodeAbiParameters(
    [{ type: "address[]" }, { type: "uint256[]" }, { type: "uint256" }],
    [tokens.slice(0, balances.length), balances, 1n],
  ),
  "getPausedState()": words(0, 0, 0),
  "getSwapFeePercentage()": words(10n ** 15n),
  "decimals()": (to) => words(to === tokens[0] ? 6 : 18),
});

const twoTable: Table = {
  ...shared(TWO, [10n ** 12n, 10n ** 24n]),
  "getSqrtParameters()": words(999500374687773191n, 1000500375312773683n),
};
/** wstETH/swETH from the recorded swaps, with a rate for the first token only. */
const fields = recorded.vectors.find(({ id }) => id.includes("0xe0e8ac08"))!.pool.state as Record<
  string,
  unknown
>;
const ellipseWords = [
  ...["paramsAlpha", "paramsBeta", "paramsC", "paramsS", "paramsLambda"],
  ...["tauAlphaX", "tauAlphaY", "tauBetaX", "tauBetaY", "u", "v", "w", "z", "dSq"],
].map((name) => BigInt(fields[name] as string));
const ellipseTable: Table = {
  ...shared(ELLIPSE, [10n ** 12n, 10n ** 24n]),
  "getECLPParams()": words(...ellipseWords),
  "getTokenRates()": words(11n * 10n ** 17n, 10n ** 18n),
  "rateProvider0()": words(1),
  "rateProvider1()": words(0),
};

describe("state", () => {
  test("a 2-CLP without rates holds in every block", () => {
    const state = load(discovered(2), twoTable) as State;
    expect(state).toMatchObject({
      vault: VAULT,
      balances: [10n ** 12n, 10n ** 24n],
      scaling: [10n ** 30n, 10n ** 18n],
      shape: { kind: "2clp", sqrtAlpha: 999500374687773191n, sqrtBeta: 1000500375312773683n },
      onlyIn: 0,
    });
    expect(gyroscope.stale(state, { ...at, blockNumber: 8 })).toBe(false);
  });

  test("a 3-CLP has one parameter and three tokens", () => {
    const table = { ...shared(THREE, [1n, 2n, 3n]), "getRoot3Alpha()": words(999500000000000000n) };
    expect(load(discovered(3), table)).toMatchObject({
      shape: { kind: "3clp", root3Alpha: 999500000000000000n },
    });
  });

  test("an E-CLP's rates are the providers', and hold for one block", () => {
    const state = load(discovered(2), ellipseTable) as State;
    expect(state.scaling).toEqual([11n * 10n ** 29n, 10n ** 18n]);
    expect(state.shape).toMatchObject({
      kind: "eclp",
      params: { lambda: ellipseWords[4], dSq: ellipseWords[13] },
    });
    expect([7, 8].map((blockNumber) => gyroscope.stale(state, { ...at, blockNumber }))).toEqual([
      false,
      true,
    ]);
  });

  test.each([
    ["made by a factory that is not listed", { "isPoolFromFactory(address)": words(0) }],
    ["the pool is paused", { "getPausedState()": (to: Address) => words(to === POOL ? 1 : 0, 0, 0) }],
    ["parameters failed", { "getSqrtParameters()": "0x" }],
    ["getSwapFeePercentage failed", { "getSwapFeePercentage()": "0x" }],
  ] as const)("refused: %s", (refusal, change) => {
    expect(load(discovered(2), { ...twoTable, ...change })).toEqual({ refusal });
  });

  test("a factory of two tokens does not make pools of three", () => {
    const table = { ...twoTable, ...shared(TWO, [1n, 2n, 3n]) };
    expect(load(discovered(3), table)).toEqual({ refusal: "parameters failed" });
  });
});

test("a pool stands beside the entry that another design has of it, and hears the same logs", () => {
  const swapTopic = "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b";
  const feeTopic = "0xa9ba3ffe0b6c366b81232caab38605a0699ad5398d6cce76f91ee809e322dafc";
  const pool = discovered(2);
  expect(pool).toMatchObject({ id: `gyroscope:${POOL}`, stateIds: [`gyroscope:${POOL}`], address: VAULT });
  expect(discoverIn("balancer-v2", registered(2), deployment)?.id).toBe(POOL);
  const logs = [
    { address: VAULT, topics: [swapTopic, POOL_ID], data: "0x" },
    { address: POOL, topics: [feeTopic], data: words(1) },
  ] as const;
  expect(logs.map((log) => gyroscope.touches(log))).toEqual([[pool.id], [pool.id]]);
});

describe("swaps", () => {
  const pool = discovered(2);
  const ask = (state: State, amount: bigint) =>
    gyroscope.quote(new Map([[pool.stateIds[0], state]]), pool, 0, 1, amount, "in", at);

  test("near the middle of narrow bounds the price is about one, less the fee", () => {
    const out = ask(load(pool, twoTable) as State, 10n ** 9n)!.amountOut;
    expect(Number(out) / 1e21).toBeCloseTo(0.999, 4);
  });

  test("a token that is worth more by its rate buys more", () => {
    const without: Table = { ...ellipseTable, "rateProvider0()": words(0) };
    const rated = ask(load(pool, ellipseTable) as State, 10n ** 9n)!.amountOut;
    const plain = ask(load(pool, without) as State, 10n ** 9n)!.amountOut;
    expect(Number(rated) / Number(plain)).toBeCloseTo(1.1, 1);
  });

  test("no pool pays more than it holds", () => {
    expect(ask(load(pool, twoTable) as State, 2n * 10n ** 12n)).toBeUndefined();
    expect(ask(load(pool, ellipseTable) as State, 10n ** 14n)).toBeUndefined();
  });
});

test("the invariant of a 3-CLP is rounded by the order sold, bought, third", () => {
  const table = {
    ...shared(THREE, [562379861474148352n, 681384396980224n, 1818627176195424256n]),
    "decimals()": words(18),
    "getSwapFeePercentage()": words(0),
    "getRoot3Alpha()": words(159661261074990000n),
  };
  const pool = discovered(3);
  const view = new Map([[pool.stateIds[0], load(pool, table)]]);
  // The answers of the contract's own library, compiled; in the order of the tokens the first would be 4 units more.
  const paid = [
    [1, 2, 277867640697038580n, 1505413346939338455n],
    [2, 0, 277867640697038580n, 81112774680631434n],
    [0, 2, 277867640697038580n, 576512865320268860n],
  ] as const;
  const answers = paid.map(
    ([i, j, amount]) => gyroscope.quote(view, pool, i, j, amount, "in", at)?.amountOut,
  );
  expect(answers).toEqual(paid.map(([, , , amountOut]) => amountOut));
});

describe("the square root", () => {
  test.each([
    [0n, 0n],
    [1n, 1_000_000_000n],
    [10n ** 17n, 316227766016837933n],
    [10n ** 18n, 10n ** 18n],
    [4n * 10n ** 18n, 2n * 10n ** 18n],
    [10n ** 36n, 10n ** 27n],
  ])("of %s is %s", (input, root) => {
    expect(sqrt(input)).toBe(root);
  });

  test("overflows where the input does not fit with 18 more digits", () => {
    expect(sqrt(2n ** 256n / 10n ** 18n + 1n)).toBeUndefined();
  });
});

test("a pause of the vault has all pools read again", () => {
  const topic = toEventSelector("event PausedStateChanged(bool)");
  expect(gyroscope.pauses).toEqual([topic]);
  expect(gyroscope.topics).toContain(topic);
});
