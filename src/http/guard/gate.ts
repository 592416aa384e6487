import { BraidError } from "../../core/errors.ts";

/** Limits the number of requests that run at the same time, without a queue. */
export type Gate = {
  /** @throws BraidError OVERLOADED at once where no slot is free */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  running(): number;
  /** Resolves once nothing runs, at the latest after `mostMs`: for background work, which yields to requests. */
  idle(mostMs: number): Promise<void>;
};

/** @param most slots; a caller with nothing running is admitted beyond them, up to twice as many */
export function createGate(most: number): Gate {
  const places = new Map<string, number>();
  let running = 0;
  const waiting = new Set<() => void>();
  const leave = (caller: string) => {
    running -= 1;
    const left = places.get(caller)! - 1;
    if (left === 0) places.delete(caller);
    else places.set(caller, left);
    if (running === 0) for (const done of [...waiting]) done();
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
      const own = places.get(caller) ?? 0;
      if (running >= (own === 0 ? 2 * most : most)) {
        throw new BraidError("OVERLOADED", `The service is busy: ${running} requests are in work.`, {
          retryAfterSeconds: 1,
        });
      }
      running += 1;
      places.set(caller, own + 1);
      try {
        return await work();
      } finally {
        leave(caller);
      }
    },
  };
}
