import { describe, expect, test } from "vitest";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { type Address, NATIVE, type Side } from "../../core/types.ts";
import { bigNumber, bitsOf, type Field, packed, withBits } from "../shared/packed-word.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluidLite } from "./index.ts";
import { FIELDS, SHIFT, type State } from "./state.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const TOKENS: readonly Address[] = [USDC, NATIVE];
const NOW = 1_700_000_000;
const RAY = 10n ** 27n;
const at = { blockNumber: 7, timestamp: NOW };

const terms: readonly (readonly [Field, bigint])[] = [
  [FIELDS.fee, 100n],
  [FIELDS.revenueCut, 10n],
  [FIELDS.center, bigNumber(RAY, FIELDS.center)],
  [FIELDS.upper, 100n],
  [FIELDS.lower, 100n],
  [FIELDS.upperThreshold, 50n],
  [FIELDS.lowerThreshold, 50n],
  [FIELDS.decimals0, 6n],
  [FIELDS.decimals1, 18n],
  [FIELDS.supply0, 10n ** 15n],
  [FIELDS.supply1, 10n ** 15n],
];

/** A pool at rest of a million of each token, within 1 % of parity. */
const state: State = {
  contract: "0x00000000000000000000000000000000000000f1",
  variables: packed(terms),
  centerShift: packed([
    [SHIFT.last, BigInt(NOW - 600)],
    [SHIFT.seconds, 3_600n],
    [SHIFT.most, bigNumber(2n * RAY, SHIFT.most)],
    [SHIFT.least, bigNumber(RAY / 2n, SHIFT.least)],
  ]),
  ...{ rangeShift: 0n, thresholdShift: 0n, named: 0n, readAt: at.blockNumber, isClosed: false },
};

const having = (field: Field, value: bigint): State => ({
  ...state,
  variables: withBits(state.variables, field, value),
});

function quote(given: State, [i, amount, side = "in"]: readonly [0 | 1, bigint, Side?], timestamp = NOW) {
  const { pool, states } = subjectOf(given, TOKENS);
  return fluidLite.quote(states, pool, i, 1 - i, amount, side, { ...at, timestamp });
}

const stateAfter = (fill: ReturnType<typeof quote>) => fill!.writes[0]![1] as State;
const paid = (...asked: Parameters<typeof quote>) => quote(...asked)?.amountOut;

describe("the swap", () => {
  test("pays in the middle of its range almost the centre price, fee deducted, and cuts to 1e-9 of a token", () => {
    const out = paid(state, [0, 1_000_000n])!;
    expect(out % 10n ** 9n).toBe(0n);
    expect(Number(out) / 1e18).toBeCloseTo(0.9999, 6);
    expect(paid(state, [1, 10n ** 18n + 999_999_999n])).toBe(paid(state, [1, 10n ** 18n]));
  });

  test("a fee stays in the supply but for the protocol's cut", () => {
    const { variables } = stateAfter(quote(state, [0, 1_000_000_000n]));
    // A thousand tokens: a fee of 1e8 units of 1e-9, of which a tenth is the protocol's.
    expect(bitsOf(variables, FIELDS.supply0)).toBe(10n ** 15n + 10n ** 12n - 10n ** 7n);
  });

  test("an exact output costs the least input that pays it", () => {
    const wanted = 123n * 10n ** 18n;
    const { amountIn, amountOut } = quote(state, [0, wanted, "out"])!;
    expect(amountOut).toBe(wanted);
    expect(paid(state, [0, amountIn])).toBeGreaterThanOrEqual(wanted);
    expect(paid(state, [0, amountIn - 1n])).toBeLessThan(wanted);
    expect(quote(state, [0, 10n ** 25n, "out"])).toBeUndefined();
  });

  test("a pool is not priced again after a swap in the same route", () => {
    const closed = stateAfter(quote(state, [0, 1_000_000n]));
    expect(quote(closed, [1, 10n ** 18n])).toBeUndefined();
    const { pool, states } = subjectOf(closed, TOKENS);
    expect(fluidLite.quoteFloat(fluidLite.mirror(closed, pool, at, states), 0, 1, 1e6)).toBe(0);
  });
});

