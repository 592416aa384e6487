import { isqrt } from "../../core/math/roots.ts";
import { type FeeConfig, feeOfV2, feesOfV1 } from "./adaptive-fee.ts";
import { averages, type History, last, reaches, type Timepoint, written } from "./history.ts";

/** What the next fee follows from, beside the tick. */
export type Past = {
  readonly config: FeeConfig;
  readonly history: History;
  /** v1: volume over liquidity since the newest timepoint, in 2^-64; the next one counts it. */
  readonly pending: bigint;
  /**
   * v1: how much more than `pending` and the newest timepoint say there may have been. No call reads the volume since the
   * newest timepoint, so what came before the reading is bounded by the fees that follow.
   */
  readonly slack: bigint;
  /** Unix time in seconds of the newest timepoint that was read: those after it lack the slack. */
  readonly volumeKnownUntil: number;
  /** Unix time in seconds of the reading: an operator's new configuration says so by its own log, not the pool's. */
  readonly readAt: number;
};

/** The state of a pool whose fee is set anew in the first change of every block. */
type Timed = { readonly tick: number; readonly feePpm: number; readonly feeOneToZeroPpm: number };

/** More than any sum of a window: v1 counts at most 100,000 a block. */
export const ANY_VOLUME = 1n << 120n;

/** More than a pool can trade of its liquidity: v1 counts no more of one swap, in 2^-64. */
const MAX_SWAP_VOLUME = 100_000n << 64n;
const ALL_BITS = 2n ** 256n - 1n;

/** The window's volume counts in steps of 2^-7. */
const VOLUME_SHIFT = 57n;

const hasFee = (past: Past, time: number) => time <= last(past.history).timestamp;

/**
 * The past after the first change in a block of `time`.
 *
 * @returns undefined where the window's start is not known
 */
function afterFirst(past: Past, tick: number, time: number): Past | undefined {
  const history = written(past.history, { time, tick, volume: past.pending });
  return history && { ...past, history, pending: 0n };
}

/** The fee of the newest timepoint's block, by how much more than known the window's volume is; undefined as `averages`. */
function feesOf({ config, history }: Past): Fees | undefined {
  const found = averages(history);
  if (found === undefined) return undefined;
  const { volatility, volume } = found;
  if (history.generation === "v2") {
    const fee = feeOfV2(config, volatility);
    return () => fee;
  }
  const fees = feesOfV1(config, volatility);
  return (more) => fees((volume + more) >> VOLUME_SHIFT);
}

/** Never falls as volume rises: with both ends of a range the same, so is all between. */
type Fees = (more: bigint) => number;

/**
 * The past after a swap: v1 adds up the geometric mean of its amounts over the liquidity that it left.
 *
 * @source cryptoalgebra/AlgebraV1 contracts/DataStorageOperator.sol calculateVolumePerLiquidity
 */
export function traded(past: Past, amounts: readonly [bigint, bigint], liquidity: bigint): Past {
  if (past.history.generation !== "v1") return past;
  const [a, b] = amounts.map((amount) => isqrt(amount < 0n ? -amount : amount)) as [bigint, bigint];
  const mean = a * b;
  const shifted = mean >= 2n ** 192n ? ALL_BITS : mean << 64n;
  const volume = shifted / (liquidity > 0n ? liquidity : 1n);
  return { ...past, pending: past.pending + (volume < MAX_SWAP_VOLUME ? volume : MAX_SWAP_VOLUME) };
}

const withFees = <S extends Timed>(state: S, past: Past, fee: number): S => ({
  ...state,
  past,
  feePpm: fee,
  feeOneToZeroPpm: fee,
});

/**
 * The state as a swap in a block of `time` finds it, after the pool has set that block's fee.
 *
 * @returns undefined where the fee is not known
 */
export function settled<S extends Timed & { readonly past?: Past }>(state: S, time: number): S | undefined {
  if (state.past === undefined || hasFee(state.past, time)) return state;
  const past = afterFirst(state.past, state.tick, time);
  if (past === undefined) return undefined;
  const fees = feesOf(past);
  if (fees === undefined || fees(0n) !== fees(past.slack)) return undefined;
  return withFees(state, past, fees(0n));
}

/**
 * The state after a log said what the fee of a block of `time` is.
 *
 * @returns "reload" where that is not what follows from the past
 */
export function told<S extends Timed & { readonly past: Past }>(
  state: S,
  fee: number,
  time: number,
): S | "reload" {
  if (hasFee(state.past, time)) return fee === state.feePpm ? state : "reload";
  const past = afterFirst(state.past, state.tick, time);
  const narrowed = past && narrow(past, fee);
  return narrowed === undefined ? "reload" : withFees(state, narrowed, fee);
}

/** What of the slack leads to `fee`; undefined where nothing does. */
function narrow(past: Past, fee: number): Past | undefined {
  const fees = feesOf(past);
  if (fees === undefined) return undefined;
  const least = firstWith(past.slack, (more) => fees(more) >= fee);
  if (least === undefined || fees(least) !== fee) return undefined;
  // Where the window starts among volumes that are not known themselves, the difference says nothing of how large they are.
  const second = past.history.window[1];
  const isBound = second !== undefined && second.timestamp <= past.volumeKnownUntil;
  const beyond = isBound ? firstWith(past.slack, (more) => fees(more) > fee) : undefined;
  const most = beyond === undefined ? past.slack : beyond - 1n;
  return { ...withMore(past, least), slack: most - least };
}

/** So much more volume in every timepoint that was written since the reading. */
function withMore(past: Past, more: bigint): Past {
  if (more === 0n) return past;
  const { history, volumeKnownUntil } = past;
  const grown = (point: Timepoint): Timepoint =>
    point.timestamp <= volumeKnownUntil
      ? point
      : { ...point, volumeCumulative: BigInt.asUintN(144, point.volumeCumulative + more) };
  const { newest, window } = history;
  return { ...past, history: { ...history, newest: newest.map(grown), window: window.map(grown) } };
}

/** The least of 0 … `most` from which on `holds`; undefined where it never does. */
function firstWith(most: bigint, holds: (more: bigint) => boolean): bigint | undefined {
  if (!holds(most)) return undefined;
  let [low, high] = [-1n, most];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A fee that time alone has made unknown, or a configuration that may be another by now. */
export function isStale(past: Past, time: number): boolean {
  if (!reaches(past.history, time)) return true;
  return past.history.generation === "v2" && time - past.readAt > 3600;
}
