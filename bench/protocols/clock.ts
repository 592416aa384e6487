/** Processor time of this thread, which other processes on the machine do not stretch. */
function cpuMicroseconds(): number {
  return process.threadCpuUsage().user;
}

const ROUNDS = 15;
const ROUND_MS = 30;
const PAIRS = 101;
const PAIR_MS = 4;

/** Calls to be measured: `run` makes `count` of them, and its answer hangs on each, so that none is dropped as dead. */
export type Loop = { readonly count: number; readonly run: () => number };

/** Nanoseconds of one call of a loop: the best of some rounds, each long enough for the clock. */
export function nanoseconds(loop: Loop): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) best = Math.min(best, roundNs(loop, ROUND_MS));
  return best;
}

function roundNs({ count, run }: Loop, milliseconds: number): number {
  const start = cpuMicroseconds();
  let calls = 0;
  while (cpuMicroseconds() - start < milliseconds * 1000) {
    sink.total += run();
    calls += count;
  }
  return ((cpuMicroseconds() - start) * 1000) / calls;
}

/**
 * How many of the plain loop one call takes: the median over short rounds, each between two rounds of the plain loop.
 * What slows the machine for longer than some milliseconds slows both, so that the multiple stays within a few hundredths
 * where the two best times, taken apart, move by a tenth.
 */
export function multiple(loop: Loop, plain: Loop): number {
  const times: number[] = [];
  let before = roundNs(plain, PAIR_MS);
  for (let pair = 0; pair < PAIRS; pair++) {
    const ns = roundNs(loop, PAIR_MS);
    const after = roundNs(plain, PAIR_MS);
    times.push((2 * ns) / (before + after));
    before = after;
  }
  return times.sort((a, b) => a - b)[PAIRS >> 1]!;
}

/** Sums of all loops, to be printed: nothing that was measured is dead code. */
export const sink = { total: 0 };
