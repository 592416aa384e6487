import fc from "fast-check";
import type { Subject } from "../subject.ts";
import { wrappedNative } from "./index.ts";

const [pool] = wrappedNative.seeds({
  id: "wrapped-native",
  protocol: "wrapped-native",
  name: "Wrapped_Native",
  factory: "0x00000000000000000000000000000000000000ee",
  fromBlock: 0,
  trusted: true,
  facts: {},
  source: "arbitrary",
});

const at = { blockNumber: 1, timestamp: 1 };

/** There is one wrapper only. */
export const subjects: fc.Arbitrary<Subject> = fc.constant({
  pool: pool!,
  states: new Map([[pool!.id, wrappedNative.load(pool!, [], at)]]),
  at,
  roundings: 0,
});
