import { setImmediate } from "node:timers";
import type { Worker } from "node:worker_threads";
import { BraidError } from "../../core/errors.ts";
import type { RouteResult } from "../../core/routing/types.ts";
import type { FindRequest } from "../../service/ports/ports.ts";
import type { FromThread, ToThread } from "./messages.ts";

/** Time limits of a search. */
export type CallLimits = {
  /** CPU time beyond its own timeout after which a search is stopped together with its thread, milliseconds. */
  readonly graceMs: number;
  /** Wall-clock time after which an unanswered search is stopped, however little CPU time it has had, milliseconds. */
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

/** The thread of a search ended before the search did. */
export class StoppedSearch extends BraidError {
  /** Whether the search exceeded its CPU time or memory; false where the thread ended for another reason. */
  readonly isForItsCost: boolean;

  constructor(isForItsCost: boolean) {
    super("OVERLOADED", "The search was stopped before it ended.", { retryAfterSeconds: 1 });
    this.isForItsCost = isForItsCost;
  }
}

type Calls = {
  /** Runs a search. Rejects with StoppedSearch where the thread ends before it answers. */
  find(request: FindRequest): Promise<Found>;
  /** Handles a message from the thread. */
  heard(message: FromThread): void;
  /** Rejects all unanswered searches, and all later ones. */
  end(isForItsCost: boolean): void;
};

/**
 * Sends searches to a thread, and ends the thread where a search exceeds its limits. The limit is on CPU time first, so
 * that a thread which waits for a processor gets more wall-clock time.
 */
export function createCalls({ worker, limits, end }: CallsRequest): Calls {
  const waiting = createWaiting();
  let isOpen = true;
  let last = 0;
  /** CPU time of the thread at its last message; what it has used since then went into its present work. */
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
    /**
     * Calls `then` after two turns of the event loop, unless the call is answered by then: where this thread was
     * blocked, the answer may already wait to be read.
     */
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

/** CPU time that a thread has used, milliseconds; Infinity where Node cannot report it or the thread has ended. */
export async function cpuMsOf(worker: Worker): Promise<number> {
  // Node before 24.6 has no such method.
  const usage = await (worker.cpuUsage as Worker["cpuUsage"] | undefined)?.().catch(() => undefined);
  return usage === undefined ? Number.POSITIVE_INFINITY : (usage.user + usage.system) / 1000;
}
