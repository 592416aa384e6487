import { forgetOldest } from "../../../core/forget-oldest.ts";

/**
 * Exponential backoff for callers whose searches had to be stopped. Stopping a search ends its thread, which takes
 * seconds to replace.
 */
export type StoppedCallers = {
  /** Records a stopped search. @returns how many of this caller's were stopped recently, this one included */
  add(caller: string): number;
  /** Milliseconds until searches of this caller are accepted again; 0 where they are accepted now. */
  waitMs(caller: string): number;
};

/** Pause after the first stopped search; it doubles with each further one, up to LONGEST_MS. */
const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;
/** After this long without a stopped search, a caller's count starts again at 0. */
const FORGOTTEN_MS = 600_000;
/** Most callers kept; the one whose search was stopped longest ago is dropped first. */
const MOST_CALLERS = 1_000;

/** @param now a monotonic clock in milliseconds */
export function createStoppedCallers(now: () => number): StoppedCallers {
  const callers = new Map<string, { readonly count: number; readonly atMs: number }>();
  const recent = (caller: string) => {
    const known = callers.get(caller);
    return known !== undefined && now() - known.atMs < FORGOTTEN_MS ? known : undefined;
  };
  return {
    add(caller) {
      const count = (recent(caller)?.count ?? 0) + 1;
      callers.delete(caller);
      callers.set(caller, { count, atMs: now() });
      forgetOldest(callers, MOST_CALLERS);
      return count;
    },
    waitMs(caller) {
      const known = recent(caller);
      if (known === undefined) return 0;
      const pauseMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (known.count - 1));
      return Math.max(0, known.atMs + pauseMs - now());
    },
  };
}
