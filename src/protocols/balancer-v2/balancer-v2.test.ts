import { encodeAbiParameters, encodeEventTopics, parseAbi, toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Address, At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { NOW, POOL, POOL_ID, subjectOf, VAULT } from "./arbitrary.ts";
import { balancerV2 } from "./index.ts";
import { NEVER, type StableState, type State, type WeightedState } from "./state.ts";

const FACTORY: Address = "0x00000000000000000000000000000000000000f1";
const OTHER: Address = "0x00000000000000000000000000000000000000f2";
const A: Address = "0x00000000000000000000000000000000000000a1";
const B: Address = "0x00000000000000000000000000000000000000a2";
const PROVIDER: Address = "0x00000000000000000000000000000000000000d1";
const at: At = { blockNumber: 7, timestamp: NOW };

const deployment: Deployment = {
  id: "balancer-v2",
  protocol: "balancer-v2",
  name: "Balancer_V2",
  factory: VAULT,
  fromBlock: 0,
  trusted: true,
  facts: { factories: writeNamed({ "weighted-v1": FACTORY, "composable-stable": OTHER }) },
  source: "test",
};

const abi = parseAbi([
  "event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)",
  "event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)",
  "event PoolBalanceChanged(bytes32 indexed poolId, address indexed provider, address[] tokens, int256[] deltas, uint256[] fees)",
  "event SwapFeePercentageChanged(uint256 swapFeePercentage)",
  "event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)",
  "event PausedStateChanged(bool paused)",
]);

type Named = (typeof abi)[number]["name"];

function log(eventName: Named, args: object, address: Address, data: Hex): Log {
  const topics = encodeEventTopics({ abi, eventName: eventName as "Swap", args: args as never });
  return { address, topics: topics as Hex[], data };
}

const words = (...values: (bigint | number)[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: "int256" })),
    values.map(BigInt),
  );

const array = (type: "address" | "uint256" | "int256", values: readonly unknown[]) =>
  [{ type: `${type}[]` }, values] as const;

function arrays(...parts: readonly (readonly [{ type: string }, readonly unknown[]])[]): Hex {
  return encodeAbiParameters(
    parts.map(([type]) => type),
    parts.map(([, values]) => values),
  );
}

const registered = (managers: readonly Address[], from = VAULT) =>
  log(
    "TokensRegistered",
    { poolId: POOL_ID },
    from,
    arrays(array("address", [A, B]), array("address", managers)),
  );
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

/** Answers calls from a table by function name; calls without an entry revert. */
function answers(pool: Pool, table: Record<string, Hex | ((to: Address) => Hex)>): Hex[] {
  const got: Hex[] = [];
  for (let calls = balancerV2.reads(pool, got); calls.length > 0; calls = balancerV2.reads(pool, got))
    for (const { to, data } of calls) {
      const name = Object.keys(table).find((item) => toFunctionSelector(item) === data.slice(0, 10));
      const answer = name === undefined ? "0x" : table[name]!;
      got.push(typeof answer === "function" ? answer(to) : answer);
    }
  return got;
}

const shared = {
  "getPausedState()": words(0, 0, 0),
  "getSwapFeePercentage()": words(10n ** 15n),
  "decimals()": (to: Address) => words(to === B ? 6 : 18),
};
const tokensOf = (tokens: readonly Address[], balances: readonly bigint[]) =>
  encodeAbiParameters(
    [{ type: "address[]" }, { type: "uint256[]" }, { type: "uint256" }],
    [tokens, balances, 1n],
  );
const weightedTable = {
  ...shared,
  "isPoolFromFactory(address)": (to: Address) => words(to === FACTORY ? 1 : 0),
  "getPoolTokens(bytes32)": tokensOf([A, B], [10n ** 21n, 10n ** 9n]),
  "getNormalizedWeights()": arrays(array("uint256", [8n * 10n ** 17n, 2n * 10n ** 17n])),
};
const stableTable = {
  ...shared,
  "isPoolFromFactory(address)": (to: Address) => words(to === OTHER ? 1 : 0),
  "getPoolTokens(bytes32)": tokensOf([A, POOL, B], [10n ** 21n, 2n ** 111n, 10n ** 9n]),
  "getAmplificationParameter()": words(200_000, 0, 1000),
  "getActualSupply()": words(1990n * 10n ** 18n),
  "getRateProviders()": arrays(array("address", [PROVIDER, NOBODY, NOBODY])),
  "getTokenRateCache(address)": words(11n * 10n ** 17n, 0, 3600, NOW + 5),
  "getRate()": words(12n * 10n ** 17n),
};

