import fc from "fast-check";
import type { Address } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { SURGE_STEP } from "./mirror.ts";
import type { Shape, State } from "./state.ts";
import recorded from "./vectors.json" with { type: "json" };
import { ellipse } from "./vectors.ts";

export const VAULT: Address = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
export const POOL: Address = "0x00000000000000000000000000000000000000bd";
export const NOW = 1_700_000_000;
const ONE = 10n ** 18n;

const token = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL,
      address: VAULT,
      protocol: "balancer-v3",
      deployment: "arbitrary",
      tokens: state.tokens,
      stateIds: [POOL],
      facts: { design: "weighted", hasRates: false, hook: "none", hookAddress: token(98) },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    roundings: roundingsOf(state),
    outputFee: state.surge === null ? 0 : Number(state.surge.maxFee) / 1e18,
  };
}

/**
 * Swaps below the minimum trade amount are refused, the general power has a relative error up to 10^-14, and
 * invariants have errors of a few units of 18 digits.
 */
function roundingsOf({ balances, factors, shape, leastTrade }: State): number {
  const greatest = Math.max(...balances.map(Number));
  const isPower = ["weighted", "bootstrapping", "guided"].includes(shape.kind);
  const stretched = shape.kind === "eclp" ? Number(shape.params.lambda) / 1e15 : 0;
  const fine = factors.includes(1n) ? Number(leastTrade) * 1.1 + stretched : 8;
  return Math.ceil(fine + greatest * (isPower ? 4e-14 : 4e-15));
}

const percent = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((hundredths) => BigInt(hundredths) * 10n ** 14n);

const weighted = (count: number): fc.Arbitrary<Shape> =>
  fc.array(fc.integer({ min: 10, max: 500 }), { minLength: count, maxLength: count }).map((parts) => {
    const whole = BigInt(parts.reduce((sum, part) => sum + part, 0));
    const weights = parts.map((part) => (BigInt(part) * ONE) / whole);
    // Half of the pools are of the factory whose pools keep least balances.
    const floors = parts[0]! % 2 === 0 ? { least: parts.map(() => 10n ** 12n) } : {};
    return { kind: "weighted", weights, ...floors };
  });

const stable: fc.Arbitrary<Shape> = fc
  .record({ amp: fc.integer({ min: 1, max: 5000 }), ramps: fc.boolean() })
  .map(({ amp, ramps }) => {
    const [initialA, futureA] = [BigInt(amp) * 1000n, BigInt(amp) * (ramps ? 1500n : 1000n)];
    return { kind: "stable", ramp: { initialA, futureA, initialTime: NOW - 1000, futureTime: NOW + 1000 } };
  });

/** Recorded ellipses: their derived parameters need 38 digits and cannot be generated here. */
const ellipses: readonly Shape[] = recorded.vectors
  .filter(({ protocol }) => protocol === "balancer-v3-gyroe")
  .map(({ pool }) => ellipse(pool.state));

/** ReCLAMM pools with small to large virtual balances, at rest or moving. */
const reclamm: fc.Arbitrary<Shape> = fc
  .record({
    virtual: fc.tuple(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 60 })),
    version: fc.constantFrom<1 | 2>(1, 2),
    age: fc.integer({ min: 0, max: 100_000 }),
    margin: percent(0, 50),
    updates: fc.boolean(),
  })
  .map(({ virtual: [a, b], version, age, margin, updates }) => ({
    kind: "reclamm",
    pool: {
      version,
      virtual: [BigInt(a) * 10n ** 23n, BigInt(b) * 10n ** 23n],
      lastTimestamp: NOW - age,
      dailyPriceShiftBase: 999_999_197_747_000_000n,
      centerednessMargin: margin,
      priceRatio: {
        start: 15n * 10n ** 17n,
        end: 17n * 10n ** 17n,
        startTime: NOW - 200_000,
        endTime: updates ? NOW + 200_000 : NOW - 150_000,
      },
    },
  }));

const sale: fc.Arbitrary<Shape> = fc
  .record({ start: percent(10, 90), end: percent(10, 90), blocked: fc.constantFrom(-1, 0) })
  .map(({ start, end, blocked }) => ({
    kind: "bootstrapping",
    startWeights: [start, ONE - start],
    endWeights: [end, ONE - end],
    startTime: NOW - 1234,
    endTime: NOW + 4321,
    blocked,
  }));

const guided: fc.Arbitrary<Shape> = fc
  .record({
    start: percent(10, 90),
    gain: fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
    most: percent(5, 30),
  })
  .map(({ start, gain, most }) => ({
    kind: "guided",
    weights: [start, ONE - start],
    gains: [gain, -gain],
    since: NOW - 1234,
    until: NOW + 4321,
    most,
  }));

const ofTwo = fc.oneof(fc.constantFrom(...ellipses), reclamm, sale, guided);
const shape = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(weighted(2), weighted(4), stable, stable) },
  { weight: 4, arbitrary: ofTwo },
);

function countOf(of: Shape, most: number): number {
  if (of.kind === "weighted") return of.weights.length;
  return of.kind === "stable" ? most : 2;
}

const state: fc.Arbitrary<State> = fc
  .record({
    shape,
    coins: fc.array(
      fc.record({
        decimals: fc.constantFrom(6, 18),
        rate: fc.constantFrom(ONE, ONE, 1_152_000_000_000_000_007n),
        whole: fc.integer({ min: 10 ** 4, max: 2 * 10 ** 5 }),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    most: fc.integer({ min: 2, max: 4 }),
    swapFee: percent(0.01, 10),
    aggregateFee: percent(0, 50),
    surge: fc.option(fc.record({ threshold: percent(5, 50), maxFee: percent(1, 95) })),
  })
  .map(({ shape, coins: all, most, swapFee, aggregateFee, surge }) => {
    const coins = all.slice(0, countOf(shape, most));
    return {
      vault: VAULT,
      tokens: coins.map((_, k) => token(k)),
      balances: coins.map((coin) => BigInt(coin.whole) * 10n ** BigInt(coin.decimals)),
      factors: coins.map((coin) => 10n ** BigInt(18 - coin.decimals)),
      rates: coins.map((coin) => coin.rate),
      swapFee,
      aggregateFee,
      leastTrade: 1_000_000n,
      shape,
      surge: shape.kind === "stable" && surge !== null ? { ...surge } : null,
      onlyIn: coins.some((coin) => coin.rate !== ONE) ? 1 : 0,
    };
  });

export const subjects: fc.Arbitrary<Subject> = state.map(subjectOf);

/** The vault's logs and answers contain dynamic arrays. */
export const isBeyondGuesses = true;

/** Curves of pools whose surge may end at a larger trade. */
export const curveScans: readonly number[] = [SURGE_STEP];
