import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { type Deployment, type Hex, NATIVE, type Pool, type Side } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluid } from "./index.ts";
import { limitAfter, NO_HALF, type State, scaleOf } from "./state.ts";
import { swapIn, swapOut } from "./swap.ts";

const POOL = "0x00000000000000000000000000000000000000f1";
const RESOLVER = "0x00000000000000000000000000000000000000f2";
const WSTETH = "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0";
const NOW = 1_700_000_000;
const at = { blockNumber: 7, timestamp: NOW };
const NO_LIMIT = { available: 10n ** 40n, expandsTo: 10n ** 40n, seconds: 0n };
const RAY = 10n ** 27n;
const ETHER = 10n ** 18n;

const pool: Pool = {
  id: POOL,
  address: POOL,
  protocol: "fluid",
  deployment: "fluid",
  tokens: [WSTETH, NATIVE],
  stateIds: [POOL],
  facts: { resolver: RESOLVER },
};

/** Two halves at almost the same price, as a pool of wstETH and ETH had them. */
const state: State = {
  collateral: {
    real: [2169934539358n, 19563846299171n],
    imaginary: [62490032619260838n, 73741038977020279n],
  },
  debt: { real: [2169108220421n, 19572550738602n], imaginary: [62511862774117387n, 73766803277429176n] },
  withdrawable: [NO_LIMIT, NO_LIMIT],
  borrowable: [NO_LIMIT, NO_LIMIT],
  scales: [scaleOf(18n), scaleOf(18n)],
  centerPrice: (118n * RAY) / 100n,
  fee: 100n,
  revenueCut: 0n,
  oracle: {
    time: NOW - 60,
    price: (73741038977020279n * RAY) / 62490032619260838n,
    before: RAY,
    center: (118n * RAY) / 100n,
  },
  readAt: NOW,
  readFor: at.blockNumber,
  isOpen: true,
};

function quote(given: State, [i, amount, side = "in"]: readonly [0 | 1, bigint, Side?], timestamp = NOW) {
  const { pool: one, states } = subjectOf(given, pool.tokens);
  return fluid.quote(states, one, i, 1 - i, amount, side, { ...at, timestamp });
}

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
  readonly collateral?: readonly bigint[];
  readonly scale?: readonly bigint[];
};

function answersOf({
  tokens = pool.tokens.map(BigInt),
  enabled = 3n,
  paused = 0n,
  limit = [5n, 9n, 100n],
  collateral = [...state.collateral.real, ...state.collateral.imaginary],
  scale = [1n, 10n ** 6n],
}: Answer = {}): Hex[] {
  const debt = [3n, 4n, ...state.debt.real, ...state.debt.imaginary];
  const limits = [...limit, 10n, 10n, 0n, 20n, 30n, 40n, 50n, 60n, 70n];
  const variables =
    (bigNumber(RAY) << 1n) |
    (bigNumber(2n * RAY) << 41n) |
    (bigNumber(3n * RAY) << 81n) |
    (BigInt(NOW - 60) << 121n);
  return [
    hexOf([BigInt(POOL), ...tokens, 100n, state.centerPrice, ...collateral, ...debt, ...limits]),
    hexOf([variables]),
    hexOf([enabled | (100n << 2n) | (10n << 19n) | (paused << 255n)]),
    hexOf([...scale, 10n ** 6n, 1n]),
  ];
}

const loaded = (answer: Answer = {}) => fluid.load(pool, answersOf(answer), at) as State;