const weightedPool = balancerV2.discover(registered([NOBODY, NOBODY]), deployment)!;
const stablePool: Pool = { ...weightedPool, tokens: [A, POOL, B] };
const weighted = balancerV2.load(weightedPool, answers(weightedPool, weightedTable), at) as WeightedState;
const stable = balancerV2.load(stablePool, answers(stablePool, stableTable), at) as StableState;

describe("discovery", () => {
  test("the vault's registration is a pool, known by its address and swapped at the vault", () => {
    expect(weightedPool).toMatchObject({
      id: POOL,
      address: VAULT,
      tokens: [A, B],
      facts: { poolId: POOL_ID },
    });
  });

  test("another contract's registration, and tokens that a manager may take, are none", () => {
    expect(balancerV2.discover(registered([NOBODY, NOBODY], OTHER), deployment)).toBeUndefined();
    expect(balancerV2.discover(registered([NOBODY, PROVIDER]), deployment)).toBeUndefined();
  });

  test("a deployment that lists no factories is wrong", () => {
    const wrong = { ...deployment, facts: {} };
    expect(() => balancerV2.discover(registered([NOBODY, NOBODY]), wrong)).toThrow("factories");
  });
});

describe("state", () => {
  test("weights, balances, decimals and the fee of a weighted pool of the first factory", () => {
    expect(weighted).toEqual({
      kind: "weighted",
      vault: VAULT,
      tokens: [A, B],
      balances: [10n ** 21n, 10n ** 9n],
      swapFee: 10n ** 15n,
      scaling: [1n, 10n ** 12n],
      weights: [8n * 10n ** 17n, 2n * 10n ** 17n],
      shortcuts: false,
    });
  });

  test("rates, shares and amplification of a composable stable pool", () => {
    expect(stable).toMatchObject({
      kind: "stable",
      rounding: "down",
      shareIndex: 1,
      supply: 1990n * 10n ** 18n,
      readFor: 7,
      scaling: [
        { cached: 11n * 10n ** 17n, live: 12n * 10n ** 17n, expires: NOW + 5 },
        { cached: 10n ** 18n, live: 10n ** 18n, expires: NEVER },
        { cached: 10n ** 30n, live: 10n ** 30n, expires: NEVER },
      ],
    });
  });

  test("an expired rate is the provider's, and is read again every block", () => {
    const later = { blockNumber: 8, timestamp: NOW + 6 };
    const states = new Map([[POOL as string, stable]]);
    const now = balancerV2.quote(states, stablePool, 0, 2, 10n ** 18n, "in", at)!;
    const then = balancerV2.quote(states, stablePool, 0, 2, 10n ** 18n, "in", later)!;
    expect(Number(then.amountOut) / Number(now.amountOut)).toBeCloseTo(12 / 11, 2);
    expect([balancerV2.stale(stable, at), balancerV2.stale(stable, later)]).toEqual([false, true]);
    // Fees that become due when a rate is updated are not in the supply, so shares have no price then.
    expect(balancerV2.quote(states, stablePool, 0, 1, 10n ** 18n, "in", at)).toBeDefined();
    expect(balancerV2.quote(states, stablePool, 0, 1, 10n ** 18n, "in", later)).toBeUndefined();
  });

  test.each([
    ["made by a factory that is not listed", { "isPoolFromFactory(address)": words(0) }],
    ["the pool is paused", { "getPausedState()": (to: Address) => words(to === POOL ? 1 : 0, 0, 0) }],
    ["the vault is paused", { "getPausedState()": (to: Address) => words(to === VAULT ? 1 : 0, 0, 0) }],
    ["decimals failed, or more than 18", { "decimals()": words(19) }],
    ["getNormalizedWeights failed", { "getNormalizedWeights()": "0x" }],
    ["the vault lists other tokens", { "getPoolTokens(bytes32)": tokensOf([B, A], [1n, 1n]) }],
    ["getPoolTokens failed", { "getPoolTokens(bytes32)": "0x" }],
  ] as const)("refused: %s", (refusal, change) => {
    const table = { ...weightedTable, ...change } as typeof weightedTable;
    expect(balancerV2.load(weightedPool, answers(weightedPool, table), at)).toEqual({ refusal });
  });

  test.each([
    ["amplification is being changed", { "getAmplificationParameter()": words(200_000, 1, 1000) }],
    ["a rate failed", { "getRate()": "0x" }],
  ] as const)("a stable pool is refused: %s", (refusal, change) => {
    const table = { ...stableTable, ...change } as typeof stableTable;
    expect(balancerV2.load(stablePool, answers(stablePool, table), at)).toEqual({ refusal });
  });
});

