import type { Logger } from "pino";
import { BraidError } from "../../core/errors.ts";
import type { FindRequest, SearchSession } from "../../service/ports/ports.ts";
import { createFairQueue, type FairQueue } from "./callers/fair-queue.ts";
import { createStoppedCallers, type StoppedCallers } from "./callers/stopped-callers.ts";
import { createFailedStarts, type FailedStarts } from "./failed-starts.ts";
import type { ThreadData } from "./messages.ts";
import type { StateBus } from "./state-bus.ts";
import { openThread, type SearchThread, type ThreadLimits } from "./thread.ts";
import { StoppedSearch } from "./thread-calls.ts";

/** A pool of search threads, each with its own replica of the market. */
export type SearchThreads = {
  /** Number of sessions that can run at the same time. */
  readonly parallel: number;
  /**
   * Runs a session in a thread of its own, when it is the caller's turn.
   *
   * @param block gives the newest block; called when the thread stops to receive changes, so that both are of one
   * change
   * @throws BraidError OVERLOADED where the wait would be too long, the caller is paused, or the thread ended
   */
  session<T>(caller: string, block: () => Block, work: (session: SearchSession) => Promise<T>): Promise<T>;
  /** Resolves once `parallel` threads are up to date. */
  readonly level: Promise<void>;
  /** Why no search can run; undefined where a thread can search, or may soon. */
  trouble(): string | undefined;
  stop(): Promise<void>;
};

type Block = Omit<SearchSession, "find">;

export type ThreadsRequest = {
  /** Threads that search at the same time; one spare thread is kept up to date to replace one that ends. */
  readonly count: number;
  readonly bus: StateBus;
  readonly data: ThreadData;
  readonly limits: ThreadLimits;
  /** Longest time that a session waits in the queue, milliseconds; one that would wait longer is refused. */
  readonly waitMs: number;
  /** Most sessions in the queue. */
  readonly mostWaiting: number;
  readonly log: Logger;
};

type Ticket = {
  readonly caller: string;
  readonly begin: (thread: SearchThread) => void;
  readonly refuse: (error: Error) => void;
};

type Crew = {
  readonly request: ThreadsRequest;
  readonly queue: FairQueue<Ticket>;
  readonly threads: Set<SearchThread>;
  readonly busy: Set<SearchThread>;
  /** Threads that have been up to date: they can search, at once or after the changes that they were sent. */
  readonly able: Set<SearchThread>;
  readonly failedStarts: FailedStarts;
  readonly stopped: StoppedCallers;
  /** Exponential moving average of the duration of all callers' sessions, milliseconds: what one that runs takes. */
  paceMs: number;
  isStopped: boolean;
};

const SPARES = 1;
/** Weight of the newest session in the moving average of `paceMs`. */
const NEWEST = 0.1;
export function openSearchThreads(request: ThreadsRequest): SearchThreads {
  const queue = createFairQueue<Ticket>(request.mostWaiting);
  const crew: Crew = {
    ...{ request, queue, threads: new Set(), busy: new Set(), able: new Set(), paceMs: 0, isStopped: false },
    failedStarts: createFailedStarts({ restartMs: request.limits.restartMs, log: request.log }),
    stopped: createStoppedCallers(() => performance.now()),
  };
  const { promise: level, resolve } = Promise.withResolvers<void>();
  const onLevel = () => {
    if (freeOf(crew).length + crew.busy.size >= request.count) resolve();
    dispatch(crew);
  };
  for (let k = 0; k < request.count; k++) start(crew, onLevel);
  const startSpares = () => {
    for (let k = 0; k < SPARES && !crew.isStopped; k++) start(crew, onLevel);
  };
  // Threads are up to date while the market is still empty, so the spares wait, to leave the processors to its first
  // load.
  void level.then(() => setTimeout(startSpares, request.limits.spareMs).unref());
  return {
    parallel: request.count,
    level,
    trouble: () =>
      crew.able.size === 0 && crew.failedStarts.isExpected()
        ? "its search threads do not start, and the log says why"
        : undefined,
    session: async (caller, block, work) => runSession(crew, await turn(crew, caller, block), work),
    async stop() {
      crew.isStopped = true;
      await Promise.all([...crew.threads].map((thread) => thread.stop()));
    },
  };
}

