import { setFlagsFromString } from "node:v8";

/** By how much the heap of a thread may grow beyond what was alive when it was last collected, in percent. */
const GROWTH_PERCENT = 30;

/**
 * Has the runtime collect the heaps of all threads earlier than it would by itself, which lets them grow to some three times of what
 * lives while a market is read. Not at the start, when heaps are small: there it costs half as much processor time again (ADR 0006).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
