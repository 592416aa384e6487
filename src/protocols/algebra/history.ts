/** A pool's price history: a ring buffer of timepoints, one written before the first change of each block. */

/** Cumulative sums from the first timepoint up to `timestamp`. */
export type Timepoint = {
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Tick times seconds; an int56. */
  readonly tickCumulative: bigint;
  /** Squared distance between tick and average tick, summed over seconds; a uint88. */
  readonly volatilityCumulative: bigint;
  /** Tick during the seconds before. */
  readonly tick: number;
  readonly averageTick: number;
  /** v1: volume over liquidity in units of 2^-64; a uint144. */
  readonly volumeCumulative: bigint;
};

export type History = {
  /**
   * v1 records volume; v2 corrects short histories by one second; the plugins of Integral count the time since the
   * newest timepoint in averages as well.
   */
  readonly generation: "v1" | "v2" | "integral";
  /** Index of the newest timepoint in the ring. */
  readonly lastIndex: number;
  /** The two newest timepoints, ascending; one if there is no other. */
  readonly newest: readonly Timepoint[];
  /** Index of the first timepoint of `window` in the ring. */
  readonly windowIndex: number;
  /**
   * Known timepoints, ascending and without gaps: from the last one that was at least a day old, else from the oldest
   * of all.
   */
  readonly window: readonly Timepoint[];
};

/** Length of the averaging window in seconds, one day. */
export const WINDOW = 86_400;
/** Number of slots of the ring. */
export const RING = 65_536;
/** Cap on timepoints kept from the window's start. */
const MOST_KEPT = 256;

export const last = ({ newest }: History): Timepoint => newest.at(-1)!;

/** Number of slots from one index of the ring to another. */
export const slots = (from: number, to: number): number => (to - from + RING) % RING;

/** Whether `window` goes on to the newest timepoint. */
export function isWhole({ lastIndex, windowIndex, window }: History): boolean {
  return slots(windowIndex, lastIndex) === window.length - 1;
}

/** Whether `window` reaches back to the start of the averaging window that ends with the newest timepoint. */
export function isOld({ newest, window }: History): boolean {
  const oldest = window[0];
  const end = newest.at(-1);
  return oldest === undefined || end === undefined || oldest.timestamp <= end.timestamp - WINDOW;
}

/** Whether the newest timepoint is as old as the window is long, so that it alone matters to one at `time`. */
const isAlone = (history: History, time: number): boolean => last(history).timestamp <= time - WINDOW;

/** Whether the known timepoints suffice to write one at `time`. */
export function reaches(history: History, time: number): boolean {
  const known = history.window.at(-1);
  if (known === undefined) return false;
  return isWhole(history) || time - WINDOW <= known.timestamp || isAlone(history, time);
}

type Sum = "tickCumulative" | "volatilityCumulative" | "volumeCumulative";

/**
 * A cumulative sum at `target`, interpolated between known timepoints: the slope is truncated, then multiplied, except
 * for Integral's volatility, which is multiplied first.
 */
function between({ generation, window }: History, target: number, field: Sum): bigint | undefined {
  const after = window.findIndex(({ timestamp }) => timestamp > target);
  const [before, next] = after < 0 ? [window.at(-1)!, undefined] : [window[after - 1], window[after]!];
  if (before === undefined) return undefined;
  if (before.timestamp === target) return before[field];
  if (next === undefined) return undefined;
  const seconds = BigInt(next.timestamp - before.timestamp);
  const [rise, passed] = [next[field] - before[field], BigInt(target - before.timestamp)];
  if (generation === "integral" && field === "volatilityCumulative")
    return before[field] + BigInt.asUintN(88, BigInt.asUintN(88, rise) * passed) / seconds;
  return before[field] + (rise / seconds) * passed;
}

/** Time-weighted average tick over the window that ends at `time`, as the contract computes it. */
function averageTick(history: History, time: number, tick: number): number | undefined {
  const { generation, newest, window } = history;
  const oldest = window[0];
  const end = last(history);
  const start = time - WINDOW;
  if (oldest === undefined) return undefined;
  if (generation === "integral") return averageTickUntilNow(history, { time, tick, oldest });
  const mean = (from: bigint, seconds: number) => Number((end.tickCumulative - from) / BigInt(seconds));
  if (oldest.timestamp > start)
    return end.timestamp === oldest.timestamp
      ? tick
      : mean(oldest.tickCumulative, end.timestamp - oldest.timestamp);
  if (end.timestamp <= start) {
    if (newest.length < 2) return tick;
    return mean(newest[0]!.tickCumulative, end.timestamp - newest[0]!.timestamp);
  }
  const from = between(history, start, "tickCumulative");
  return from === undefined ? undefined : mean(from, end.timestamp - start);
}

type Moment = { readonly time: number; readonly tick: number; readonly oldest: Timepoint };

