import type { Head } from "../../../core/types.ts";

/** Predicts when an endpoint will have the next block. */
export type Cadence = {
  /** Records the head that the endpoint reported in its last answer. */
  note(head: Head, nowMs: number): void;
  /**
   * Milliseconds until the next block is likely to be there; 0 where that is not known, or the predicted time has
   * passed.
   */
  untilNext(nowMs: number): number;
};

/** Blocks that must be seen before predictions are made. */
const LEAST = 6;
/** Share of the block time by which the predicted delay moves at a time. */
const STEP = 1 / 240;
/**
 * One first request for a block in ONE_IN is meant to come too early; the predicted delay moves until that share is
 * met.
 */
const ONE_IN = 5;

/** Timestamps are whole seconds, and a sequencer's may be a second off. */
const JITTER_MS = 2_000;

/** Blocks in a row with a request that came too early, after which the delay counts as changed. */
const CHANGED_AFTER = 2;

/**
 * Learns the delay from a block's timestamp until the endpoint has the block. It is measured on a monotonic clock,
 * which may differ from the chain's clock by any constant.
 *
 * The delay follows the quantile 1 - 1/ONE_IN: a block that is there at the first request for it moves the delay a step
 * down; a block that is not yet there moves it ONE_IN - 1 steps up. After CHANGED_AFTER such blocks in a row, as where
 * the endpoint became slower, the delay moves up to the time of the last request that came too early. A request that
 * was too early because the chain skipped a slot changes nothing. A block that comes more than a block time and
 * JITTER_MS before the predicted time shows that one of the clocks was stepped, or stood still: the delay is then learnt anew.
 *
 * @param pollMs milliseconds between two requests for a block, where the first came too early
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
    if (offset === undefined || offset - delay > blockTimeMs + JITTER_MS) [offset, seen] = [delay, 1];
    else if (++seen < LEAST) offset = Math.min(offset, delay);
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
