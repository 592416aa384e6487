import fc from "fast-check";
import { RAY } from "../../core/math/ray.ts";
import type { Pool } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { erc4626 } from "./index.ts";
import type { State } from "./state.ts";

const at = { blockNumber: 1, timestamp: 1_700_000_000 };

/** The pool of a record of this kind. */
export function poolOf(kind: "shares" | "savings", pot?: string): Pool {
  const facts = { asset: "0x0000000000000000000000000000000000000001", kind };
  const [pool] = erc4626.seeds({
    id: "vault",
    protocol: "erc4626",
    name: "Vault",
    factory: "0x00000000000000000000000000000000000000ee",
    fromBlock: 0,
    trusted: true,
    facts: pot === undefined ? facts : { ...facts, pot },
    source: "arbitrary",
  });
  return pool!;
}

/** A vault with this state. */
export function subjectOf(state: State): Subject {
  const pool = poolOf(state.kind);
  return { pool, states: new Map([[pool.id, state]]), at, roundings: 1 };
}

const amount = (most: number) =>
  fc
    .integer({ min: 0, max: most })
    .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

const shares: fc.Arbitrary<State> = fc
  .record({
    assets: amount(120),
    shares: amount(120),
    room: fc.oneof(amount(127), fc.constant(2n ** 256n - 1n)),
  })
  .map((state) => ({ kind: "shares", ...state, readFor: at.blockNumber }));

const savings: fc.Arbitrary<State> = fc
  .record({
    chi: fc.bigInt({ min: RAY, max: 3n * RAY }),
    rate: fc.bigInt({ min: RAY, max: RAY + 10n ** 19n }),
    age: fc.integer({ min: 0, max: 30_000_000 }),
  })
  .map(({ chi, rate, age }) => ({
    kind: "savings",
    chi,
    rate,
    rho: at.timestamp - age,
    readFor: at.blockNumber,
  }));

export const subjects: fc.Arbitrary<Subject> = fc.oneof(shares, savings).map(subjectOf);
