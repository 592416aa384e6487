import { isqrt } from "../../core/math/roots.ts";
import { type FeeConfig, feeOfV2, feesOfV1 } from "./adaptive-fee.ts";
import { averages, type History, last, reaches, type Timepoint, written } from "./history.ts";

/** Data that determines the next fee, other than the tick. */
export type Past = {
  /** Parameters of the fee on sales of token 0 and of token 1: the same object, except where fees differ by direction. */
  readonly configs: readonly [FeeConfig, FeeConfig];
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

/** Fees on sales of token 0 and of token 1, in parts per million. */
export type Fees = readonly [zeroToOne: number, oneToZero: number];

/** State of a pool whose fees are set by the first change of each block. */
type Timed = { readonly tick: number; readonly feePpm: number; readonly feeOneToZeroPpm: number };

export const isSame = (fees: Fees, [zeroToOne, oneToZero]: Fees): boolean =>
  fees[0] === zeroToOne && fees[1] === oneToZero;

/** The fees that a state has now. */
export const feesIn = ({ feePpm, feeOneToZeroPpm }: Timed): Fees => [feePpm, feeOneToZeroPpm];

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
 * The fees of the newest timepoint's block, as a function of the volume in excess of the known one; undefined if
 * averages are unknown.
 */
function feesOf({ configs, history }: Past): FeesByVolume | undefined {
  const found = averages(history);
  if (found === undefined) return undefined;
  const { volatility, volume } = found;
  const one = (config: FeeConfig): ((more: bigint) => number) => {
    if (history.generation !== "v1") {
      const fee = feeOfV2(config, volatility);
      return () => fee;
    }
    const fees = feesOfV1(config, volatility);
    return (more) => fees((volume + more) >> VOLUME_SHIFT);
  };
  const [down, up] = configs;
  const zeroToOne = one(down);
  const oneToZero = up === down ? zeroToOne : one(up);
  return (more) => [zeroToOne(more), oneToZero(more)];
}

/** The fees of the newest timepoint's block, if its volume is known; undefined if averages are unknown. */
export const feesAtNewest = (past: Past): Fees | undefined => feesOf(past)?.(0n);

/** Both are nondecreasing in volume: if they are equal at both ends of an interval, they are constant in between. */
type FeesByVolume = (more: bigint) => Fees;

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

const withFees = <S extends Timed>(state: S, past: Past, [feePpm, feeOneToZeroPpm]: Fees): S => ({
  ...state,
  past,
  feePpm,
  feeOneToZeroPpm,
});

/**
 * The state before a swap in a block at `time`, after the pool has set that block's fees.
 *
 * @returns undefined if a fee is unknown
 */
export function settled<S extends Timed & { readonly past?: Past }>(state: S, time: number): S | undefined {
  if (state.past === undefined || hasFee(state.past, time)) return state;
  const past = afterFirst(state.past, state.tick, time);
  if (past === undefined) return undefined;
  const fees = feesOf(past);
  if (fees === undefined || !isSame(fees(0n), fees(past.slack))) return undefined;
  return withFees(state, past, fees(0n));
}

/**
 * The state after a log with the fees of a block at `time`.
 *
 * @returns "reload" if these fees do not follow from the past
 */
export function told<S extends Timed & { readonly past: Past }>(
  state: S,
  fees: Fees,
  time: number,
): S | "reload" {
  if (hasFee(state.past, time)) return isSame(fees, feesIn(state)) ? state : "reload";
  const past = afterFirst(state.past, state.tick, time);
  const narrowed = past && narrow(past, fees);
  return narrowed === undefined ? "reload" : withFees(state, narrowed, fees);
}

/** The past with the unknown volume narrowed to what gives the fees told; undefined if nothing does. */
function narrow(past: Past, [zeroToOne, oneToZero]: Fees): Past | undefined {
  const fees = feesOf(past);
  if (fees === undefined) return undefined;
  const reaches = ([down, up]: Fees) => down >= zeroToOne && up >= oneToZero;
  const exceeds = ([down, up]: Fees) => down > zeroToOne || up > oneToZero;
  const least = firstWith(past.slack, (more) => reaches(fees(more)));
  if (least === undefined || exceeds(fees(least))) return undefined;
  // If the window starts among unknown volumes, their difference does not bound their size.
  const second = past.history.window[1];
  const isBound = second !== undefined && second.timestamp <= past.volumeKnownUntil;
  const beyond = isBound ? firstWith(past.slack, (more) => exceeds(fees(more))) : undefined;
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

/** Seconds after which parameters are read again whose changes are announced by a log of another contract. */
export const MOST_AGE = 3600;

/** Whether parameters that were read at `readAt` may be others by now. */
export const isAged = (readAt: number, time: number): boolean => time - readAt > MOST_AGE;

/** Whether time has made the fee unknown, or the configuration may have changed since the read. */
export function isStale(past: Past, time: number): boolean {
  if (!reaches(past.history, time)) return true;
  return past.history.generation !== "v1" && isAged(past.readAt, time);
}
