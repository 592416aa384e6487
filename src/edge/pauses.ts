import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which the event loop runs other tasks. */
const MOST_MS = 2;

/**
 * For a loop over many short steps. The loop awaits the returned function after each step; it yields to the event loop
 * once the loop has worked for 2 ms.
 */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MOST_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
