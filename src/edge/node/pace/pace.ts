/** Waits `ms` milliseconds; resolves early, without an error, when `signal` fires. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/**
 * Milliseconds of exponential backoff before the n-th retry (0 = first), with jitter so that many clients do not retry
 * at once.
 */
export function backoff(attempt: number, baseMs: number, maxMs: number): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 16));
  return full * (0.75 + Math.random() * 0.25);
}

/**
 * Runs `work` over all items, at most `limit` at a time. After a failure no further item is begun, and the first failure
 * rejects once the items under way have ended, so that the caller can try again without running beside them.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Consecutive parts of at most `size` items. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

/**
 * Least milliseconds between two polls for the head of an endpoint that accepts `rate` items per second; undefined = any
 * number. Polls are sent before reads, which would otherwise wait for ever where polls alone use up the rate.
 */
export function pollGapMs(rate: number | undefined): number {
  return rate === undefined ? 0 : 1_000 / (POLL_SHARE * rate);
}

/** Share of an endpoint's rate that polls may use. */
const POLL_SHARE = 0.5;
