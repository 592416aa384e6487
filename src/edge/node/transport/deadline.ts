export type Deadline = {
  /** Aborts when the time is over, and with the signal that the deadline was given. */
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  /** Ends the deadline. Its signal does not abort any more. */
  clear(): void;
};

/**
 * A deadline that is cleared when its work is done. One of `AbortSignal.timeout` goes on and builds an error, with its stack,
 * for nobody: a service that follows a chain asks dozens of requests a block.
 *
 * @param signal aborts the work before its time
 */
export function deadlineIn(ms: number, signal: AbortSignal | undefined): Deadline {
  const ending = new AbortController();
  let isOver = false;
  const give = () => ending.abort(signal?.reason);
  const timer = setTimeout(() => {
    isOver = true;
    ending.abort();
  }, ms);
  timer.unref();
  signal?.addEventListener("abort", give, { once: true });
  if (signal?.aborted === true) give();
  return {
    signal: ending.signal,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", give);
    },
  };
}
