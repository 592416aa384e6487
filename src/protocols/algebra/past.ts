import { isqrt } from "../../core/math/roots.ts";
import { type FeeConfig, feeOfV2, feesOfV1 } from "./adaptive-fee.ts";
import { averages, type History, last, reaches, type Timepoint, written } from "./history.ts";

/** Data that determines the next fee, other than the tick. */
export type Past = {
  readonly config: FeeConfig;
  readonly history: History;
  /** v1: volume over liquidity since the newest timepoint, in units of 2^-64; the next timepoint includes it. */
  readonly pending: bigint;
  /**
   * v1: upper bound on the volume in excess of `pending` and the newest timepoint. The volume between the newest
   * timepoint and the read cannot be read, so it is bounded from the fees that follow.
   */
  readonly slack: bigint;
  /** Unix second of the newest timepoint that was read; later timepoints do not include the unknown volume. */
  readonly volumeKnownUntil: number;
  /** Unix second of the read: a new configuration is announced by a log of the operator, not of the pool. */
  readonly readAt: number;
};

/** State of a pool whose fee is set by the first change of each block. */
type Timed = { readonly tick: number; readonly feePpm: number; readonly feeOneToZeroPpm: number };

/** Upper bound on the volume of a window: v1 counts at most 100,000 per block. */
export const ANY_VOLUME = 1n << 120n;

/** Cap on the volume of one swap over liquidity in v1, in units of 2^-64. */
const MAX_SWAP_VOLUME = 100_000n << 64n;
const ALL_BITS = 2n ** 256n - 1n;

/** Shift to the unit of 2^-7 in which the window's volume enters the fee. */
const VOLUME_SHIFT = 57n;

const hasFee = (past: Past, time: number) => time <= last(past.history).timestamp;

/**
 * The past after the first change in a block at `time`.
 *
 * @returns undefined if the start of the window is unknown
 */
function afterFirst(past: Past, tick: number, time: number): Past | undefined {
  const history = written(past.history, { time, tick, volume: past.pending });
  return history && { ...past, history, pending: 0n };
}

/**
 * The fee of the newest timepoint's block, as a function of the volume in excess of the known one; undefined if
 * averages are unknown.
 */
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

/** Nondecreasing in volume: if it is equal at both ends of an interval, it is constant in between. */
type Fees = (more: bigint) => number;

/**
 * The past after a swap. v1 adds the geometric mean of its amounts over the liquidity after it.
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
 * The state before a swap in a block at `time`, after the pool has set that block's fee.
 *
 * @returns undefined if the fee is unknown
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
 * The state after a log with the fee of a block at `time`.
 *
 * @returns "reload" if that fee does not follow from the past
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

/** The past with the unknown volume narrowed to what gives `fee`; undefined if nothing does. */
function narrow(past: Past, fee: number): Past | undefined {
  const fees = feesOf(past);
  if (fees === undefined) return undefined;
  const least = firstWith(past.slack, (more) => fees(more) >= fee);
  if (least === undefined || fees(least) !== fee) return undefined;
  // If the window starts among unknown volumes, their difference does not bound their size.
  const second = past.history.window[1];
  const isBound = second !== undefined && second.timestamp <= past.volumeKnownUntil;
  const beyond = isBound ? firstWith(past.slack, (more) => fees(more) > fee) : undefined;
  const most = beyond === undefined ? past.slack : beyond - 1n;
  return { ...withMore(past, least), slack: most - least };
}

/** Adds volume to every timepoint written since the read. */
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

/** The least value of 0 … `most` from which on `holds` is true, by bisection; undefined if it never is. */
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

/** Whether time has made the fee unknown, or the configuration may have changed since the read. */
export function isStale(past: Past, time: number): boolean {
  if (!reaches(past.history, time)) return true;
  return past.history.generation === "v2" && time - past.readAt > 3600;
}
