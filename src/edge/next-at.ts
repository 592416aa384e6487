import type { At, Head } from "../core/types.ts";

/** The block expected to execute what is priced now. */
export function nextAt(head: Head, blockTimeMs: number): At {
  return { blockNumber: head.number + 1, timestamp: head.timestamp + Math.floor(blockTimeMs / 1000) };
}
