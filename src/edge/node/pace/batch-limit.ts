/** The number of requests that an endpoint takes in one body, as learnt from its refusals. */
export type BatchLimit = {
  size(): number;
  /** A batch of so many requests was refused as a whole. */
  refused(requests: number): void;
  /** The requests of a batch of this size were answered each. */
  accepted(requests: number): void;
};

/**
 * Full batches after which one of twice the size is tried. A limit of the endpoint is thus met again and again, but each
 * refusal doubles the number, up to MOST_FULL. An error of the moment that looks like a limit is forgotten in the end.
 */
const LEAST_FULL = 16;
const MOST_FULL = 4_096;

/** @param most the size before the first refusal, and the largest one later */
export function createBatchLimit(most: number): BatchLimit {
  let size = most;
  let full = 0;
  let wanted = LEAST_FULL;
  return {
    size: () => size,
    refused(requests) {
      size = Math.max(1, Math.min(size, Math.floor(requests / 2)));
      full = 0;
      wanted = Math.min(MOST_FULL, wanted * 2);
    },
    accepted(requests) {
      if (requests < size || size >= most || ++full < wanted) return;
      size = Math.min(most, size * 2);
      full = 0;
    },
  };
}
