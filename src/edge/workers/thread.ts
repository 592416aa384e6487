import { Worker } from "node:worker_threads";
import type { FindRequest } from "../../service/ports/ports.ts";
import type { FromThread, ThreadData, ToThread } from "./messages.ts";
import { createProgress, type Progress } from "./progress.ts";
import type { StateBus } from "./state-bus.ts";
import { type CallLimits, cpuMsOf, createCalls, type Found } from "./thread-calls.ts";

/** What a thread may take, and how long. */
export type ThreadLimits = CallLimits & {
  /** A thread that has computed for so long and not taken over a change is stopped; milliseconds of its CPU time. */
  readonly levelMs: number;
  /** Milliseconds from when searches can be asked until a thread is started to take over from one that ends. */
  readonly spareMs: number;
  /** Heap for what stays, and for what is young. */
  readonly oldMb: number;
  readonly youngMb: number;
};

/** A search thread as the thread that asks sees it. */
export type SearchThread = {
  /** Whether it has all that there is, and may be asked. */
  isLevel(): boolean;
  /** Keeps changes back until `release`, so that all searches until then are of one block. */
  hold(): void;
  release(): void;
  /** The number of the last change that it was given. */
  seq(): number;
  /** Rejects with StoppedSearch where the thread ended before it answered. */
  find(request: FindRequest): Promise<Found>;
  stop(): Promise<void>;
};

export type ThreadEvents = {
  readonly onLevel: () => void;
  /** It ended by itself, or was stopped for a fault. */
  readonly onGone: (reason: string) => void;
};

type ThreadRequest = {
  readonly bus: StateBus;
  readonly data: ThreadData;
  readonly limits: ThreadLimits;
  readonly events: ThreadEvents;
};

/** What Node says of a thread that passed its limits of memory. */
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** Starts a thread, which is given everything that the bus has. */
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

/** Gives a thread what the bus says. */
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
    /** @returns false where it had ended before */
    end: () => {
      const wasOpen = isOpen;
      isOpen = false;
      progress.end();
      following.end();
      return wasOpen;
    },
  };
}