describe("the swap", () => {
  test("the fee is taken from each half's part, after the input is divided: another order pays a unit more", () => {
    expect(quote(state, [0, ETHER])?.amountOut).toBe(1179917402127000000n);
  });

  test("both ways move the pool's price towards the other token, and amounts are cut to 1e-12 of a token", () => {
    const there = quote(state, [0, ETHER])!.amountOut;
    expect(quote(state, [0, ETHER + 999_999n])!.amountOut).toBe(there);
    expect(quote(state, [0, ETHER + 1_000_000n])!.amountOut).toBeGreaterThan(there);
    expect(quote(state, [1, there])!.amountOut).toBeLessThan(ETHER);
  });

  test("a half alone is sold to whole, and two halves of unequal price only to the better one", () => {
    const alone = { ...state, debt: NO_HALF };
    const poor = { ...state.debt, imaginary: [62511862774117387n, 73000000000000000n] as const };
    const small = ETHER / 100n;
    expect(quote({ ...state, debt: poor }, [0, small])).toEqual(quote(alone, [0, small]));
    expect(quote({ ...state, collateral: NO_HALF }, [0, small])?.amountOut).toBeGreaterThan(0n);
    expect(quote({ ...alone, collateral: NO_HALF }, [0, small])).toBeUndefined();
  });

  test("an exact output costs the least input that pays it, near the contract's own price of it", () => {
    const wanted = ETHER + 123n;
    const { amountIn, amountOut } = quote(state, [0, wanted, "out"])!;
    expect(amountOut).toBe(wanted);
    expect(quote(state, [0, amountIn])!.amountOut).toBeGreaterThanOrEqual(wanted);
    expect(quote(state, [0, amountIn - 1n])!.amountOut).toBeLessThan(wanted);
    const priced = swapOut(state, { i: 0, amount: wanted, timestamp: NOW })!;
    expect(Math.abs(Number(priced - amountIn))).toBeLessThan(5e6);
    expect(quote(state, [0, 10n ** 24n, "out"])).toBeUndefined();
  });

  test("a pool is not priced again after a swap in the same route", () => {
    const [[, after]] = quote(state, [0, ETHER])!.writes as [[string, State]];
    expect(quote(after, [0, ETHER])).toBeUndefined();
    expect(quote(after, [1, ETHER, "out"])).toBeUndefined();
    expect(fluid.quoteFloat(fluid.mirror(after, pool, at, new Map()), 0, 1, 1e18)).toBe(0);
  });
});

