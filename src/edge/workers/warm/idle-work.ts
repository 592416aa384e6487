/**
 * Does work after changes in a thread that is idle, such as the spare one. The engine defers work from each change to the next
 * search, and a thread that was not asked for a while has slow code and cold memory; without this, the next request would
 * have to wait for all of it.
 */
export type IdleWork = {
  /** A change was applied: schedules the work, unless a search comes first. */
  changed(): void;
  /** A search was requested: cancels the work, since the search does it. */
  asked(): void;
};

/** How soon and how often work is done. */
export type Pace = {
  /** Shortest delay from a change to the work, milliseconds. A thread that is in use has none of what comes later than its searches. */
  readonly leastMs: number;
  /** Pause after the work, in multiples of its CPU time. */
  readonly pauses: number;
};

/** Completing the market, 35 ms of it with 100,000 pools: at once, in at most a tenth of a thread's time. */
export const COMPLETIONS: Pace = { leastMs: 1, pauses: 9 };
/** Searches without a caller: in at most a twentieth of a thread's time. */
export const REHEARSALS: Pace = { leastMs: 1_000, pauses: 19 };

type IdleWorkRequest = Pace & {
  readonly work: () => void;
  /** CPU time of this thread, in milliseconds. */
  readonly cpuMs: () => number;
};

export function createIdleWork({ work, cpuMs, leastMs, pauses }: IdleWorkRequest): IdleWork {
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = leastMs;
  const run = () => {
    timer = undefined;
    const begunMs = cpuMs();
    work();
    pauseMs = Math.max(leastMs, pauses * (cpuMs() - begunMs));
  };
  return {
    changed() {
      timer ??= setTimeout(run, pauseMs);
    },
    asked() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
