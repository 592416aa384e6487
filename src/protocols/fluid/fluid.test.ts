import { describe, expect, test } from "vitest";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { NATIVE, type Pool, type Side } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluid } from "./index.ts";
import { idOf, limitAfter, NO_HALF, type State, scaleOf } from "./state.ts";
import { swapOut } from "./swap.ts";

const POOL = "0x00000000000000000000000000000000000000f1";
const RESOLVER = "0x00000000000000000000000000000000000000f2";
const WSTETH = "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0";
const NOW = 1_700_000_000;
const at = { blockNumber: 7, timestamp: NOW };
const NO_LIMIT = { available: 10n ** 40n, expandsTo: 10n ** 40n, seconds: 0n };
const RAY = 10n ** 27n;
const ETHER = 10n ** 18n;

const pool: Pool = {
  id: idOf(POOL),
  address: POOL,
  protocol: "fluid",
  deployment: "fluid",
  tokens: [WSTETH, NATIVE],
  stateIds: [idOf(POOL)],
  facts: { resolver: RESOLVER },
};

/** Two halves at almost the same price, as a pool of wstETH and ETH had them. */
const state: State = {
  collateral: {
    real: [2169934539358n, 19563846299171n],
    imaginary: [62490032619260838n, 73741038977020279n],
  },
  debt: { real: [2169108220421n, 19572550738602n], imaginary: [62511862774117387n, 73766803277429176n] },
  debts: [16590678644536n, 2559733858855n],
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

/** The exact fill. In doubles a sale must be the same within 1e-9 or two units, and 0 where it is refused. */
function quote(given: State, [i, amount, side = "in"]: readonly [0 | 1, bigint, Side?], timestamp = NOW) {
  const { pool: one, states } = subjectOf(given, pool.tokens);
  const then = { ...at, timestamp };
  const fill = fluid.quote(states, one, i, 1 - i, amount, side, then);
  const mirror = fluid.mirror(given, one, then, states);
  const [sold, paid] = [fill?.amountIn ?? amount, fill?.amountOut ?? 0n];
  const float = side === "in" ? fluid.quoteFloat(mirror, i, 1 - i, Number(sold)) : Number(paid);
  expect(Math.abs(float - Number(paid))).toBeLessThanOrEqual(Math.max(2, 1e-9 * Number(paid)));
  return fill;
}

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
    const indebted = { ...state, collateral: NO_HALF };
    expect(quote({ ...state, collateral: poor }, [0, small])).toEqual(quote(indebted, [0, small]));
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
    // After half of the reserves are sold, the price is four ninths.
    const oracle = { ...state.oracle, price: (4n * RAY) / 9n };
    const thin = { ...state, collateral: deep, debt: NO_HALF, oracle };
    expect(quote(thin, [0, 5n * ETHER])).toBeDefined();
    expect(quote(thin, [0, 5n * ETHER + 10n ** 6n])).toBeUndefined();
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

  test("more than both halves may pay together where they have the same limit: the layer pays both out of it", () => {
    // Each half pays about half of 1.18 ETH.
    const same = (available: bigint): State => {
      const limit = { available, expandsTo: available, seconds: 0n };
      return { ...state, withdrawable: [NO_LIMIT, limit], borrowable: [NO_LIMIT, limit] };
    };
    const paid = quote(state, [0, ETHER])!.amountOut;
    expect(quote(same(paid), [0, ETHER])?.amountOut).toBe(paid);
    expect(quote(same(paid - 10n ** 12n), [0, ETHER])).toBeUndefined();
    const { borrowable } = same(paid - 10n ** 12n);
    expect(quote({ ...state, borrowable }, [0, ETHER])?.amountOut).toBe(paid);
  });

  test("more of a token than the debts are", () => {
    const indebted = (first: bigint) => ({ ...state, debts: [first, 0n] as const });
    const part = 499_120_526_034n;
    expect(quote(state, [0, ETHER])).toBeDefined();
    expect(quote(indebted(part - 10n ** 9n), [0, ETHER])).toBeUndefined();
    expect(quote(indebted(0n), [0, ETHER])).toBeUndefined();
    expect(quote({ ...indebted(0n), debt: NO_HALF }, [0, ETHER])).toBeDefined();
  });

  test("an input of which the protocol's cut and roundings are more than 1 %", () => {
    const cents = { ...state, scales: [scaleOf(6n), scaleOf(18n)] as const, revenueCut: 10n };
    expect(quote(cents, [0, 100n])).toBeUndefined();
    expect(quote(cents, [0, 1000n])).toBeDefined();
    expect(quote({ ...state, fee: 100_000n, revenueCut: 11n }, [0, ETHER])).toBeUndefined();
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