describe("what the contract refuses", () => {
  test("less than 1e-6 of a token or 100 units, and more than half of the reserves", () => {
    expect(quote(state, [0, 10n ** 12n])).toBeDefined();
    expect(quote(state, [0, 10n ** 12n - 1n])).toBeUndefined();
    const few = { ...state, scales: [scaleOf(6n), scaleOf(18n)] as const };
    expect(quote(few, [0, 100n])).toBeDefined();
    expect(quote(few, [0, 99n])).toBeUndefined();
    const deep = { real: [10n ** 25n, 10n ** 25n], imaginary: [10n ** 13n, 10n ** 13n] } as const;
    const thin = { ...state, collateral: deep, debt: NO_HALF, oracle: { ...state.oracle, time: 0 } };
    expect(swapIn(thin, { i: 0, amount: 5n * 10n ** 18n + 10n ** 6n, timestamp: NOW })).toBeUndefined();
  });

  test("a price 5 % from the last one before the block, either way", () => {
    const most = (price: bigint) => ({ ...state, oracle: { ...state.oracle, price } });
    const { price } = state.oracle;
    expect(quote(most((price * 1049n) / 1000n), [0, ETHER])).toBeDefined();
    expect(quote(most((price * 1051n) / 1000n), [0, ETHER])).toBeUndefined();
    expect(quote(most((price * 951n) / 1000n), [0, ETHER])).toBeDefined();
    expect(quote(most((price * 949n) / 1000n), [0, ETHER])).toBeUndefined();
  });

  test("in the second of the last swap, the price before it counts and the centre price must be the same", () => {
    const { price, center } = state.oracle;
    const again = (oracle: Partial<State["oracle"]>) => ({
      ...state,
      oracle: { time: NOW, price: RAY, before: price, center, ...oracle },
    });
    expect(quote(again({}), [0, ETHER])).toBeDefined();
    expect(quote(again({}), [0, ETHER], NOW + 1)).toBeUndefined();
    expect(quote(again({ before: RAY, price }), [0, ETHER])).toBeUndefined();
    expect(quote(again({ center: (center * 100_000_002n) / 100_000_000n }), [0, ETHER])).toBeUndefined();
    expect(quote(again({ center: (center * 99_999_998n) / 100_000_000n }), [0, ETHER])).toBeUndefined();
  });

  test("a reserve below a ten-thousandth of the other's worth at the centre price, either way", () => {
    const short = (real: readonly [bigint, bigint]): State => ({
      ...state,
      collateral: { ...state.collateral, real },
      debt: NO_HALF,
    });
    const small = 10n ** 14n;
    expect(quote(short([10n ** 16n, 2n * 10n ** 12n]), [0, small])).toBeDefined();
    expect(quote(short([10n ** 16n, 10n ** 12n]), [0, small])).toBeUndefined();
    expect(quote(short([2n * 10n ** 12n, 10n ** 16n]), [1, small])).toBeDefined();
    expect(quote(short([8n * 10n ** 11n, 10n ** 16n]), [1, small])).toBeUndefined();
  });

  test("more than a half's limit, which grows with time", () => {
    const limit = { available: ETHER / 10n, expandsTo: ETHER, seconds: 100n };
    const limited = { ...state, withdrawable: [NO_LIMIT, limit] as const };
    expect(quote(limited, [0, ETHER])).toBeUndefined();
    expect(quote(limited, [0, ETHER], NOW + 99)).toBeDefined();
    expect(quote({ ...state, borrowable: [NO_LIMIT, limit] }, [0, ETHER])).toBeUndefined();
    expect(quote({ ...state, borrowable: [limit, NO_LIMIT] }, [0, ETHER])).toBeDefined();
    expect(limitAfter(limit, 50n)).toBe((ETHER * 55n) / 100n);
    expect(limitAfter(limit, 100n)).toBe(ETHER);
    expect(limitAfter({ ...limit, expandsTo: 3n, seconds: 0n }, 0n)).toBe(3n);
  });

  test("an input of which the protocol's cut and roundings are more than 1 %", () => {
    const cents = { ...state, scales: [scaleOf(6n), scaleOf(18n)] as const, revenueCut: 10n };
    expect(quote(cents, [0, 100n])).toBeUndefined();
    expect(quote(cents, [0, 1000n])).toBeDefined();
    expect(quote({ ...state, fee: 100_000n, revenueCut: 11n }, [0, ETHER])).toBeUndefined();
  });
});

describe("what is read", () => {
  test("halves, fee, cut, limits and the oracle's prices", () => {
    expect(loaded()).toEqual({
      collateral: state.collateral,
      debt: state.debt,
      withdrawable: [
        { available: 5n, expandsTo: 9n, seconds: 100n },
        { available: 10n, expandsTo: 10n, seconds: 0n },
      ],
      borrowable: [
        { available: 20n, expandsTo: 30n, seconds: 40n },
        { available: 50n, expandsTo: 60n, seconds: 70n },
      ],
      scales: [scaleOf(18n), scaleOf(6n)],
      centerPrice: state.centerPrice,
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
    expect(loaded({ collateral: [0n, 0n, 0n, 0n] }).isOpen).toBe(false);
    expect(loaded({ collateral: [1n, 1n, 2n ** 96n, 1n] }).isOpen).toBe(false);
    expect(quote(loaded({ paused: 1n }), [0, ETHER])).toBeUndefined();
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
    expect(fluid.stale(state, { ...at, blockNumber: 8 })).toBe(true);
    expect(fluid.stale(state, at)).toBe(false);
    for (const topic of fluid.topics) {
      const log = { address: POOL, topics: [topic], data: "0x" } as const;
      expect(fluid.touches(log)).toEqual([POOL]);
      expect(fluid.apply(state, log, at)).toBe("reload");
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

test("a step sells token 0 with the direction bit; native input is held, and native output stays with the router", () => {
  expect(fluid.encode(pool, state, 0, 1)).toEqual({
    kind: stepKinds.fluid,
    target: POOL,
    zeroForOne: true,
    extra: "0x",
    intake: "approval",
    paysAnyone: false,
  });
  expect(fluid.encode(pool, state, 1, 0)).toMatchObject({
    zeroForOne: false,
    intake: "held",
    paysAnyone: true,
  });
});
