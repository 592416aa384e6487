import {
  averageTick,
  extended,
  NO_HISTORY,
  type TickHistory,
} from "../../core/math/concentrated/tick-history.ts";

/**
 * A fee that a module of the pool's factory derives from the distance of the price from its average:
 *
 *   fee = min(base + scaling · |tick - average tick|, cap)
 *
 * The average is that of the pool's own observations, as they are when the swap begins. A module may state another fee for
 * swaps before the first observation of a block.
 *
 * @source velodrome-finance/slipstream contracts/core/fees/DynamicSwapFeeModule.sol, libraries/Oracle.sol (193a6b8)
 */
export type MovingFee = {
  readonly basePpm: number;
  readonly capPpm: number;
  /** Parts per million per tick of distance, in millionths. */
  readonly scaling: bigint;
  /** Length of the averaging window in seconds. */
  readonly window: number;
  /** Seconds between two blocks, as the module assumes. */
  readonly blockSeconds: number;
  /** Seconds between two blocks of the chain: the module may assume more. */
  readonly stepSeconds: number;
  /** The fee before a block's first observation in parts per million, if the module states one. */
  readonly openingPpm?: number;
  readonly ring: Ring;
  /** Ticks of the window. Unknown if no average is taken, or after the ring has grown. */
  readonly history: TickHistory;
};

/** The ring buffer of a pool's observations, of which at most one is written in a block. */
export type Ring = {
  /** Index of the newest observation. */
  readonly index: number;
  /** Number of slots in use, and the number from the next time on that the last slot is passed. */
  readonly cardinality: number;
  readonly cardinalityNext: number;
  /** Unix time of the newest observation. */
  readonly newest: number;
  /** Unix time of the oldest observation, while slots are still empty: it is the first one. */
  readonly oldest?: number;
  /** Unix time of the oldest observation of a full ring, which the next one overwrites; it is known by a read only. */
  readonly overwrittenNext?: number;
};

const MILLION = 1_000_000n;

/**
 * The fee of a swap that begins at `tick` in a block at Unix time `time`, in parts per million.
 *
 * @returns undefined if it depends on observations that are not known
 */
export function movingFeePpm(fee: MovingFee, tick: number, time: number): number | undefined {
  if (fee.openingPpm !== undefined && fee.ring.newest !== time) return fee.openingPpm;
  const distance = distanceAt(fee, tick, time);
  if (distance === undefined) return undefined;
  const total = BigInt(fee.basePpm) + (BigInt(Math.abs(distance)) * fee.scaling) / MILLION;
  return total < BigInt(fee.capPpm) ? Number(total) : fee.capPpm;
}

/** Whether the fee depends on the average, so that a swap reads the pool's observations. */
export function readsAverage(
  { scaling, window, blockSeconds }: Pick<MovingFee, "scaling" | "window" | "blockSeconds">,
  { cardinality }: Pick<Ring, "cardinality">,
): boolean {
  return scaling !== 0n && cardinality >= Math.floor(window / blockSeconds);
}

/** Whether all observations are known that a swap in a block at `time` may read, be it the first of the block or not. */
export function isMeasured(fee: MovingFee, tick: number, time: number): boolean {
  return distanceAt(fee, tick, time) !== undefined;
}

/** Ticks by which the price is above its average, negative below it; 0 where the module takes no average. */
export function distanceAt(fee: MovingFee, tick: number, time: number): number | undefined {
  if (!readsAverage(fee, fee.ring)) return 0;
  const reaches = ringReaches(fee, time);
  if (reaches !== true) return reaches === false ? 0 : undefined;
  const average = averageTick(fee.history, { time, seconds: fee.window }, tick);
  return average === undefined ? undefined : tick - average;
}

/**
 * Whether the ring has an observation that is old enough for the window, without which the module takes no average.
 *
 * @returns undefined if that is not known: a full ring reaches back for certain only if it has more slots than the
 *   window has blocks
 */
function ringReaches({ ring, window, stepSeconds }: MovingFee, time: number): boolean | undefined {
  const start = time - window;
  if (ring.newest <= start) return true;
  const oldest = ring.oldest ?? ring.overwrittenNext;
  if (oldest !== undefined) return oldest <= start;
  const blocks = Math.ceil(window / stepSeconds) - (ring.newest === time ? 0 : 1);
  return ring.cardinality > blocks ? true : undefined;
}

/**
 * The fee's data after the pool has written an observation in a block at `time`: before a change of the tick, which was
 * `tick`, and before a change of the liquidity in range.
 */
export function observed(fee: MovingFee, tick: number, time: number): MovingFee {
  const { ring, window } = fee;
  const { index, cardinality, cardinalityNext, newest } = ring;
  if (newest === time) return fee;
  if (cardinalityNext > cardinality && index === cardinality - 1) {
    const grown = { index: index + 1, cardinality: cardinalityNext, cardinalityNext, newest: time };
    return { ...fee, ring: grown, history: NO_HISTORY };
  }
  const at = (index + 1) % cardinality;
  const { oldest, overwrittenNext: _, ...rest } = ring;
  const kept = at === 0 || oldest === undefined ? rest : { ...rest, oldest };
  return {
    ...fee,
    ring: { ...kept, index: at, newest: time },
    history: extended(fee.history, { time, seconds: window }, tick),
  };
}

/** The fee's data after the pool has announced the number of slots that its ring is to have. */
export function enlarged(fee: MovingFee, cardinalityNext: number): MovingFee {
  return { ...fee, ring: { ...fee.ring, cardinalityNext } };
}
