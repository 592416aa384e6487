import { forgetOldest } from "../../../core/forget-oldest.ts";

/** Callers whose searches had to be stopped. Each costs a thread, which takes seconds to replace: whoever does it again waits longer. */
export type StoppedCallers = {
  /** @returns how many searches of this caller have been stopped lately, this one included */
  add(caller: string): number;
  /** Milliseconds until searches of this caller are taken again; 0 where they are. */
  waitMs(caller: string): number;
};

/** After the first search that was stopped; twice as long after each further one. */
const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;
/** A caller without a search that was stopped for so long begins anew. */
const FORGOTTEN_MS = 600_000;
/** Callers remembered; the one stopped longest ago is forgotten first. */
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
