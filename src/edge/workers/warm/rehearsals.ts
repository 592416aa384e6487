/**
 * Schedules searches without a caller in an idle thread, such as the spare one. The engine defers work from each change
 * to the next search, up to a second of it in a market of 100,000 pools; without these searches, the first request
 * after the thread takes over would have to wait for all of it.
 */
export type Rehearsals = {
  /** A change was applied: schedules a rehearsal, unless a search comes first. */
  changed(): void;
  /** A search was requested: cancels the rehearsal, since the search does the deferred work. */
  asked(): void;
};

type RehearsalsRequest = {
  readonly rehearse: () => void;
  /** CPU time of this thread, in milliseconds. */
  readonly cpuMs: () => number;
};

/** Shortest delay from a change to the rehearsal, milliseconds. A thread that is in use has none of them. */
export const REHEARSE_MS = 1_000;
/** Pause after a rehearsal, in multiples of its CPU time: rehearsals take at most a twentieth of a thread's time. */
export const PAUSES = 19;

export function createRehearsals({ rehearse, cpuMs }: RehearsalsRequest): Rehearsals {
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = REHEARSE_MS;
  const run = () => {
    timer = undefined;
    const begunMs = cpuMs();
    rehearse();
    pauseMs = Math.max(REHEARSE_MS, PAUSES * (cpuMs() - begunMs));
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
