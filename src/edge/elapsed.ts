import { performance } from "node:perf_hooks";

type Clocks = { readonly monotonicMs: () => number; readonly wallMs: () => number };

/** Difference between the two clocks' progress that is a step of one of them and not a gradual correction. */
const STEP_MS = 1_000;

/**
 * Creates a clock that never goes back, and that also counts the time in which the machine was suspended.
 *
 * The monotonic clock stands still while a machine sleeps or a virtual machine is paused, and only the wall clock shows
 * how long that was. A forward step of the wall clock therefore counts as elapsed time, although its cause may be a
 * correction. A backward step counts as nothing.
 */
export function createElapsed({ monotonicMs, wallMs }: Clocks): () => number {
  let offset = wallMs() - monotonicMs();
  let suspendedMs = 0;
  return () => {
    const now = monotonicMs();
    const ahead = wallMs() - now - offset;
    if (Math.abs(ahead) >= STEP_MS) {
      offset += ahead;
      suspendedMs += Math.max(0, ahead);
    }
    return now + suspendedMs;
  };
}

/** Milliseconds on a clock that the age of what nodes reported is measured on: see `createElapsed`. */
export const elapsedMs = createElapsed({ monotonicMs: () => performance.now(), wallMs: () => Date.now() });
