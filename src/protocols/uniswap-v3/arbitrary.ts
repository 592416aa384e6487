import fc from "fast-check";
import { longestWalk, tickedPools } from "../concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

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

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
