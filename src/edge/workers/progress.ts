/**
 * Tracks how much of the messages sent to a thread it has applied. A thread is ended where a change takes too much CPU
 * time, or ten times as much wall-clock time. A thread that waits for a processor gets the longer time because its
 * replacement would wait as well, and would have the whole market to apply.
 */
export type Progress = {
  /** A message was sent to the thread. @param isLevel whether the thread has the whole market with this message */
  sent(isLevel: boolean): void;
  /** The thread reported its CPU time so far, milliseconds; what it uses from now on counts towards the next change. */
  heard(cpuMs: number): void;
  /** The thread reported that it has applied everything. @returns whether it has just become up to date */
  taken(): boolean;
  /** Whether the thread is up to date: it was sent the whole market and has applied it. */
  isLevel(): boolean;
  end(): void;
};

type ProgressRequest = {
  /** Most CPU time that a change may take, milliseconds. */
  readonly levelMs: number;
  /** CPU time of the thread, milliseconds; Infinity where it is not known. */
  readonly cpuMs: () => Promise<number>;
  readonly end: (reason: string) => void;
};

/** Wall-clock time after which a thread is ended, however little CPU time it has used; a multiple of `levelMs`. */
const MOST_WAITS = 10;

export function createProgress({ levelMs, cpuMs, end }: ProgressRequest): Progress {
  /** Counts of messages with `isLevel`: sent, applied, and how many must be applied before the thread is up to date. */
  const levels = { sent: 0, taken: 0, needed: 1 };
  let isWhole = false;
  let knownCpuMs = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Increases whenever another change is watched: a CPU time that was requested before then is ignored. */
  let watched = 0;
  const arm = (ms: number, checks: () => void) => {
    timer = setTimeout(checks, ms).unref();
  };
  const watch = () => {
    clearTimeout(timer);
    watched += 1;
    if (levels.taken === levels.sent) return;
    const own = watched;
    const lastMs = performance.now() + MOST_WAITS * levelMs;
    const check = async () => {
      const leftMs = levelMs - ((await cpuMs()) - knownCpuMs);
      if (own !== watched) return;
      if (leftMs > 0 && performance.now() < lastMs) arm(leftMs, check);
      else end(`a change was not taken over within ${levelMs} ms`);
    };
    arm(levelMs, check);
  };
  return {
    sent(isLevel) {
      if (isLevel) levels.sent += 1;
      if (isLevel && !isWhole) levels.needed = levels.sent;
      isWhole = isLevel;
      if (levels.taken + 1 === levels.sent) watch();
    },
    heard(used) {
      knownCpuMs = used;
    },
    taken() {
      levels.taken += 1;
      watch();
      return isWhole && levels.taken === levels.needed;
    },
    isLevel: () => isWhole && levels.taken >= levels.needed,
    end() {
      watched += 1;
      clearTimeout(timer);
    },
  };
}
