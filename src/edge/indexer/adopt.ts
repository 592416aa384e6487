import type { Pool, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import type { BlockRef } from "../node/types.ts";
import type { BlockRecord, Draft } from "./draft.ts";
import { indexOf, type Ring } from "./ring.ts";

/** Pools that come into the market with states that were read at a block, while the chain went on. */
export type Adoption = {
  readonly pools: readonly Pool[];
  /** Own states of the pools, as `block` left them. */
  readonly slots: ReadonlyMap<StateId, Slot>;
  readonly block: BlockRef;
  /** Called once the pools are committed; `held` false: the block is not one of the chain, nothing was taken. */
  readonly done: (held: boolean) => void;
};

/** Pools of one commit: some ten milliseconds, after which others have their turn. */
export const ADOPTED_AT_ONCE = 100;

/** Those that came first, as far as one commit takes them; one that is larger by itself is taken whole. */
export function firstAdoptions(waiting: readonly Adoption[]): readonly Adoption[] {
  let count = 0;
  const beyond = waiting.findIndex(({ pools }) => {
    count += pools.length;
    return count > ADOPTED_AT_ONCE;
  });
  return beyond < 0 ? [...waiting] : waiting.slice(0, Math.max(1, beyond));
}

/**
 * Adds pools to a draft that stands at the ring's newest block. A pool that a later block touched is read again: its logs
 * were not applied while it was unknown, and those of its own block are in what was read.
 *
 * @returns the ring, whose records say that the states before the adopted ones are unknown
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
    // Logs that are doubted do not say which pools they leave out.
    const isTouched = later.some(({ touched, trust }) => trust === "doubted" || touched.has(pool.id));
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
