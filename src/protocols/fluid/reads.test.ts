import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { type Deployment, type Hex, NATIVE, type Pool } from "../../core/types.ts";
import { parseVectors } from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluid } from "./index.ts";
import { idOf, NO_HALF, type State, scaleOf } from "./state.ts";
import { suite } from "./vectors.ts";

const POOL = "0x00000000000000000000000000000000000000f1";
const RESOLVER = "0x00000000000000000000000000000000000000f2";
const WSTETH = "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0";
const NOW = 1_700_000_000;
const at = { blockNumber: 7, timestamp: NOW };
const RAY = 10n ** 27n;
const CENTER_PRICE = (118n * RAY) / 100n;

const pool: Pool = {
  id: idOf(POOL),
  address: POOL,
  protocol: "fluid",
  deployment: "fluid",
  tokens: [WSTETH, NATIVE],
  stateIds: [idOf(POOL)],
  facts: { resolver: RESOLVER },
};

const collateral = {
  real: [2169934539358n, 19563846299171n],
  imaginary: [62490032619260838n, 73741038977020279n],
};
const debt = { real: [2169108220421n, 19572550738602n], imaginary: [62511862774117387n, 73766803277429176n] };

const hexOf = (words: readonly bigint[]): Hex => `0x${words.map(word).join("")}`;

/** A price as the pool stores it: 32 bits and an exponent of 8. */
function bigNumber(value: bigint): bigint {
  const shift = BigInt(Math.max(0, value.toString(2).length - 32));
  return ((value >> shift) << 8n) | shift;
}

type Answer = {
  readonly tokens?: readonly bigint[];
  readonly enabled?: bigint;
  readonly paused?: bigint;
  readonly limit?: readonly bigint[];
  readonly deposits?: readonly bigint[];
  readonly scale?: readonly bigint[];
};

function answersOf({
  tokens = pool.tokens.map(BigInt),
  enabled = 3n,
  paused = 0n,
  limit = [5n, 9n, 100n],
  deposits = [...collateral.real, ...collateral.imaginary],
  scale = [1n, 10n ** 6n],
}: Answer = {}): Hex[] {
  const debts = [3n, 4n, ...debt.real, ...debt.imaginary];
  const limits = [...limit, 10n, 10n, 0n, 20n, 30n, 40n, 50n, 60n, 70n];
  const variables =
    (bigNumber(RAY) << 1n) |
    (bigNumber(2n * RAY) << 41n) |
    (bigNumber(3n * RAY) << 81n) |
    (BigInt(NOW - 60) << 121n);
  return [
    hexOf([BigInt(POOL), ...tokens, 100n, CENTER_PRICE, ...deposits, ...debts, ...limits]),
    hexOf([variables]),
    hexOf([enabled | (100n << 2n) | (10n << 19n) | (paused << 255n)]),
    hexOf([...scale, 10n ** 6n, 1n]),
  ];
}

const loaded = (answer: Answer = {}) => fluid.load(pool, answersOf(answer), at) as State;

describe("what is read", () => {
  test("halves, fee, cut, limits and the oracle's prices", () => {
    expect(loaded()).toEqual({
      collateral,
      debt,
      debts: [3n, 4n],
      withdrawable: [
        { available: 5n, expandsTo: 9n, seconds: 100n },
        { available: 10n, expandsTo: 10n, seconds: 0n },
      ],
      borrowable: [
        { available: 20n, expandsTo: 30n, seconds: 40n },
        { available: 50n, expandsTo: 60n, seconds: 70n },
      ],
      scales: [scaleOf(18n), scaleOf(6n)],
      centerPrice: CENTER_PRICE,
      fee: 100n,
      revenueCut: 10n,
      oracle: {
        time: NOW - 60,
        price: ((2n * RAY) >> 59n) << 59n,
        before: (RAY >> 58n) << 58n,
        center: ((3n * RAY) >> 60n) << 60n,
      },
      readAt: NOW,
      readFor: 7,
      isOpen: true,
    });
  });

  test("a half that is not enabled counts as none, whatever its reserves", () => {
    expect(loaded({ enabled: 1n })).toMatchObject({ debt: NO_HALF, isOpen: true });
    expect(loaded({ enabled: 2n })).toMatchObject({ collateral: NO_HALF, isOpen: true });
  });

  test("a paused pool, an enabled half without reserves and reserves beyond the arithmetic are not priced", () => {
    expect(loaded({ paused: 1n }).isOpen).toBe(false);
    expect(loaded({ deposits: [0n, 0n, 0n, 0n] }).isOpen).toBe(false);
    expect(loaded({ deposits: [1n, 1n, 2n ** 96n, 1n] }).isOpen).toBe(false);
    const { states } = subjectOf(loaded({ paused: 1n }));
    expect(fluid.quote(states, pool, 0, 1, 10n ** 18n, "in", at)).toBeUndefined();
  });

  test("token 0's limit counts from 0 where the resolver left it out", () => {
    expect(loaded({ limit: [9n, 9n, 100n] }).withdrawable[0].available).toBe(0n);
    expect(loaded({ limit: [9n, 9n, 0n] }).withdrawable[0].available).toBe(9n);
  });

  test("reads that fail, other tokens and impossible scales are refused", () => {
    for (const k of [0, 1, 2, 3])
      expect(fluid.load(pool, answersOf().with(k, "0x"), at)).toEqual({
        refusal: "a read of the pool failed",
      });
    expect(loaded({ tokens: [1n, BigInt(NATIVE)] })).toEqual({
      refusal: "the tokens are not those on record",
    });
    for (const scale of [
      [0n, 1n],
      [1n, 0n],
      [2n, 2n],
      [1n, 10n ** 25n],
    ])
      expect(loaded({ scale })).toEqual({ refusal: "the decimals of a token cannot be" });
  });

  test("only the resolver's function writes, and the state is read again for each block and after each log", () => {
    expect(fluid.reads(pool, []).map(({ to, mayWrite }) => [to, mayWrite])).toEqual([
      [RESOLVER, true],
      ...[POOL, POOL, POOL].map((to) => [to, undefined]),
    ]);
    expect(fluid.stale(loaded(), { ...at, blockNumber: 8 })).toBe(true);
    expect(fluid.stale(loaded(), at)).toBe(false);
    for (const topic of fluid.topics) {
      const log = { address: POOL, topics: [topic], data: "0x" } as const;
      expect(fluid.touches(log)).toEqual([pool.id]);
      expect(fluid.apply(loaded(), log, at)).toBe("reload");
    }
  });
});

