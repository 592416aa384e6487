import type { Logger } from "pino";

/** Starts of search threads that failed one after the other, and what follows from them. */
export type FailedStarts = {
  /** A thread can search. */
  succeeded(): void;
  /** A thread ended before it could search. @returns delay before the next start, milliseconds */
  failed(reason: string): number;
  /** Whether so many failed one after the other that the next is expected to fail too. */
  isExpected(): boolean;
};

type FailedStartsRequest = {
  /** Delay after the first failure, milliseconds; it doubles with each. */
  readonly restartMs: number;
  readonly log: Logger;
};

/** Failures after which the log says once what to do, and is silent until a thread can search. */
const MOST_LOGGED = 5;
/** Longest delay, as a multiple of the first one. */
const LONGEST = 60;

const ADVICE =
  "search threads do not start, and are tried again from time to time: raise the process's limit on memory, address space (ulimit -v) or threads, or set ROUTE_WORKERS to fewer threads; with ROUTE_WORKERS=0 the main thread searches";

export function createFailedStarts({ restartMs, log }: FailedStartsRequest): FailedStarts {
  let failures = 0;
  return {
    succeeded() {
      if (failures >= MOST_LOGGED) log.info({ failures }, "search threads start again");
      failures = 0;
    },
    failed(reason) {
      failures += 1;
      if (failures < MOST_LOGGED) log.error({ reason }, "a search thread ended before it could search");
      if (failures === MOST_LOGGED) log.error({ reason, failures }, ADVICE);
      return restartMs * Math.min(LONGEST, 2 ** (failures - 1));
    },
    isExpected: () => failures >= MOST_LOGGED,
  };
}
