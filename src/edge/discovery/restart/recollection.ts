import type { Memory } from "./memory.ts";

/** The market of the last run, kept while its pools are being read again. */
export type Recollection = {
  /** Undefined where the last run left nothing, or all its pools are in the market again. */
  memory: Memory | undefined;
  /** Resolves once enough pools are in `memory` to search routes. */
  usable: Promise<void>;
};

export const noRecollection = (): Recollection => ({ memory: undefined, usable: Promise.resolve() });

/** Closes and drops the market of the last run. */
export function forget(recollection: Recollection): void {
  recollection.memory?.close();
  recollection.memory = undefined;
}
