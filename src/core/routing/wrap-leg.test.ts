import { expect, test } from "vitest";
import { NATIVE, type Pool } from "../types.ts";
import {
  ask,
  expectBalanced,
  type FixtureMarket,
  market,
  token,
  WRAPPED,
  wrapper,
} from "./market.fixture.ts";

const [A, B, C] = [token(1), token(2), token(3)];
const E21 = 10n ** 21n;
const AMOUNT = 30n * E21;

/** Pools from A to B: over both forms of the native coin, direct, and over token C. */
const PAIRS = [
  [A, NATIVE],
  [A, WRAPPED],
  [WRAPPED, B],
  [NATIVE, B],
  [A, B],
  [A, C],
  [C, B],
  [A, NATIVE],
  [WRAPPED, B],
] as const;

const isWrap = ({ protocol }: Pool) => protocol === wrapper.name;

/** The most that any subset of the pools pays whose best route has at most `legs` legs. */
function mostOfSets({ engine, pools }: FixtureMarket, legs: number): bigint {
  const others = pools.filter((pool) => !isWrap(pool));
  let most = 0n;
  for (let set = 1; set < 1 << others.length; set++) {
    const chosen = new Set(others.filter((_, k) => (set >> k) & 1));
    const allows = (pool: Pool) => isWrap(pool) || chosen.has(pool);
    const found = engine.find(ask(A, B, AMOUNT, { allows, isUnproven: true }));
    const isFew = found.kind === "found" && found.route.steps.length <= legs;
    if (isFew && found.route.amountOut > most) most = found.route.amountOut;
  }
  return most;
}

test.each([
  { legs: 4, thousands: [42, 17, 117, 120, 29, 78, 11, 39, 173] },
  { legs: 4, thousands: [14, 40, 81, 16, 23, 56, 34, 42, 71] },
  { legs: 3, thousands: [231, 159, 28, 17, 24, 51, 28, 24, 24] },
])(
  "the wrap between the forms of the native coin counts as one of at most $legs legs: $thousands",
  ({ legs, thousands }) => {
    const specs = PAIRS.map((tokens, k) => {
      const reserve = BigInt(thousands[k]!) * E21;
      return { tokens, reserves: [reserve, reserve] };
    });
    const whole = market(specs);
    const found = whole.engine.find(ask(A, B, AMOUNT, { maxLegs: legs }));
    if (found.kind === "missing") throw new Error(found.reason);
    expectBalanced(found.route);
    expect(found.route.steps.length).toBeLessThanOrEqual(legs);
    expect(Number(found.route.amountOut) / Number(mostOfSets(whole, legs))).toBeGreaterThan(1 - 1e-9);
  },
);

test.each([
  { legs: 2, sold: A, gasPriceWei: undefined },
  { legs: 2, sold: A, gasPriceWei: 10n ** 9n },
  { legs: 1, sold: NATIVE, gasPriceWei: undefined },
])(
  "a path that needs one leg more than $legs for its wrap does not hide another",
  ({ legs, sold, ...more }) => {
    const { engine } = market([
      { tokens: [A, NATIVE], reserves: [100n * E21, 100n * E21] },
      { tokens: [WRAPPED, B], reserves: [100n * E21, 100n * E21] },
      { tokens: [A, B], reserves: [50n * E21, 40n * E21] },
      { tokens: [NATIVE, B], reserves: [50n * E21, 40n * E21] },
    ]);
    for (const amount of [E21 / 1000n, E21, AMOUNT]) {
      const found = engine.find(ask(sold, B, amount, { maxLegs: legs, ...more }));
      if (found.kind === "missing") throw new Error(found.reason);
      expectBalanced(found.route);
      expect(found.route.steps.length).toBeLessThanOrEqual(legs);
    }
  },
);
