import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work after which others have their turn. */
const MOST_MS = 2;

/**
 * For a loop over many things of which each takes little: what is returned is awaited after each, and lets others have their turn
 * once the loop has worked for some milliseconds.
 */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MOST_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
