import type { Head } from "../../core/types.ts";

/** When an endpoint is worth asking for the next block. */
export type Cadence = {
  /** Takes notice of a head that the endpoint reported. */
  note(head: Head, nowMs: number): void;
  /** Milliseconds until the next block may be there; 0 where that is not known. */
  untilNext(nowMs: number): number;
};

/** Blocks by which the habits of an endpoint are known. */
const LEAST = 6;
const KEPT = 32;

/**
 * Learns how long after its time a block is there at the earliest, by a clock that nobody sets: the clocks of the chain
 * and of this machine may be any time apart. A block that comes sooner than all before is looked for a little sooner next time.
 *
 * @param marginMs so long before the earliest time the asking begins
 */
export function createCadence(blockTimeMs: number, marginMs: number): Cadence {
  const offsets: number[] = [];
  let last: Head | undefined;
  return {
    note(head, nowMs) {
      if (last !== undefined && head.number <= last.number) return;
      last = head;
      offsets.push(nowMs - head.timestamp * 1000);
      if (offsets.length > KEPT) offsets.shift();
    },
    untilNext(nowMs) {
      if (last === undefined || offsets.length < LEAST) return 0;
      const earliest = last.timestamp * 1000 + blockTimeMs + Math.min(...offsets) - marginMs;
      return Math.min(blockTimeMs, Math.max(0, earliest - nowMs));
    },
  };
}
