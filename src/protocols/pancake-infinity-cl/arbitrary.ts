import fc from "fast-check";
import { NATIVE } from "../../core/types.ts";
import { longestWalk, tickedPools } from "../shared/concentrated/concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

export const MANAGER = "0x000000000000000000000000000000000000004c";
export const POOL_ID = `0x${"c1".repeat(32)}` as const;

/** A pool with this state; its first token is the native coin. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: POOL_ID,
      address: MANAGER,
      protocol: "pancake-infinity-cl",
      deployment: "arbitrary",
      tokens: [NATIVE, "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL_ID],
      facts: {
        fee: state.feePpm,
        hooks: "0x0000000000000000000000000000000000000000",
        parameters: state.tickSpacing * 2 ** 16,
        listed: false,
      },
    },
    states: new Map([[POOL_ID, state]]),
    at: { blockNumber: 2, timestamp: 1 },
    roundings: 2 * longestWalk(state),
  };
}

const facts = fc.constantFrom(
  { feePpm: 67, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 2345, tickSpacing: 37 },
  { feePpm: 3000, tickSpacing: 60 },
  { feePpm: 0, tickSpacing: 60 },
  { feePpm: 1_000_000, tickSpacing: 60 },
);
const protocolFee = fc.constantFrom(0, 0, 33, 1000, 4000);

export const states: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), protocolFee, protocolFee)
  .map(([pool, fee0, fee1]) => ({
    ...pool,
    manager: MANAGER,
    protocolFees: [fee0, fee1],
    dynamic: false,
    readAt: 1,
  }));

/** A key needs a spacing above the bits of the hook's callbacks. */
export const isBeyondGuesses = true;

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
