import fc from "fast-check";
import { longestWalk, tickedPools } from "../concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000a1";

/** A pool that holds `state`. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "algebra",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { version: state.linked === true ? "integral" : "v1" },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    roundings: 2 * longestWalk(state),
  };
}

const facts = fc.integer({ min: 0, max: 15_000 }).map((feePpm) => ({ feePpm, tickSpacing: 60 }));

export const states: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), fc.constantFrom(undefined, 100, 3000), fc.boolean())
  .map(([pool, other, linked]) => ({
    ...pool,
    feeOneToZeroPpm: other ?? pool.feePpm,
    ...(linked ? { linked } : {}),
  }));

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
