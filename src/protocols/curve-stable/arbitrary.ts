import fc from "fast-check";
import type { Address } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import type { RoundingName, State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000cc";
const coin = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** A pool that holds `state`. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "curve-stable",
      deployment: "arbitrary",
      tokens: state.balances.map((_, k) => coin(k)),
      stateIds: [POOL],
      facts: { implementation: "base" },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1_700_000_000 },
    roundings: 8,
    outputFee: (Number(state.fee) / 1e10) * Math.max(1, Number(state.offpegFeeMultiplier) / 1e10),
  };
}

const decimals = fc.constantFrom(6, 8, 18);
const roundings: readonly RoundingName[] = ["base", "together", "early", "steth", "feeAfterRate"];

/** Two to four coins, off balance by up to a factor of 100, of a thousand to a billion whole coins. */
const state: fc.Arbitrary<State> = fc
  .record({
    coins: fc.array(fc.record({ decimals, lean: fc.integer({ min: 10, max: 1000 }) }), {
      minLength: 2,
      maxLength: 4,
    }),
    whole: fc.integer({ min: 3, max: 9 }).map((digits) => 10n ** BigInt(digits)),
    rounding: fc.constantFrom(...roundings),
    a: fc.integer({ min: 10, max: 5000 }),
    ramps: fc.boolean(),
    fee: fc.integer({ min: 0, max: 40_000_000 }),
    adminFee: fc.constantFrom(0n, 5_000_000_000n, 10_000_000_000n),
    dynamic: fc.boolean(),
  })
  .map(({ coins, whole, rounding, a, ramps, fee, adminFee, dynamic }) => ({
    rounding,
    balances: coins.map((c) => (whole * BigInt(c.lean) * 10n ** BigInt(c.decimals)) / 100n),
    rates: coins.map((c) => 10n ** BigInt(36 - c.decimals)),
    ramp: {
      initialA: BigInt(a) * 50n,
      futureA: BigInt(a) * 100n,
      initialTime: 1_699_900_000,
      futureTime: ramps ? 1_700_100_000 : 1_699_990_000,
    },
    aPrecision: 100n,
    fee: BigInt(fee),
    adminFee,
    offpegFeeMultiplier: dynamic ? 20_000_000_000n : 0n,
    lpSupply: 0n,
    onlyIn: 0,
  }));

export const subjects: fc.Arbitrary<Subject> = state.map(subjectOf);
