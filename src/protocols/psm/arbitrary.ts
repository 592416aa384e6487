import fc from "fast-check";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Subject } from "../subject.ts";
import { psm } from "./index.ts";
import type { State } from "./state.ts";

const MODULE = "0x00000000000000000000000000000000000000cc";

/** A module with this state. */
export function subjectOf(state: State): Subject {
  const [pool] = psm.seeds({
    id: "psm",
    protocol: "psm",
    name: "PSM",
    factory: MODULE,
    fromBlock: 0,
    trusted: true,
    facts: {
      gem: "0x0000000000000000000000000000000000000001",
      dai: "0x0000000000000000000000000000000000000002",
    },
    source: "arbitrary",
  });
  return {
    pool: pool!,
    states: new Map([[MODULE, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // Sales of DAI are rounded down to a multiple of the rate.
    roundings: Number(state.rate),
  };
}

const stock = fc.bigInt({ min: 0n, max: 10n ** 28n });

export const subjects: fc.Arbitrary<Subject> = fc
  .record({
    rate: fc.constantFrom(1n, 10n ** 10n, 10n ** 12n, 10n ** 16n),
    isOpen: fc.constantFrom([true, true] as const, [true, false] as const, [false, true] as const),
    gems: stock,
    allowed: fc.oneof(fc.constant(MAX_UINT256), stock),
    dai: stock,
  })
  .map((state) => subjectOf({ ...state, readAt: 1 }));
