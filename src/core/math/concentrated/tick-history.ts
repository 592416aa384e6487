/** A pool's tick over time, as the running sum that price oracles of concentrated-liquidity pools keep. */

/**
 * Sums of tick times seconds. Between two known points the tick was constant, so the sum is linear there; after the last
 * one it is the present tick. Immutable, and exact in doubles: a sum of 2^53 takes 300 years at the highest tick.
 */
export type TickHistory = {
  /** Unix times of the known points in seconds, ascending. */
  readonly times: readonly number[];
  /** The sum at each of `times`. */
  readonly sums: readonly number[];
};

/** A history of which nothing is known. */
export const NO_HISTORY: TickHistory = { times: [], sums: [] };

/**
 * The sum at a Unix time.
 *
 * @param tick the tick since the last known point
 * @returns undefined if the history does not reach back to it
 */
export function sumAt({ times, sums }: TickHistory, time: number, tick: number): number | undefined {
  const next = times.findIndex((known) => known > time);
  if (next === 0 || times.length === 0) return undefined;
  if (next < 0) return sums.at(-1)! + tick * (time - times.at(-1)!);
  const [from, to] = [next - 1, next];
  const slope = (sums[to]! - sums[from]!) / (times[to]! - times[from]!);
  return sums[from]! + slope * (time - times[from]!);
}

/**
 * The time-weighted average tick of the `seconds` before `time`, rounded towards zero.
 *
 * @param tick the tick since the last known point
 * @returns undefined if the history does not reach back that far
 * @source Uniswap/v3-core contracts/libraries/Oracle.sol observe, and the division of its users
 */
export function averageTick(
  history: TickHistory,
  { time, seconds }: { readonly time: number; readonly seconds: number },
  tick: number,
): number | undefined {
  const from = sumAt(history, time - seconds, tick);
  const to = sumAt(history, time, tick);
  return from === undefined || to === undefined ? undefined : Math.trunc((to - from) / seconds);
}

/**
 * The history with a point at `time`, until which the tick was `tick`. Points that no window of `seconds` needs any more
 * are dropped.
 */
export function extended(
  history: TickHistory,
  { time, seconds }: { readonly time: number; readonly seconds: number },
  tick: number,
): TickHistory {
  const sum = sumAt(history, time, tick);
  if (sum === undefined || history.times.at(-1)! >= time) return history;
  const first = Math.max(
    0,
    history.times.findLastIndex((known) => known <= time - seconds),
  );
  return { times: [...history.times.slice(first), time], sums: [...history.sums.slice(first), sum] };
}

/** The history of the given points, without those that lie on a straight line between their neighbours. */
export function historyOf(times: readonly number[], sums: readonly number[]): TickHistory {
  const slope = (k: number) => (sums[k + 1]! - sums[k]!) / (times[k + 1]! - times[k]!);
  const kept = times
    .map((_, k) => k)
    .filter((k) => k === 0 || k === times.length - 1 || slope(k - 1) !== slope(k));
  return { times: kept.map((k) => times[k]!), sums: kept.map((k) => sums[k]!) };
}