describe("logs", () => {
  const swap = (from: Address) =>
    log("Swap", { poolId: POOL_ID, tokenIn: A, tokenOut: B }, from, words(50, 20));

  test("a swap moves the balances of the pool that the vault names", () => {
    expect(balancerV2.touches(swap(VAULT))).toEqual([POOL]);
    const next = balancerV2.apply(weighted, swap(VAULT), at) as State;
    expect(next.balances).toEqual([10n ** 21n + 50n, 10n ** 9n - 20n]);
  });

  test("a log that only looks like the vault's changes nothing", () => {
    expect(balancerV2.apply(weighted, swap(OTHER), at)).toBe(weighted);
  });

  test("joins bring their deltas less the protocol's fees", () => {
    const data = arrays(array("address", [A, B]), array("int256", [5n, -7n]), array("uint256", [1n, 2n]));
    const joined = log("PoolBalanceChanged", { poolId: POOL_ID, provider: A }, VAULT, data);
    expect((balancerV2.apply(weighted, joined, at) as State).balances).toEqual([
      10n ** 21n + 4n,
      10n ** 9n - 9n,
    ]);
  });

  test("the fee changes in place; a pause, and what moves shares, is read again", () => {
    const fee = log("SwapFeePercentageChanged", {}, POOL, words(3));
    expect((balancerV2.apply(weighted, fee, at) as State).swapFee).toBe(3n);
    expect(balancerV2.apply(weighted, log("PausedStateChanged", {}, POOL, words(1)), at)).toBe("reload");
    expect(log("PausedStateChanged", {}, VAULT, words(1)).topics).toEqual(balancerV2.pauses);
    expect(balancerV2.apply(stable, swap(VAULT), at)).toBe("reload");
  });

  test("amplification moves along the ramp that its log tells", () => {
    const plain = {
      ...stable,
      shareIndex: -1,
      supply: 0n,
      tokens: [A, B],
      balances: [10n ** 21n, 10n ** 9n],
    };
    const pool = { ...plain, scaling: [stable.scaling[1]!, stable.scaling[2]!] } satisfies StableState;
    const ramp = log("AmpUpdateStarted", {}, POOL, words(200_000, 400_000, NOW - 100, NOW + 100));
    expect((balancerV2.apply(pool, ramp, at) as StableState).ramp).toEqual({
      initialA: 200_000n,
      futureA: 400_000n,
      initialTime: NOW - 100,
      futureTime: NOW + 100,
    });
  });
});

describe("shares", () => {
  const states = new Map([[POOL as string, stable]]);
  const pool = subjectOf(stable).pool;
  const ask = (i: number, j: number, amount: bigint) =>
    balancerV2.quote(states, { ...pool, tokens: stablePool.tokens }, i, j, amount, "in", at);

  test("are joined and exited at about D per share, and their price is open after a swap", () => {
    const joined = ask(0, 1, 10n ** 18n)!;
    expect(Number(joined.amountOut) / 1e18).toBeCloseTo(1.1 / (2100 / 1990), 2);
    const next = joined.writes[0]![1] as StableState;
    expect(next.supply).toBe(0n);
    const exited = ask(1, 2, 10n ** 18n)!;
    expect(Number(exited.amountOut) / 1e6).toBeCloseTo(2100 / 1990, 2);
  });

  test("joins need more gas than exits, exits more than swaps", () => {
    const [join, exit, plain] = [ask(0, 1, 10n ** 18n), ask(1, 0, 10n ** 18n), ask(0, 2, 10n ** 18n)];
    expect(join!.gas > exit!.gas && exit!.gas > plain!.gas).toBe(true);
  });

  test("a join so small that weights round below one reverts", () => {
    expect(ask(0, 1, 1n)).toBeUndefined();
  });

  test("no more shares are given back than there are", () => {
    expect(ask(1, 0, 1990n * 10n ** 18n)).toBeUndefined();
  });

  test("are marked in the step that sells them, and in no other", () => {
    const marked = [0, 1, 2].map((i) => balancerV2.encode(stablePool, stable, i, (i + 1) % 3).zeroForOne);
    expect(marked).toEqual([false, true, false]);
    expect(balancerV2.encode(weightedPool, weighted, 1, 0).zeroForOne).toBe(false);
  });
});

test("the step names the vault and the pool's id", () => {
  expect(balancerV2.encode(weightedPool, weighted, 0, 1)).toMatchObject({
    kind: 5,
    target: VAULT,
    extra: POOL_ID,
    intake: "approval",
    paysAnyone: true,
  });
});

test("a rate provider, which the pool's creator chose, is the only contract that is not trusted", () => {
  const known = answers(stablePool, stableTable);
  const rounds = known.map((_, k) => balancerV2.reads(stablePool, known.slice(0, k)));
  const untrusted = rounds.flat().filter(({ isUntrusted }) => isUntrusted);
  expect(new Set(untrusted.map(({ to }) => to))).toEqual(new Set([PROVIDER]));
});
