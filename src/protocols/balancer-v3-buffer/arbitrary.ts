import fc from "fast-check";
import type { Address, Pool } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { balancerV3Buffer } from "./index.ts";
import type { State } from "./state.ts";

export const VAULT: Address = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
export const ASSET: Address = "0x0000000000000000000000000000000000000001";
export const WRAPPER: Address = "0x0000000000000000000000000000000000000002";
export const at = { blockNumber: 1, timestamp: 1_700_000_000 };

/** The buffers of a record with this list. */
export function poolsOf(buffers: string): readonly Pool[] {
  return balancerV3Buffer.seeds({
    id: "buffers",
    protocol: "balancer-v3-buffer",
    name: "Buffers",
    factory: VAULT,
    fromBlock: 0,
    trusted: true,
    facts: { buffers },
    source: "arbitrary",
  });
}

/** A buffer with this state. Doubles ignore the rounding of a preview. */
export function subjectOf(state: State): Subject {
  const pool = poolsOf(`${WRAPPER}=${ASSET}`)[0]!;
  return { pool, states: new Map([[pool.id, state]]), at, roundings: 1 };
}

const amount = (least: number, most: number) =>
  fc
    .integer({ min: least, max: most })
    .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) }));

const stock = fc.oneof(fc.constant(0n), amount(10, 90));

const state: fc.Arbitrary<State> = fc
  .record({
    shares: amount(60, 110),
    /** Assets per thousand shares. */
    permille: fc.integer({ min: 500, max: 3000 }),
    more: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    moves: fc.boolean(),
    underlying: stock,
    wrapped: stock,
    room: fc.oneof(amount(20, 127), fc.constant(2n ** 256n - 1n)),
    redeemable: amount(20, 110),
  })
  .map(({ permille, more, ...rest }) => ({
    ...rest,
    assets: (rest.shares * BigInt(permille)) / 1000n + more,
    least: 1000n,
    readFor: at.blockNumber,
  }));

export const subjects: fc.Arbitrary<Subject> = state.map(subjectOf);

/** All previews must follow the same formula. */
export const isBeyondGuesses = true;
