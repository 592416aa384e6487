import { setTimeout as sleep } from "node:timers/promises";
import type { Rpc } from "./rpc.ts";
import { saveState } from "./state.ts";

/** Shortest interval between saves: with fast saves, at most this much is lost when the process is killed. */
const SAVE_EVERY_MS = 60_000;

/** Wait for the first save: the node is busy during one, and the service that starts beside it has to ask it much. */
const FIRST_SAVE_MS = 10_000;

/** Largest share of the time that saves may take, because the node is busy during one. */
const MOST_OF_THE_TIME = 1 / 50;

/**
 * Longest interval between saves, however long the last one took. A save may be slow because the machine was busy or the node was
 * suspended, so its duration does not predict that of the next one.
 */
const SAVE_AT_LATEST_MS = 300_000;

/** @param tookMs duration of the last save @returns time until the next one */
export function pauseAfterSave(tookMs: number): number {
  return Math.min(SAVE_AT_LATEST_MS, Math.max(SAVE_EVERY_MS, tookMs / MOST_OF_THE_TIME));
}

/** Saves the chain periodically until aborted. */
export async function keepSaving(
  rpc: Rpc,
  file: string,
  { onError, signal }: { onError: (error: unknown) => void; signal: AbortSignal },
): Promise<void> {
  let wait = FIRST_SAVE_MS;
  for (;;) {
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const start = performance.now();
    try {
      await saveState(rpc, file);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    wait = pauseAfterSave(performance.now() - start);
  }
}