function start(crew: Crew, onLevel: () => void): void {
  const { bus, data, limits, log } = crew.request;
  const begunMs = performance.now();
  const again = (delayMs: number) =>
    void setTimeout(() => !crew.isStopped && start(crew, onLevel), delayMs).unref();
  const open = (): SearchThread => {
    const thread = openThread({
      ...{ bus, data, limits },
      events: {
        onLevel: () => {
          if (!crew.able.has(thread)) {
            log.debug({ ms: Math.round(performance.now() - begunMs) }, "a search thread is level");
            crew.failedStarts.succeeded();
          }
          crew.able.add(thread);
          onLevel();
        },
        onGone: (reason) => {
          crew.threads.delete(thread);
          const wasAble = crew.able.delete(thread);
          if (!crew.isStopped) again(wasAble ? endedAtWork(crew, reason) : crew.failedStarts.failed(reason));
        },
      },
    });
    return thread;
  };
  try {
    crew.threads.add(open());
  } catch (error) {
    // Where the system gives the process no further thread, the constructor of a worker throws.
    again(crew.failedStarts.failed(`it was not created: ${(error as Error).message}`));
  }
}

/**
 * @returns delay before the thread is replaced, milliseconds. Where enough others are up to date, waiting requests get the
 * processors first, since a new thread computes for seconds in a large market. Otherwise it is replaced without delay.
 */
function endedAtWork(crew: Crew, reason: string): number {
  const { count, limits, log } = crew.request;
  log.error({ reason }, "a search thread ended; another one is started");
  return levelOf(crew).length < count ? 0 : limits.restartMs;
}

const levelOf = ({ threads }: Crew): SearchThread[] => [...threads].filter((thread) => thread.isLevel());

const freeOf = (crew: Crew): SearchThread[] => levelOf(crew).filter((thread) => !crew.busy.has(thread));

/** Starts waiting sessions in free threads, as long as fewer than `count` threads are busy. */
function dispatch(crew: Crew): void {
  const { busy, queue, request } = crew;
  for (const thread of freeOf(crew)) {
    if (busy.size >= request.count) return;
    const ticket = queue.next();
    if (ticket === undefined) return;
    busy.add(thread);
    thread.hold();
    ticket.begin(thread);
  }
}

/** A held thread, the last change that it received with its block, and the ticket that it serves. */
type Turn = {
  readonly thread: SearchThread;
  readonly seq: number;
  readonly block: Block;
  readonly ticket: Ticket;
};

function turn(crew: Crew, caller: string, block: () => Block): Promise<Turn> {
  const { queue, request, stopped } = crew;
  const { waitMs } = request;
  const pauseMs = stopped.waitMs(caller);
  if (pauseMs > 0) return Promise.reject(pausedFor(pauseMs));
  const expectedMs = (queue.aheadMs(caller) + crew.paceMs) / request.count;
  if (queue.size() > 0 && expectedMs > waitMs) return Promise.reject(busyFor(expectedMs));
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isWaiting = true;
    const settle = (then: () => void) => {
      isWaiting = false;
      clearTimeout(timer);
      then();
    };
    const expire = () => {
      queue.remove(ticket);
      reject(busyFor(waitMs));
    };
    const ticket: Ticket = {
      caller,
      begin: (thread) => settle(() => resolve({ thread, seq: thread.seq(), block: block(), ticket })),
      refuse: (error) => settle(() => reject(error)),
    };
    queue.push(ticket)?.refuse(busyFor(expectedMs));
    dispatch(crew);
    // Most sessions have begun by now and need no timeout.
    if (isWaiting) timer = setTimeout(expire, waitMs);
  });
}

async function runSession<T>(
  crew: Crew,
  { thread, seq, block, ticket }: Turn,
  work: (session: SearchSession) => Promise<T>,
): Promise<T> {
  const { log } = crew.request;
  const begunMs = performance.now();
  try {
    const find = async (request: FindRequest) => {
      const found = await thread.find(request).catch((error: Error) => {
        if (error instanceof StoppedSearch && error.isForItsCost)
          log.warn(
            { caller: ticket.caller, stopped: crew.stopped.add(ticket.caller) },
            "a search was stopped",
          );
        throw error;
      });
      if (found.seq !== seq) throw new Error(`a thread answered for change ${found.seq}, not ${seq}`);
      return found.result;
    };
    return await work({ ...block, find });
  } finally {
    const ms = performance.now() - begunMs;
    crew.paceMs += NEWEST * (ms - crew.paceMs);
    crew.queue.served(ticket, ms);
    crew.busy.delete(thread);
    thread.release();
    dispatch(crew);
  }
}

function pausedFor(ms: number): BraidError {
  const text = "A search for this caller did not end and was stopped; no other is begun for a while.";
  return new BraidError("OVERLOADED", text, { retryAfterSeconds: Math.ceil(ms / 1000) });
}

function busyFor(ms: number): BraidError {
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1000));
  return new BraidError("OVERLOADED", "The service is busy: too many searches wait.", { retryAfterSeconds });
}
