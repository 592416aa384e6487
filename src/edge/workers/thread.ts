import { Worker } from "node:worker_threads";
import type { FindRequest } from "../../service/ports/ports.ts";
import type { FromThread, ThreadData, ToThread } from "./messages.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { StateBus } from "./state-bus.ts";
import { type CallLimits, cpuMsOf, createCalls, type Found } from "./thread-calls.ts";

/** Limits on the time and memory of a search thread. */
export type ThreadLimits = CallLimits & {
  /** CPU time after which a thread that has not applied a change is stopped, milliseconds. */
  readonly levelMs: number;
  /** Milliseconds from when enough threads are up to date until the spare thread is started. */
  readonly spareMs: number;
  /** Shortest delay before a thread that ended before it could search is replaced, milliseconds. */
  readonly restartMs: number;
  /** Limits of V8's old and young generation, megabytes. */
  readonly oldMb: number;
  readonly youngMb: number;
};

/** A handle of a search thread. */
export type SearchThread = {
  /** Whether it is up to date: it has applied the whole market and can search. */
  isLevel(): boolean;
  /** Buffers changes until `release`, so that all searches until then run on the state of one change. */
  hold(): void;
  release(): void;
  /** Sequence number of the last change that was sent to it. */
  seq(): number;
  /** Runs a search. Rejects with StoppedSearch where the thread ends before it answers. */
  find(request: FindRequest): Promise<Found>;
  stop(): Promise<void>;
};

export type ThreadEvents = {
  /** The thread has become up to date. */
  readonly onLevel: () => void;
  /** The thread ended by itself, or was stopped because it exceeded a limit. */
  readonly onGone: (reason: string) => void;
};

type ThreadRequest = {
  readonly bus: StateBus;
  readonly data: ThreadData;
  readonly limits: ThreadLimits;
  readonly events: ThreadEvents;
};

/** Node's error code for a worker that exceeded its memory limits. */
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** Starts a search thread that follows the bus from the whole present market on. */
export function openThread({ bus, data, limits, events }: ThreadRequest): SearchThread {
  const worker = new Worker(new URL("./thread-main.ts", import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: limits.oldMb, maxYoungGenerationSizeMb: limits.youngMb },
  });
  const end = (reason: string, isForItsCost = false) => {
    if (!feed.end()) return;
    calls.end(isForItsCost);
    void worker.terminate();
    events.onGone(reason);
  };
  const progress = createProgress({ levelMs: limits.levelMs, cpuMs: () => cpuMsOf(worker), end });
  const feed = createFeed(bus, (message) => worker.postMessage(message), progress);
  const calls = createCalls({ worker, limits, end });
  worker.on("message", (message: FromThread) => {
    calls.heard(message);
    progress.heard(message.cpuMs);
    if (message.kind === "level" && feed.acknowledged()) events.onLevel();
  });
  worker.on("error", (error) => {
    const { message, code } = error as NodeJS.ErrnoException;
    end(`it failed: ${message}`, code === OUT_OF_MEMORY);
  });
  worker.on("exit", (code) => end(`it ended with code ${code}`));
  return {
    isLevel: feed.isLevel,
    hold: feed.hold,
    release: feed.release,
    seq: feed.seq,
    find: calls.find,
    async stop() {
      feed.end();
      calls.end(false);
      await worker.terminate();
    },
  };
}

type Post = (message: ToThread) => void;
type StateMessage = Extract<ToThread, { kind: "state" }>;

/** Forwards the messages of the bus to a thread, except while it is held, and tracks whether it is up to date. */
function createFeed(bus: StateBus, post: Post, progress: Progress) {
  let isOpen = true;
  let backlog: StateMessage[] | undefined;
  const give = (message: StateMessage) => {
    post(message);
    seq = message.seq;
    progress.sent(message.isLevel);
  };
  const following = bus.follow((bytes, isLevel, number) => {
    const message: StateMessage = { kind: "state", bytes, isLevel, seq: number };
    if (backlog === undefined) give(message);
    else backlog.push(message);
  });
  let seq = following.seq;
  post({ kind: "join", seq });
  return {
    isLevel: () => isOpen && progress.isLevel(),
    seq: () => seq,
    hold: () => {
      backlog = [];
    },
    release: () => {
      const held = backlog ?? [];
      backlog = undefined;
      if (isOpen) for (const message of held) give(message);
    },
    acknowledged: progress.taken,
    /** @returns false where the feed had ended already */
    end: () => {
      const wasOpen = isOpen;
      isOpen = false;
      progress.end();
      following.end();
      return wasOpen;
    },
  };
}
