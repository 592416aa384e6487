/**
 * How much of what a thread was given it has taken over. One that computes for too long with a change is ended; one that the machine lets
 * wait is given ten times as long, since the next one would wait as well, and would have the whole market to take over.
 */
export type Progress = {
  /** It was sent a message. @param isLevel whether with this one it has everything */
  sent(isLevel: boolean): void;
  /** It says how much CPU time it has used, in milliseconds; what it uses from now on goes into the next change. */
  heard(cpuMs: number): void;
  /** It took everything over. @returns whether it may be asked from now on, and could not before */
  taken(): boolean;
  /** Whether it has everything, and has taken it over. */
  isLevel(): boolean;
  end(): void;
};

type ProgressRequest = {
  /** CPU time that a change may take, in milliseconds. */
  readonly levelMs: number;
  /** CPU time of the thread; Infinity where it is not known. */
  readonly cpuMs: () => Promise<number>;
  readonly end: (reason: string) => void;
};

/** Times `levelMs` by the clock after which a thread is ended, however little it has computed. */
const MOST_WAITS = 10;

export function createProgress({ levelMs, cpuMs, end }: ProgressRequest): Progress {
  /** Messages after which the thread has everything: sent, taken over, and the one after which it may be asked again. */
  const levels = { sent: 0, taken: 0, needed: 1 };
  let isWhole = false;
  let knownCpuMs = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Counts what is watched: an answer about what was watched before says nothing. */
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
