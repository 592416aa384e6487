/** What a pool remembers of its past: a ring of timepoints, written before the first change of every block. */

/** Sums since the first timepoint, as of `timestamp`. */
export type Timepoint = {
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Tick times seconds; an int56. */
  readonly tickCumulative: bigint;
  /** Squared distance of tick and average tick, summed over seconds; a uint88. */
  readonly volatilityCumulative: bigint;
  /** The tick that the seconds before were counted with. */
  readonly tick: number;
  readonly averageTick: number;
  /** v1: volume over liquidity in 2^-64; a uint144. */
  readonly volumeCumulative: bigint;
};

export type History = {
  /** v1 counts volume; v2 corrects short histories by one second. */
  readonly generation: "v1" | "v2";
  /** Number in the ring of the newest timepoint. */
  readonly lastIndex: number;
  /** The two newest, ascending; one where there is no other. */
  readonly newest: readonly Timepoint[];
  /** Number in the ring of the first of `window`. */
  readonly windowIndex: number;
  /**
   * Ascending and without gaps: from the last that was a day old or more, else the oldest of all, as far as they are known.
   */
  readonly window: readonly Timepoint[];
};

/** A day, over which averages are taken. */
export const WINDOW = 86_400;
/** Slots of the ring. */
export const RING = 65_536;
/** Timepoints that are kept of the window's start. */
const MOST_KEPT = 256;

export const last = ({ newest }: History): Timepoint => newest.at(-1)!;

/** How many slots lie from one number of the ring to another. */
export const slots = (from: number, to: number): number => (to - from + RING) % RING;

/** Whether `window` goes on to the newest timepoint. */
export function isWhole({ lastIndex, windowIndex, window }: History): boolean {
  return slots(windowIndex, lastIndex) === window.length - 1;
}

/** Whether it goes back to the start of the window that ends with the newest timepoint. */
export function isOld({ newest, window }: History): boolean {
  const [oldest, end] = [window[0], newest.at(-1)];
  return oldest === undefined || end === undefined || oldest.timestamp <= end.timestamp - WINDOW;
}

/** Whether what is known suffices for a timepoint at `time`. */
export function reaches(history: History, time: number): boolean {
  const known = history.window.at(-1);
  return known !== undefined && (isWhole(history) || time - WINDOW <= known.timestamp);
}

/** Cumulatives of the known timepoint at `target`, or between the two around it: slopes are cut, then multiplied. */
function between(
  { window }: History,
  target: number,
  field: "tickCumulative" | "volatilityCumulative" | "volumeCumulative",
): bigint | undefined {
  const after = window.findIndex(({ timestamp }) => timestamp > target);
  const [before, next] = after < 0 ? [window.at(-1)!, undefined] : [window[after - 1], window[after]!];
  if (before === undefined) return undefined;
  if (before.timestamp === target) return before[field];
  if (next === undefined) return undefined;
  const seconds = BigInt(next.timestamp - before.timestamp);
  return before[field] + ((next[field] - before[field]) / seconds) * BigInt(target - before.timestamp);
}

/** The time-weighted tick of the window that ends with `time`, as the contract takes it. */
function averageTick(history: History, time: number, tick: number): number | undefined {
  const { newest, window } = history;
  const [oldest, end, start] = [window[0], last(history), time - WINDOW];
  if (oldest === undefined) return undefined;
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

/**
 * Squared distances of tick and average tick, summed over `seconds` in which both go straight from one to the other.
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

/** What the pool writes: where it stands before the change, and v1's volume since the timepoint before. */
export type Writing = { readonly time: number; readonly tick: number; readonly volume: bigint };

/**
 * The history after a timepoint was written.
 *
 * @param writing its time is later than the newest timepoint's
 * @returns undefined where the window's start is not known
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/DataStorage.sol write; Algebra v2.0 the same
 */
export function written(history: History, { time, tick, volume }: Writing): History | undefined {
  const average = averageTick(history, time, tick);
  if (average === undefined) return undefined;
  const end = last(history);
  const seconds = time - end.timestamp;
  // v1 works the tick of the newest timepoint out of the two newest, and has none while there is but one.
  const from = history.generation === "v1" && history.newest.length < 2 ? { ...end, tick } : end;
  const to = { tick, averageTick: average };
  const point: Timepoint = {
    ...to,
    timestamp: time,
    tickCumulative: BigInt.asIntN(56, end.tickCumulative + BigInt(tick) * BigInt(seconds)),
    volatilityCumulative: BigInt.asUintN(88, end.volatilityCumulative + volatility(seconds, from, to)),
    volumeCumulative: BigInt.asUintN(144, end.volumeCumulative + volume),
  };
  return pushed(history, point);
}

/** The ring's oldest makes way, and so does what is older than any window still to come. */
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
  /** Squared distance of tick and average tick, rounded down. */
  readonly volatility: bigint;
  /** v1: the window's volume over liquidity in 2^-64. */
  readonly volume: bigint;
};

/**
 * Averages of the window that ends with the newest timepoint.
 *
 * @returns undefined where the window's start is not known
 * @source cryptoalgebra/AlgebraV1 contracts/libraries/DataStorage.sol getAverages; Algebra v2.0 getAverageVolatility
 */
export function averages(history: History): Averages | undefined {
  const [oldest, end] = [history.window[0], last(history)];
  if (oldest === undefined) return undefined;
  const start = end.timestamp - WINDOW;
  const since = (volatilityThen: bigint, volumeThen: bigint, seconds: number): Averages => ({
    volatility: BigInt.asUintN(88, end.volatilityCumulative - volatilityThen) / BigInt(seconds),
    volume: BigInt.asUintN(144, end.volumeCumulative - volumeThen),
  });
  if (oldest.timestamp > start) {
    const seconds = end.timestamp - oldest.timestamp;
    if (seconds === 0) return { volatility: 0n, volume: 0n };
    const isCorrected = history.generation === "v2" && seconds > 1;
    return since(oldest.volatilityCumulative, oldest.volumeCumulative, isCorrected ? seconds - 1 : seconds);
  }
  const volatilityThen = between(history, start, "volatilityCumulative");
  const volumeThen = between(history, start, "volumeCumulative");
  if (volatilityThen === undefined || volumeThen === undefined) return undefined;
  return since(volatilityThen, volumeThen, WINDOW);
}
