import { performance } from "node:perf_hooks";
import { sleep } from "../../node/pace/pace.ts";

/**
 * The pause after a part of the checkpoint, as a multiple of the time that the part took, and its bound in
 * milliseconds.
 */
const REST = 3;
const LONGEST_REST_MS = 100;

/**
 * Yields the parts, with pauses between them while `isLong()` is true, so that most of the time is left to other work.
 * It ends when `signal` is aborted, so that the end of the process does not wait for the rest.
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
