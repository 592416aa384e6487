import fc from "fast-check";
import type { Subject } from "../subject.ts";
import { converter, type State } from "./index.ts";

const CONVERTER = "0x00000000000000000000000000000000000000cc";

/** A converter with this rate. */
export function subjectOf(state: State): Subject {
  const [pool] = converter.seeds({
    id: "converter",
    protocol: "converter",
    name: "Converter",
    factory: CONVERTER,
    fromBlock: 0,
    trusted: true,
    facts: {
      kind: state.rate === 1n ? "daiUsds" : "mkrSky",
      token0: "0x0000000000000000000000000000000000000001",
      token1: "0x0000000000000000000000000000000000000002",
    },
    source: "arbitrary",
  });
  return {
    pool: pool!,
    states: new Map([[CONVERTER, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // Sales of token 1 are rounded down to a multiple of the rate.
    roundings: Number(state.rate),
  };
}

export const subjects: fc.Arbitrary<Subject> = fc
  .oneof(fc.constant(1n), fc.constant(24_000n), fc.bigInt({ min: 2n, max: 10n ** 6n }))
  .map((rate) => subjectOf({ rate }));
