import type { Memory } from "./memory.ts";

/** What is known of the last run's market while its pools are being read again. */
export type Recollection = {
  /** undefined where there is nothing to remember, or all of it is in the market again. */
  memory: Memory | undefined;
  /** Resolves once routes can be told. */
  usable: Promise<void>;
};

export const noRecollection = (): Recollection => ({ memory: undefined, usable: Promise.resolve() });

/** From now on nothing is remembered. */
export function forget(recollection: Recollection): void {
  recollection.memory?.close();
  recollection.memory = undefined;
}