describe("the centre price", () => {
  test("rises and falls with the time since the last swap, up to the end of the range", () => {
    for (const [status, sold] of [
      [2n, 0],
      [3n, 1],
    ] as const) {
      const moving = having(FIELDS.status, status);
      const amount = sold === 0 ? 1_000_000n : 10n ** 18n;
      const prices = [-600, 0, 3_000, 10_000].map((later) => paid(moving, [sold, amount], NOW + later)!);
      expect(prices[0]).toBe(paid(having(FIELDS.status, 1n), [sold, amount]));
      expect(prices[1]).toBeGreaterThan(prices[0]!);
      expect(prices[2]).toBeGreaterThan(prices[1]!);
      expect(prices[3]).toBe(prices[2]);
    }
  });

  test("stays within its limits", () => {
    const limit = (RAY * 1_001n) / 1_000n;
    const limited = {
      ...having(FIELDS.status, 2n),
      centerShift: withBits(state.centerShift, SHIFT.most, bigNumber(limit, SHIFT.most)),
    };
    expect(paid(limited, [0, 1_000_000n], NOW + 10_000)).toBe(paid(limited, [0, 1_000_000n], NOW + 20_000));
    expect(paid(limited, [0, 1_000_000n], NOW + 10_000)).toBeLessThan(
      paid(having(FIELDS.status, 2n), [0, 1_000_000n], NOW + 10_000)!,
    );
  });

  test("begins to follow a price beyond its threshold from the second of the swap on", () => {
    const resting = having(FIELDS.status, 1n);
    const far = stateAfter(quote(resting, [0, 900_000n * 10n ** 6n]));
    expect(bitsOf(far.variables, FIELDS.status)).toBe(3n);
    expect(bitsOf(far.centerShift, SHIFT.last)).toBe(BigInt(NOW));
    const near = stateAfter(quote(resting, [0, 1_000_000n]));
    expect(bitsOf(near.variables, FIELDS.status)).toBe(1n);
    expect(near.centerShift).toBe(state.centerShift);
  });

  test("is what another contract names", () => {
    const named = { ...having(FIELDS.namer, 5n), named: (RAY * 11n) / 10n };
    expect(Number(paid(named, [0, 1_000_000n])) / 1e18).toBeCloseTo(1.1, 2);
    expect(quote({ ...named, named: 0n }, [0, 1_000_000n])).toBeUndefined();
  });
});

test("the contract refuses less than 1e-5 of a token, more than half of the reserve or than the supply", () => {
  expect(paid(state, [0, 10n])).toBeDefined();
  expect(paid(state, [0, 9n])).toBeUndefined();
  expect(paid(state, [0, 900_000n * 10n ** 6n])).toBeDefined();
  expect(paid(state, [0, 1_100_000n * 10n ** 6n])).toBeUndefined();
  const wide = having(FIELDS.upper, 9_000n);
  expect(paid(wide, [0, 10n ** 13n])).toBeUndefined();
});

test("a pool is not priced with a range that its owners cannot set", () => {
  expect(paid(having(FIELDS.upper, 9_999n), [0, 1_000_000n])).toBeDefined();
  expect(paid(having(FIELDS.upper, 10_000n), [0, 1_000_000n])).toBeUndefined();
  expect(paid(having(FIELDS.lower, 16_383n), [0, 1_000_000n])).toBeUndefined();
});

test("a supply must keep a ten-thousandth of the other's worth", () => {
  const short = having(FIELDS.supply1, 2n * 10n ** 11n);
  expect(paid(short, [0, 50_000n * 10n ** 3n])).toBeDefined();
  expect(paid(short, [0, 150_000n * 10n ** 3n])).toBeUndefined();
});

test("a step names the salt, sells token 0 with the direction bit, and leaves native output with the router", () => {
  const { pool } = subjectOf(state, TOKENS);
  expect(fluidLite.encode(pool, state, 0, 1)).toEqual({
    kind: stepKinds.fluidLite,
    target: pool.address,
    zeroForOne: true,
    extra: `0x${"0".repeat(64)}`,
    intake: "approval",
    paysAnyone: false,
  });
  expect(fluidLite.encode(pool, state, 1, 0)).toMatchObject({
    zeroForOne: false,
    intake: "held",
    paysAnyone: true,
  });
});
