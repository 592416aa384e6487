import { BraidError } from "../core/errors.ts";

/** Runs work while fewer than a number of others run; throws BraidError OVERLOADED at once where the place is full. */
export type Gate = {
  run<T>(work: () => Promise<T>): Promise<T>;
  running(): number;
};

export function createGate(most: number): Gate {
  let running = 0;
  return {
    running: () => running,
    run: async (work) => {
      if (running >= most) {
        throw new BraidError("OVERLOADED", `The service is busy: ${running} requests are in work.`, {
          retryAfterSeconds: 1,
        });
      }
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}
