/**
 * When a thread that nobody asks rehearses: the spare one takes over in the midst of the day, and what its engine has put off
 * since its last search, up to a second of work in a market of 100,000 pools, would be added to the first answer that somebody waits for.
 */
export type Rehearsals = {
  /** A change was taken over: a rehearsal follows unless somebody asks first. */
  changed(): void;
  /** A search was asked for, which is worth as much. */
  asked(): void;
};

type RehearsalsRequest = {
  readonly rehearse: () => void;
  /** CPU time of this thread, in milliseconds. */
  readonly cpuMs: () => number;
};

/** From a change to the rehearsal at least, in milliseconds: a thread that is asked in between has none. */
export const REHEARSE_MS = 1_000;
/** Times as long as a rehearsal took that no other follows: a twentieth of the time goes into them at most. */
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
