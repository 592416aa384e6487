import type { Logger } from "pino";

/**
 * Runs `work` in the background, one run at a time, for the newest argument: an argument that comes during a run
 * replaces the one that waits.
 * A run that throws is logged as a bug.
 */
export function latestOnly<T>(work: (argument: T) => Promise<void>, log: Logger): (argument: T) => void {
  let waiting: { readonly argument: T } | undefined;
  let running = false;
  const run = async () => {
    running = true;
    while (waiting !== undefined) {
      const { argument } = waiting;
      waiting = undefined;
      await work(argument).catch((error: unknown) => log.error({ err: error }, "background work failed"));
    }
    running = false;
  };
  return (argument) => {
    waiting = { argument };
    if (!running) void run();
  };
}
