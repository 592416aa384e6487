import { BraidError } from "./error.ts";
import type { PriceAnswer, PriceParameters } from "./generated/api.ts";
import { pause } from "./pause.ts";
import type { CallOptions } from "./request.ts";

export type WatchOptions = CallOptions & {
  /** Pause between two requests; default 1,000. */
  readonly intervalMs?: number | undefined;
  /** Called with temporary failures, such as a service that is starting. The loop continues. */
  readonly onTrouble?: ((error: BraidError) => void) | undefined;
};

type Price = (parameters: PriceParameters, options: CallOptions) => Promise<PriceAnswer>;

const INTERVAL_MS = 1_000;
/** Longest Retry-After that is kept. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Whether a failure is temporary: the service is unreachable, overloaded or not ready. */
function passes(error: unknown): error is BraidError {
  if (!(error instanceof BraidError)) return false;
  return (
    (error.reason === "UNREACHABLE" && error.status === 0) || [429, 502, 503, 504].includes(error.status)
  );
}

/**
 * Yields the price once for each new block hash.
 *
 * @throws BraidError for permanent failures, such as a bad parameter; the reason of `signal` when it is aborted
 */
export async function* watchPrice(
  price: Price,
  parameters: PriceParameters,
  { signal, intervalMs = INTERVAL_MS, onTrouble }: WatchOptions = {},
): AsyncGenerator<PriceAnswer, void, undefined> {
  const signals = signal === undefined ? [] : [signal];
  let last = "";
  for (;;) {
    let pauseMs = intervalMs;
    try {
      const offer = await price(parameters, { signal });
      if (offer.block_hash !== last) yield offer;
      last = offer.block_hash;
    } catch (error) {
      if (!passes(error)) throw error;
      onTrouble?.(error);
      pauseMs = Math.max(intervalMs, Math.min((error.retryAfterSeconds ?? 0) * 1000, LONGEST_PAUSE_MS));
    }
    await pause(pauseMs, signals);
  }
}
