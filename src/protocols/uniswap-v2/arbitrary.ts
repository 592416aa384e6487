import fc from "fast-check";
import type { Subject } from "../subject.ts";
import { MAX_RESERVE, type State } from "./quote.ts";

export const PAIR = "0x00000000000000000000000000000000000000aa";

/** A pair with this state. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      id: PAIR,
      address: PAIR,
      protocol: "uniswap-v2",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [PAIR],
      facts: { feePpm: state.feePpm },
    },
    states: new Map([[PAIR, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    roundings: 1,
  };
}

/** Reserves of all orders of magnitude, equally likely; empty pairs included. */
const reserve = fc
  .integer({ min: 0, max: 112 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))
  .map((amount) => (amount > MAX_RESERVE ? MAX_RESERVE : amount));

const state: fc.Arbitrary<State> = fc
  .tuple(
    reserve,
    reserve,
    fc.oneof(fc.constantFrom(0, 2500, 3000, 10_000), fc.integer({ min: 0, max: 999_999 })),
    fc.option(fc.integer({ min: 10, max: 20_000 }), { nil: undefined }),
  )
  .map(([reserve0, reserve1, feePpm, feeOneToZeroPpm]) => ({
    reserves: [reserve0, reserve1],
    feePpm,
    ...(feeOneToZeroPpm === undefined ? {} : { feeOneToZeroPpm }),
  }));

export const subjects: fc.Arbitrary<Subject> = state.map(subjectOf);
