import type { Head } from "../../../core/types.ts";

/** When an endpoint is worth asking for the next block. */
export type Cadence = {
  /** Takes notice of the head that the endpoint reported when it was asked last. */
  note(head: Head, nowMs: number): void;
  /** Milliseconds until the next block is likely to be there; 0 where that is not known, or it was asked for in vain. */
  untilNext(nowMs: number): number;
};

/** Blocks by which the habits of an endpoint are known. */
const LEAST = 6;
/** Of the block time: the step by which the asking moves. */
const STEP = 1 / 240;
/** Questions of which one is in vain: where more are, the asking begins later, and where fewer are, sooner. */
const ONE_IN = 5;

/** Blocks in a row that were asked for in vain, after which the delay is another than it was. */
const CHANGED_AFTER = 2;

/**
 * Learns how long after its time a block is there, by a clock that nobody sets: the clocks of the chain and of this machine
 * may be any time apart. Four of five blocks are there when they are asked for first: each that is makes the next question
 * come a step sooner, and each that is not yet, four steps later, which follows that quantile of the delays. Several in a
 * row that are not move it to the last question but one, as where an endpoint became slower. Where the chain left out a
 * block's time nothing is learnt.
 *
 * @param pollMs between two questions, where the first was in vain
 */
export function createCadence(blockTimeMs: number, pollMs: number): Cadence {
  const step = STEP * blockTimeMs;
  let last: Head | undefined;
  let offset: number | undefined;
  let seen = 0;
  let isInVain = false;
  let inVainInARow = 0;
  const later = (old: number, delay: number) => {
    const next = old + (ONE_IN - 1) * step;
    return inVainInARow >= CHANGED_AFTER ? Math.max(next, delay - pollMs) : next;
  };
  const learn = (head: Head, delay: number) => {
    const isLate = last !== undefined && head.timestamp * 1000 > last.timestamp * 1000 + blockTimeMs;
    if (offset === undefined || ++seen < LEAST) offset = Math.min(offset ?? delay, delay);
    else if (!isInVain) offset -= step;
    else if (!isLate) offset = later(offset, delay);
  };
  const dueAt = ({ timestamp }: Head) => timestamp * 1000 + blockTimeMs + (offset ?? 0);
  return {
    note(head, nowMs) {
      if (last !== undefined && head.number <= last.number) {
        isInVain ||= nowMs >= dueAt(last);
        return;
      }
      inVainInARow = isInVain ? inVainInARow + 1 : 0;
      learn(head, nowMs - head.timestamp * 1000);
      last = head;
      isInVain = false;
    },
    untilNext(nowMs) {
      if (last === undefined || seen < LEAST) return 0;
      return Math.min(blockTimeMs, Math.max(0, dueAt(last) - nowMs));
    },
  };
}