/** As `averageTick`, for Integral: `tick` counts for the time since the newest timepoint. */
function averageTickUntilNow(history: History, { time, tick, oldest }: Moment): number | undefined {
  const end = last(history);
  const start = time - WINDOW;
  const sum = end.tickCumulative + BigInt(tick) * BigInt(time - end.timestamp);
  if (oldest.timestamp > start)
    return Number((sum - oldest.tickCumulative) / BigInt(time - oldest.timestamp));
  if (end.timestamp <= start) return tick;
  const from = between(history, start, "tickCumulative");
  return from === undefined ? undefined : Number((sum - from) / BigInt(WINDOW));
}

/**
 * Sum over `seconds` of squared distances between tick and average tick, both of which move linearly.
 *
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/DataStorage.sol _volatilityOnRange
 */
function volatility(seconds: number, from: Distance, to: Distance): bigint {
  const dt = BigInt(seconds);
  const k = BigInt(to.tick - from.tick - (to.averageTick - from.averageTick));
  const b = BigInt(from.tick - from.averageTick) * dt;
  const sequence = dt * (dt + 1n);
  const squares = sequence * (2n * dt + 1n);
  return (k ** 2n * squares + 6n * b * k * sequence + 6n * dt * b ** 2n) / (6n * dt ** 2n);
}

type Distance = Pick<Timepoint, "tick" | "averageTick">;

/** Data of a new timepoint: time, tick before the change, and v1's volume since the last timepoint. */
export type Writing = { readonly time: number; readonly tick: number; readonly volume: bigint };

/**
 * The history after a timepoint was written.
 *
 * @param writing its time is later than the newest timepoint's
 * @returns undefined if the start of the window is unknown
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/DataStorage.sol write; Algebra v2.0 the same;
 *         Integral src/plugin/contracts/libraries/VolatilityOracle.sol
 */
export function written(history: History, { time, tick, volume }: Writing): History | undefined {
  const average = averageTick(history, time, tick);
  if (average === undefined) return undefined;
  const end = last(history);
  const seconds = time - end.timestamp;
  // v1 derives the tick of the newest timepoint from the two newest, so it has none while there is only one. Integral
  // takes the tick before the change for all the time since the newest timepoint.
  const isTickUnused =
    history.generation === "integral" || (history.generation === "v1" && history.newest.length < 2);
  const from = isTickUnused ? { ...end, tick } : end;
  const to = { tick, averageTick: average };
  const point: Timepoint = {
    ...to,
    timestamp: time,
    tickCumulative: BigInt.asIntN(56, end.tickCumulative + BigInt(tick) * BigInt(seconds)),
    volatilityCumulative: BigInt.asUintN(88, end.volatilityCumulative + volatility(seconds, from, to)),
    volumeCumulative: BigInt.asUintN(144, end.volumeCumulative + volume),
  };
  const { newest, lastIndex } = history;
  return isAlone(history, time)
    ? pushed({ ...history, window: newest.slice(-1), windowIndex: lastIndex }, point)
    : pushed(history, point);
}

/** Appends a timepoint. Drops the one that it overwrites in the ring, and those older than any future window. */
function pushed(history: History, point: Timepoint): History {
  const { generation, lastIndex, windowIndex, window } = history;
  const index = (lastIndex + 1) % RING;
  const grows = isWhole(history) && window.length < MOST_KEPT;
  const known = grows ? [...window, point] : window;
  const passed = known.findLastIndex(({ timestamp }) => timestamp <= point.timestamp - WINDOW);
  const drop = Math.max(passed, windowIndex === index ? 1 : 0);
  return {
    generation,
    lastIndex: index,
    newest: [last(history), point],
    windowIndex: (windowIndex + drop) % RING,
    window: drop > 0 ? known.slice(drop) : known,
  };
}

export type Averages = {
  /** Average squared distance between tick and average tick, rounded down. */
  readonly volatility: bigint;
  /** v1: volume over liquidity in the window, in units of 2^-64. */
  readonly volume: bigint;
};

/**
 * Averages over the window that ends with the newest timepoint.
 *
 * @returns undefined if the start of the window is unknown
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/DataStorage.sol getAverages; Algebra v2.0 getAverageVolatility;
 *         Integral src/plugin/contracts/libraries/VolatilityOracle.sol getAverageVolatility
 */
export function averages(history: History): Averages | undefined {
  const oldest = history.window[0];
  const end = last(history);
  if (oldest === undefined) return undefined;
  const start = end.timestamp - WINDOW;
  const since = (volatilityThen: bigint, volumeThen: bigint, seconds: number): Averages => ({
    volatility: BigInt.asUintN(88, end.volatilityCumulative - volatilityThen) / BigInt(seconds),
    volume: BigInt.asUintN(144, end.volumeCumulative - volumeThen),
  });
  if (oldest.timestamp > start) {
    const seconds = end.timestamp - oldest.timestamp;
    if (seconds === 0) return { volatility: 0n, volume: 0n };
    const isCorrected = history.generation !== "v1" && seconds > 1;
    return since(oldest.volatilityCumulative, oldest.volumeCumulative, isCorrected ? seconds - 1 : seconds);
  }
  const volatilityThen = between(history, start, "volatilityCumulative");
  const volumeThen = between(history, start, "volumeCumulative");
  if (volatilityThen === undefined || volumeThen === undefined) return undefined;
  return since(volatilityThen, volumeThen, WINDOW);
}
