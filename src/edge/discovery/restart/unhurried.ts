import { performance } from "node:perf_hooks";
import { sleep } from "../../node/pace/pace.ts";

/** Times as long as a part of the checkpoint took to take over, others have their turn; at most so many milliseconds. */
const REST = 3;
const LONGEST_REST_MS = 100;

/**
 * Parts that leave most of the time to others, from the moment on that `isLong` says so. None comes once `signal` is aborted: an
 * end does not wait for what is only taken over.
 */
export async function* unhurried<T>(
  parts: AsyncIterable<T>,
  isLong: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<T> {
  for await (const part of parts) {
    if (signal.aborted) return;
    const start = performance.now();
    yield part;
    if (isLong()) await sleep(Math.min(LONGEST_REST_MS, REST * (performance.now() - start)), signal);
  }
}
