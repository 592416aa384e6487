import { BraidError } from "../../core/errors.ts";

/** Runs work while fewer than a number of others run; throws BraidError OVERLOADED at once where the place is full. */
export type Gate = {
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  running(): number;
  /** Resolves once nothing runs, and after so long at the latest: for work that comes after everybody's. */
  idle(mostMs: number): Promise<void>;
};

/** @param most places; a caller who has none is let in beyond them, until there are twice as many */
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
