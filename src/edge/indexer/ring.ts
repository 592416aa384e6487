import type { Hex } from "../../core/types.ts";
import type { Header } from "../node/types.ts";
import type { BlockRecord } from "./draft.ts";

/** Blocks that can be undone. */
export const RING_BLOCKS = 256;

/**
 * The newest blocks, oldest first. The first one is the floor: a reorg may come back to it, not go below.
 * Immutable: a commit makes a new one.
 */
export type Ring = readonly BlockRecord[];

export function push(ring: Ring, records: readonly BlockRecord[]): Ring {
  return [...ring, ...records].slice(-(RING_BLOCKS + 1));
}

/** Index of the block with this hash, -1 where it is not in the ring. Looks at the newest first. */
export function indexOf(ring: Ring, hash: Hex): number {
  return ring.findLastIndex(({ header }) => header.hash === hash);
}

/** The ring without its newest blocks, and those, newest first. */
export function split(ring: Ring, keep: number): { kept: Ring; undone: BlockRecord[] } {
  return { kept: ring.slice(0, keep), undone: ring.slice(keep).reverse() };
}

/** The record of a block that is never undone. */
export function floorAt(header: Header): BlockRecord {
  return { header, before: new Map(), unknown: new Set(), added: [], touched: new Set(), trust: "proven" };
}
