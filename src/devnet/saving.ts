import { setTimeout as sleep } from "node:timers/promises";
import type { Rpc } from "./rpc.ts";
import { saveState } from "./state.ts";

/** The most that is lost when the process is killed, while a save is quick. */
const SAVE_EVERY_MS = 60_000;

/** A save keeps the node busy: it may take this part of the time at most. */
const MOST_OF_THE_TIME = 1 / 50;

/** Until aborted, saves the chain now and then. */
export async function keepSaving(
  rpc: Rpc,
  file: string,
  { onError, signal }: { onError: (error: unknown) => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now();
    try {
      await saveState(rpc, file);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    const wait = Math.max(SAVE_EVERY_MS, (performance.now() - start) / MOST_OF_THE_TIME);
    await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
}
