import { setImmediate } from "node:timers";
import type { Worker } from "node:worker_threads";
import { BraidError } from "../../core/errors.ts";
import type { RouteResult } from "../../core/routing/types.ts";
import type { FindRequest } from "../../service/ports/ports.ts";
import type { FromThread, ToThread } from "./messages.ts";

/** How long a search may take. */
export type CallLimits = {
  /** A search that has computed for so much longer than its own time is stopped, with its thread. Milliseconds of the thread's CPU time. */
  readonly graceMs: number;
  /** A search that has not answered after this is stopped too, though the machine gave its thread less time to compute. */
  readonly answerMs: number;
};

export type Found = { readonly seq: number; readonly result: RouteResult };

type Call = {
  readonly resolve: (found: Found) => void;
  readonly reject: (error: Error) => void;
  readonly timeoutMs: number;
  readonly expiry: NodeJS.Timeout;
  check: NodeJS.Timeout;
};

type CallsRequest = {
  readonly worker: Worker;
  readonly limits: CallLimits;
  /** Ends the thread. */
  readonly end: (reason: string, isForItsCost?: boolean) => void;
};

/** A search that did not end by itself. */
export class StoppedSearch extends BraidError {
  /** Whether it took more time or memory than any search may; a thread ends for other reasons too, and its search with it. */
  readonly isForItsCost: boolean;

  constructor(isForItsCost: boolean) {
    super("OVERLOADED", "The search was stopped before it ended.", { retryAfterSeconds: 1 });
    this.isForItsCost = isForItsCost;
  }
}

type Calls = {
  /** Rejects with StoppedSearch where the thread ended before it answered. */
  find(request: FindRequest): Promise<Found>;
  /** Takes a message of the thread. */
  heard(message: FromThread): void;
  /** Refuses what was not answered. */
  end(isForItsCost: boolean): void;
};

/** Asks a thread, and ends one whose search does not end. One that the machine lets wait is given more time than one that computes. */
export function createCalls({ worker, limits, end }: CallsRequest): Calls {
  const waiting = createWaiting();
  let isOpen = true;
  let last = 0;
  /** CPU time of the thread when it spoke last: what it has used since went into what it is doing now. */
  let knownCpuMs = 0;
  const expire = (id: number) =>
    waiting.unlessAnswered(id, () => end(`a search was not answered within ${limits.answerMs} ms`));
  const check = async (id: number) => {
    const usedMs = (await cpuMsOf(worker)) - knownCpuMs;
    waiting.unlessAnswered(id, (call) => {
      const leftMs = call.timeoutMs + limits.graceMs - usedMs;
      if (leftMs > 0) call.check = setTimeout(check, leftMs, id);
      else end(`a search computed for more than ${call.timeoutMs + limits.graceMs} ms`, true);
    });
  };
  return {
    find(request) {
      const { timeoutMs } = request;
      if (!isOpen) return Promise.reject(new StoppedSearch(false));
      const id = ++last;
      return new Promise((resolve, reject) => {
        const expiry = setTimeout(expire, limits.answerMs, id);
        const first = setTimeout(check, timeoutMs + limits.graceMs, id);
        waiting.add(id, { resolve, reject, timeoutMs, expiry, check: first });
        const message: ToThread = { kind: "find", id, request };
        worker.postMessage(message);
      });
    },
    heard(message) {
      knownCpuMs = message.cpuMs;
      if (message.kind === "level" || message.kind === "rehearsed") return;
      const call = waiting.take(message.id);
      if (message.kind === "found") call?.resolve(message);
      else call?.reject(new Error(`a search threw: ${message.message}`));
    },
    end(isForItsCost) {
      isOpen = false;
      for (const { reject } of waiting.takeAll()) reject(new StoppedSearch(isForItsCost));
    },
  };
}

/** Calls that are not answered yet. */
function createWaiting() {
  const calls = new Map<number, Call>();
  const take = (id: number): Call | undefined => {
    const call = calls.get(id);
    clearTimeout(call?.check);
    clearTimeout(call?.expiry);
    calls.delete(id);
    return call;
  };
  return {
    add: (id: number, call: Call) => void calls.set(id, call),
    take,
    takeAll: () => [...calls.keys()].map((id) => take(id)!),
    /** Where this thread itself was late, an answer is already here, and is read first. */
    unlessAnswered(id: number, then: (call: Call) => void): void {
      setImmediate(() =>
        setImmediate(() => {
          const call = calls.get(id);
          if (call !== undefined) then(call);
        }),
      );
    },
  };
}

/** CPU time that a thread has used, in milliseconds; all there is where the runtime cannot tell, or the thread is gone. */
export async function cpuMsOf(worker: Worker): Promise<number> {
  // Node before 24.6 has no such method.
  const usage = await (worker.cpuUsage as Worker["cpuUsage"] | undefined)?.().catch(() => undefined);
  return usage === undefined ? Number.POSITIVE_INFINITY : (usage.user + usage.system) / 1000;
}
