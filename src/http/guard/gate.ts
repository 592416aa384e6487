import { BraidError } from "../../core/errors.ts";

/** Limits the number of requests that run at the same time, without a queue. */
export type Gate = {
  /** @throws BraidError OVERLOADED at once where no slot is free */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs what only waits, such as for a block, which takes no slot. @throws BraidError OVERLOADED where the caller has as
   * many waits as there are slots
   */
  wait(caller: string, work: () => Promise<void>): Promise<void>;
  running(): number;
  /** Resolves once nothing runs, at the latest after `mostMs`: for background work, which yields to requests. */
  idle(mostMs: number): Promise<void>;
};

/**
 * @param most slots. Where they are taken, a caller with fewer than an equal share of them is admitted beyond them, up to
 * twice as many, so that the callers with the most running requests are refused first
 */
export function createGate(most: number): Gate {
  const places = createCounts();
  const waits = createCounts();
  const waiting = new Set<() => void>();
  let running = 0;
  const admits = (caller: string): boolean => {
    if (running < most) return true;
    const own = places.of(caller);
    const callers = places.size() + (own === 0 ? 1 : 0);
    return running < 2 * most && own < most / callers;
  };
  return {
    running: () => running,
    idle: (mostMs) =>
      new Promise((resolve) => {
        if (running === 0) return resolve();
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, mostMs).unref();
        waiting.add(done);
      }),
    run: async (caller, work) => {
      if (!admits(caller)) throw busy(`${running} requests are in work`);
      running += 1;
      try {
        return await places.during(caller, work);
      } finally {
        running -= 1;
        if (running === 0) for (const done of [...waiting]) done();
      }
    },
    wait: async (caller, work) => {
      const own = waits.of(caller);
      if (own >= most) throw busy(`${own} requests of ${caller} wait`);
      await waits.during(caller, work);
    },
  };
}

function busy(why: string): BraidError {
  return new BraidError("OVERLOADED", `The service is busy: ${why}.`, { retryAfterSeconds: 1 });
}

/** Counts what each caller has in work. */
function createCounts() {
  const counts = new Map<string, number>();
  const of = (caller: string): number => counts.get(caller) ?? 0;
  return {
    of,
    /** Number of callers with something in work. */
    size: () => counts.size,
    async during<T>(caller: string, work: () => Promise<T>): Promise<T> {
      counts.set(caller, of(caller) + 1);
      try {
        return await work();
      } finally {
        const left = of(caller) - 1;
        if (left === 0) counts.delete(caller);
        else counts.set(caller, left);
      }
    },
  };
}