describe("the pools of a record", () => {
  const record: Deployment = {
    id: "fluid",
    protocol: "fluid",
    name: "Fluid",
    factory: RESOLVER,
    fromBlock: undefined,
    trusted: true,
    facts: { resolver: RESOLVER, dexes: 2 },
    source: "test",
  };

  test("are asked for by number, and numbers without a pool are skipped", () => {
    const hints = fluid.hinted(record);
    expect(hints.map(({ details }) => details)).toEqual(
      [1n, 2n].map((id) => [{ to: RESOLVER, data: `0x068bcd8d${word(id)}` }]),
    );
    expect(hints[0]!.poolOf([hexOf([BigInt(POOL), ...pool.tokens.map(BigInt), 5n])])).toEqual(pool);
    expect(hints[1]!.poolOf(["0x"])).toBeUndefined();
    expect(fluid.seeds(record)).toEqual([]);
  });

  test("or listed with their tokens", () => {
    const pools = `${POOL}:${WSTETH}:${NATIVE}`;
    const listed = { ...record, facts: { resolver: RESOLVER, pools } };
    expect(fluid.seeds(listed)).toEqual([pool]);
    expect(fluid.hinted(listed)).toEqual([]);
  });

  test.each([
    ["no list and no count", { resolver: RESOLVER }],
    ["a pool of one token", { resolver: RESOLVER, pools: `${POOL}:${WSTETH}` }],
    ["no address", { resolver: RESOLVER, pools: `${POOL}:${WSTETH}:eth` }],
    ["no resolver", { pools: `${POOL}:${WSTETH}:${NATIVE}` }],
  ])("a record with %s is wrong", (_, facts) => {
    expect(() => fluid.seeds({ ...record, facts } as Deployment)).toThrow("deployment fluid: ");
  });
});

test("a recorded state may have capital names, no limits and a time relative to the swap", () => {
  const text = JSON.stringify({
    schema: "swapvec/1",
    vectors: [
      {
        id: "capital",
        protocol: "fluid-dex-t1",
        pool: {
          timestamp: null,
          tokens: [{ address: "A" }, { address: "B" }],
          state: {
            collateralReserves: namesOf(collateral, "T"),
            debtReserves: { ...namesOf(debt, "T"), Token0Debt: "499000000000", Token1Debt: "0" },
            dexLimits: Object.fromEntries(
              ["WithdrawableToken0", "WithdrawableToken1", "BorrowableToken0", "BorrowableToken1"].map(
                (name) => [
                  name,
                  { Available: null, ExpandsTo: null, ExpandDuration: name.endsWith("1") ? "22" : null },
                ],
              ),
            ),
            centerPrice: "1",
            fee: "100",
            decimals: ["18", "18"],
            syncTimestamp: "now-10s in the test",
          },
        },
        swaps: [],
      },
    ],
  });
  const trial = suite.open(parseVectors(text)[0]!);
  const swap = (amountIn: bigint, amountOut: bigint | null) =>
    trial({
      kind: "exactIn",
      tokenIn: "a",
      tokenOut: "b",
      amountIn,
      amountOut,
      mustFail: amountOut === null,
      fields: {},
    });
  expect(swap(9n * 10n ** 17n, 1061926511353000000n)).toBeUndefined();
  // More than the debt of token 0 would be paid back.
  expect(swap(10n ** 18n, null)).toBeUndefined();
});

/** The reserves of a half as a recorded state has them, with this first letter. */
function namesOf({ real, imaginary }: typeof collateral, first: string): Record<string, string> {
  const named = (amounts: readonly bigint[], kind: string) =>
    amounts.map((amount, k) => [`${first}oken${k}${kind}Reserves`, String(amount)] as const);
  return Object.fromEntries([...named(real, "Real"), ...named(imaginary, "Imaginary")]);
}
