import type { Pool, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import type { BlockRef } from "../node/types.ts";
import type { BlockRecord, Draft } from "./draft.ts";
import { indexOf, type Ring } from "./ring.ts";

/** Pools to bring into the market with states that were read at a block; newer blocks may have been committed since. */
export type Adoption = {
  readonly pools: readonly Pool[];
  /** Own states of the pools at the end of `block`. */
  readonly slots: ReadonlyMap<StateId, Slot>;
  readonly block: BlockRef;
  /**
   * Called with true once the pools are committed; with false where `block` is not in the ring and nothing was taken.
   */
  readonly done: (held: boolean) => void;
};

/** Most pools adopted in one commit: about ten milliseconds, after which the event loop is yielded. */
export const ADOPTED_AT_ONCE = 100;

/**
 * The oldest waiting adoptions that together have at most ADOPTED_AT_ONCE pools; the first one even if it is larger.
 */
export function firstAdoptions(waiting: readonly Adoption[]): readonly Adoption[] {
  let count = 0;
  const beyond = waiting.findIndex(({ pools }) => {
    count += pools.length;
    return count > ADOPTED_AT_ONCE;
  });
  return beyond < 0 ? [...waiting] : waiting.slice(0, Math.max(1, beyond));
}

/**
 * Adds pools to a draft at the ring's newest block. A pool that a block after the read touched is read again, since the
 * logs of those blocks were not applied to it. The logs of the block of the read are in the state already.
 *
 * @returns the ring, with the adopted states marked as unknown before the block at which they were read
 */
export function adoptAll(draft: Draft, ring: Ring, adoptions: readonly Adoption[]): Ring {
  return adoptions.reduce((records, adoption) => adopt(draft, records, adoption), ring);
}

function adopt(draft: Draft, ring: Ring, { pools, slots, block }: Adoption): Ring {
  const place = indexOf(ring, block.hash);
  if (place < 0) return ring;
  const later = ring.slice(place + 1);
  const owns: StateId[] = [];
  const reread: StateId[] = [];
  for (const pool of pools) {
    if (draft.pool(pool.id) !== undefined) continue;
    const own = pool.stateIds[0];
    // Doubted logs may be incomplete, so a block with doubted logs may have touched any pool. A pause touches all at an address.
    const isTouched = later.some(
      ({ touched, trust }) => trust === "doubted" || touched.has(pool.id) || touched.has(pool.address),
    );
    draft.adopt(pool, isTouched ? undefined : slots.get(own));
    (isTouched ? reread : owns).push(own);
  }
  const last = ring.length - 1;
  return ring.map((record, k) => {
    const lost = [...(k === place ? owns : []), ...(k === last ? reread : [])];
    return lost.length === 0 ? record : withUnknown(record, lost);
  });
}

function withUnknown(record: BlockRecord, states: readonly StateId[]): BlockRecord {
  const before = new Map(record.before);
  for (const id of states) before.delete(id);
  return { ...record, before, unknown: new Set([...record.unknown, ...states]) };
}
