import { BraidError } from "./error.ts";
import type { PriceAnswer, PriceParameters } from "./generated/api.ts";
import { pause } from "./pause.ts";
import type { CallOptions } from "./request.ts";

export type WatchOptions = CallOptions & {
  /** How long to wait between two questions; default 1,000. */
  readonly intervalMs?: number | undefined;
  /** Told what went wrong for now, such as a service that is starting; the loop goes on. */
  readonly onTrouble?: ((error: BraidError) => void) | undefined;
};

type Price = (parameters: PriceParameters, options: CallOptions) => Promise<PriceAnswer>;

const INTERVAL_MS = 1_000;

/** What passes by itself: the service cannot be reached, has too much to do, or has not caught up. */
function passes(error: unknown): error is BraidError {
  if (!(error instanceof BraidError)) return false;
  return error.reason === "UNREACHABLE" || [429, 502, 503, 504].includes(error.status);
}

/**
 * Yields the price of each block that is seen: again when the block's hash changes, not when it is the same.
 *
 * @throws BraidError what asking again does not change, such as a bad parameter
 */
export async function* watchPrice(
  price: Price,
  parameters: PriceParameters,
  { signal, intervalMs = INTERVAL_MS, onTrouble }: WatchOptions = {},
): AsyncGenerator<PriceAnswer, void, undefined> {
  const signals = signal === undefined ? [] : [signal];
  let last = "";
  for (;;) {
    try {
      const offer = await price(parameters, { signal });
      if (offer.block_hash !== last) yield offer;
      last = offer.block_hash;
    } catch (error) {
      if (!passes(error)) throw error;
      onTrouble?.(error);
    }
    await pause(intervalMs, signals);
  }
}
