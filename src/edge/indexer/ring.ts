import type { Hex } from "../../core/types.ts";
import type { Header } from "../node/types.ts";
import type { BlockRecord } from "./draft.ts";

/** Most blocks that can be undone. */
export const RING_BLOCKS = 256;

/**
 * The newest blocks, oldest first. The first one is never undone: a reorg may go back to it but not below it.
 * Immutable: each commit makes a new ring.
 */
export type Ring = readonly BlockRecord[];

export function push(ring: Ring, records: readonly BlockRecord[]): Ring {
  return [...ring, ...records].slice(-(RING_BLOCKS + 1));
}

/** Index of the block with this hash, -1 where it is not in the ring. Searches from the newest on. */
export function indexOf(ring: Ring, hash: Hex): number {
  return ring.findLastIndex(({ header }) => header.hash === hash);
}

/** Splits the ring into its oldest `keep` blocks and the others; the others are newest first. */
export function split(ring: Ring, keep: number): { kept: Ring; undone: BlockRecord[] } {
  return { kept: ring.slice(0, keep), undone: ring.slice(keep).reverse() };
}

/** The record of a block that is never undone. */
export function floorAt(header: Header): BlockRecord {
  return { header, before: new Map(), unknown: new Set(), added: [], touched: new Set(), trust: "proven" };
}
