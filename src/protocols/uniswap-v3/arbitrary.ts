import fc from "fast-check";
import { longestWalk, tickedPools } from "../shared/concentrated/concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import { pricedAt, type State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000bb";

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "uniswap-v3",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { feePpm: state.feePpm, tickSpacing: state.tickSpacing },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    roundings: 2 * longestWalk(state),
  };
}

const facts = fc.constantFrom(
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 2500, tickSpacing: 50 },
  { feePpm: 3000, tickSpacing: 60 },
  { feePpm: 10_000, tickSpacing: 200 },
  { feePpm: 0, tickSpacing: 60 },
);

export const states: fc.Arbitrary<State> = tickedPools(facts);

/** Unix time of pools with a fee that moves; the history starts a window before. */
const NOW = 10_000;

/** A pool whose fee follows the distance of its tick from the average tick. */
const moving: fc.Arbitrary<State> = fc
  .tuple(
    states,
    fc.integer({ min: -400, max: 400 }),
    fc.bigInt(0n, 10_000_000n),
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([state, distance, scaling, cardinality]) => ({
    ...state,
    fees: {
      module: POOL,
      readAt: NOW,
      swapGas: 36_000,
      moving: {
        ...{ basePpm: state.feePpm, capPpm: 50_000, scaling, window: 600, blockSeconds: 2, stepSeconds: 2 },
        ring: { index: 0, cardinality, cardinalityNext: cardinality, newest: NOW - 2 },
        history: { times: [NOW - 600, NOW], sums: [0, 600 * (state.tick + distance)] },
      },
    },
  }));

/**
 * A pool whose fee moves. The part of a swap that the second of two sells is sold at the same prices, for a fee that is at least the
 * base: it pays at most (1 - base) / (1 - fee) times as much.
 */
function movingSubject(state: State): Subject {
  const { basePpm } = state.fees!.moving!;
  const feePpm = pricedAt(state, NOW)!.feePpm;
  const falls = (feePpm - basePpm) / (1_000_000 - feePpm);
  return { ...subjectOf(state), at: { blockNumber: 1, timestamp: NOW }, falls };
}

export const subjects: fc.Arbitrary<Subject> = fc.oneof(
  { arbitrary: states.map(subjectOf), weight: 4 },
  { arbitrary: moving.map(movingSubject), weight: 1 },
);
