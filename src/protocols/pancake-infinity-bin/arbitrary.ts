import fc from "fast-check";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

const POOL_ID = `0x${"b1".repeat(32)}` as const;

/** A manager and a pool of it that no chain has. */
export const POOL = {
  manager: "0x000000000000000000000000000000000000004d",
  id: POOL_ID,
} as const;

const ONE = 2 ** 23;

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  const reach = Math.max(state.first + state.xs.length - ONE, ONE - state.first);
  const dearest = (1 + state.shape.binStep / 10_000) ** reach;
  return {
    pool: {
      id: POOL.id,
      address: POOL.manager,
      protocol: "pancake-infinity-bin",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL.id],
      facts: {
        fee: state.feePpm,
        hooks: "0x0000000000000000000000000000000000000000",
        parameters: state.shape.binStep * 2 ** 16,
        listed: false,
      },
    },
    states: new Map([[POOL.id, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // Each bin rounds its fee and its input by a unit, which may be worth many units of the other token.
    roundings: Math.ceil((4 + 3 * state.xs.length) * dearest),
  };
}

const reserve = fc
  .integer({ min: 0, max: 90 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) }));

const bins = fc
  .array(fc.oneof({ arbitrary: reserve, weight: 3 }, { arbitrary: fc.constant(0n), weight: 1 }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((reserves) =>
    fc.record({
      reserves: fc.constant(reserves),
      left: fc.array(fc.boolean(), { minLength: reserves.length, maxLength: reserves.length }),
      other: reserve,
      active: fc.nat({ max: reserves.length - 1 }),
      first: fc.integer({ min: -60, max: 60 }),
    }),
  );

const protocolFee = fc.constantFrom(0, 0, 25, 1000, 4000);

/** Bins below the active one hold Y, bins above it X, the active one both; some are left by their providers. */
export const states: fc.Arbitrary<State> = fc
  .record({
    binStep: fc.constantFrom(1, 5, 10, 20, 100),
    feePpm: fc.constantFrom(0, 100, 2345, 3000, 100_000),
    protocolFees: fc.tuple(protocolFee, protocolFee),
    bins,
  })
  .map(({ binStep, feePpm, protocolFees, bins: { reserves, left, other, active, first } }) => ({
    manager: POOL.manager,
    shape: { binStep },
    feePpm,
    protocolFees,
    activeId: ONE + first + active,
    first: ONE + first,
    // A bin that was left keeps at most a unit of each token.
    xs: reserves.map((amount, k) => (k < active ? 0n : k === active ? other : left[k] ? 1n : amount)),
    ys: reserves.map((amount, k) => (k > active ? 0n : k === active ? amount : left[k] ? 1n : amount)),
    entered: left.map((isLeft) => !isLeft),
  }));

/** A key needs a step above the bits of the hook's callbacks, and a price not far from 1. */
export const isBeyondGuesses = true;

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
