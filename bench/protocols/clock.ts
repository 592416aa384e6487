/** Processor time of this thread, which other processes on the machine do not stretch. */
function cpuMicroseconds(): number {
  return process.threadCpuUsage().user;
}

const ROUNDS = 15;
const ROUND_MS = 30;

/**
 * Nanoseconds of one of the `count` calls that `loop` makes: the best of some rounds, each long enough for the clock.
 *
 * @param loop answers a number that hangs on every call, so that none is dropped as dead
 */
export function nanoseconds(count: number, loop: () => number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuMicroseconds();
    let calls = 0;
    while (cpuMicroseconds() - start < ROUND_MS * 1000) {
      sink.total += loop();
      calls += count;
    }
    best = Math.min(best, ((cpuMicroseconds() - start) * 1000) / calls);
  }
  return best;
}

/** Sums of all loops, to be printed: nothing that was measured is dead code. */
export const sink = { total: 0 };
