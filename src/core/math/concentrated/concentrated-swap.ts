import { swapStep } from "./swap-math.ts";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from "./tick-math.ts";
import { countUpTo, type TickTable, wordEdge } from "./tick-table.ts";

/** A pool of concentrated liquidity: what its swap loop reads. */
export type Concentrated = TickTable & {
  /** Fee on the input in parts per million. */
  readonly feePpm: number;
  readonly tickSpacing: number;
  /** Square-root price in 64.96 fixed point; 0 before the pool is initialised. */
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  /** In range, uint128. */
  readonly liquidity: bigint;
  /**
   * True where ticks are a linked list (Algebra Integral): a swap then never stops at the end of a bitmap word. Absent
   * where they are found in a bitmap.
   */
  readonly linked?: boolean;
};

/** What a swap moved, and where the pool stands after it. */
export type ConcentratedSwap = {
  /** Smallest units of the token sold, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** What of the amount asked is left because the price limit was reached; 0n when none. */
  readonly unfilled: bigint;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Initialised ticks that were crossed. */
  readonly crossed: number;
  /** Bitmap words that were left for the next one, each a read of its own; 0 where ticks are a linked list. */
  readonly words: number;
};

/** The farthest limits that the contract takes, by direction. */
export const LIMIT_DOWN = MIN_SQRT_RATIO + 1n;
export const LIMIT_UP = MAX_SQRT_RATIO - 1n;

const MAX_INT256 = 2n ** 255n - 1n;

/** `next` counts the ticks at or below the price: the tick to be met is the one before it going down, at it going up. */
type Run = {
  remaining: bigint;
  calculated: bigint;
  sqrtPriceX96: bigint;
  tick: number;
  liquidity: bigint;
  next: number;
  crossed: number;
};

/** Where a stretch ends. */
type Edge = { readonly tick: number; readonly initialised: boolean; readonly wall: boolean };

/**
 * The pool's own swap, to the unit: stretch by stretch from tick to tick and bitmap word to bitmap word, because the
 * contract rounds at both. Fills partly when the price limit is reached.
 *
 * @param amountSpecified > 0: to be sold; < 0: to be bought; an int256
 * @returns undefined where the contract reverts (nothing asked, limit on the wrong side, not initialised), and where
 *          the price is or would get outside of the ticks that are known
 * @throws Error where liquidity falls below zero: the table is not the pool's
 * @source Uniswap/v3-core contracts/UniswapV3Pool.sol swap
 */
export function swap(
  pool: Concentrated,
  zeroForOne: boolean,
  amountSpecified: bigint,
  sqrtPriceLimitX96: bigint,
): ConcentratedSwap | undefined {
  if (!accepts(pool, zeroForOne, amountSpecified, sqrtPriceLimitX96)) return undefined;
  const { sqrtPriceX96, tick, liquidity } = pool;
  const run: Run = {
    remaining: amountSpecified,
    calculated: 0n,
    sqrtPriceX96,
    tick,
    liquidity,
    next: countUpTo(pool.ticks, tick),
    crossed: 0,
  };
  const exactIn = amountSpecified > 0n;
  while (run.remaining !== 0n && run.sqrtPriceX96 !== sqrtPriceLimitX96)
    if (!walk(pool, run, exactIn, sqrtPriceLimitX96)) return undefined;
  const moved = amountSpecified - run.remaining;
  return {
    amountIn: exactIn ? moved : run.calculated,
    amountOut: exactIn ? run.calculated : -moved,
    unfilled: exactIn ? run.remaining : -run.remaining,
    sqrtPriceX96: run.sqrtPriceX96,
    tick: run.tick,
    liquidity: run.liquidity,
    crossed: run.crossed,
    words: pool.linked === true ? 0 : Math.abs(wordOf(run.tick, pool) - wordOf(tick, pool)),
  };
}

/** Which bitmap word holds a tick. */
function wordOf(tick: number, { tickSpacing }: Concentrated): number {
  return Math.floor(Math.floor(tick / tickSpacing) / 256);
}

function accepts(pool: Concentrated, zeroForOne: boolean, amountSpecified: bigint, limit: bigint): boolean {
  if (amountSpecified === 0n || amountSpecified > MAX_INT256 || amountSpecified < -MAX_INT256) return false;
  if (pool.sqrtPriceX96 === 0n || !withinWindow(pool)) return false;
  return zeroForOne
    ? limit < pool.sqrtPriceX96 && limit >= LIMIT_DOWN
    : limit > pool.sqrtPriceX96 && limit <= LIMIT_UP;
}

/** Whether the price stands where the ticks around it are known. */
export function withinWindow(pool: Concentrated): boolean {
  return pool.tick >= pool.lowest && pool.tick < pool.highest;
}

/** One stretch; false where it would leave the known ticks. */
function walk(pool: Concentrated, run: Run, exactIn: boolean, limit: bigint): boolean {
  const zeroForOne = limit < run.sqrtPriceX96;
  const edge = zeroForOne ? edgeBelow(pool, run) : edgeAbove(pool, run);
  const edgePrice = sqrtRatioAtTick(edge.tick);
  const target = (zeroForOne ? edgePrice < limit : edgePrice > limit) ? limit : edgePrice;
  const start = run.sqrtPriceX96;
  const step = swapStep(
    { price: start, target, liquidity: run.liquidity, feePpm: pool.feePpm },
    run.remaining,
  );
  run.sqrtPriceX96 = step.price;
  if (exactIn) {
    run.remaining -= step.taken;
    run.calculated += step.amountOut;
  } else {
    run.remaining += step.amountOut;
    run.calculated += step.taken;
  }
  if (step.price === edgePrice) {
    if (edge.wall) return false;
    arrive(pool, run, edge, zeroForOne);
  } else if (step.price !== start) run.tick = tickAtSqrtRatio(step.price);
  return true;
}

/** Crosses the tick, where it is one that positions begin or end at. */
function arrive(pool: Concentrated, run: Run, edge: Edge, zeroForOne: boolean): void {
  if (edge.initialised) {
    const net = pool.nets[zeroForOne ? run.next - 1 : run.next]!;
    run.liquidity += zeroForOne ? -net : net;
    run.next += zeroForOne ? -1 : 1;
    run.crossed++;
    if (run.liquidity < 0n) throw new Error(`liquidity below zero at tick ${edge.tick}`);
  }
  run.tick = zeroForOne ? edge.tick - 1 : edge.tick;
}

/** Where nothing is in range, words are passed without a trace: the next tick that changes it is as good an end. */
function stopsAtWords(pool: Concentrated, run: Run): boolean {
  return run.liquidity !== 0n && pool.linked !== true;
}

function edgeBelow(pool: Concentrated, run: Run): Edge {
  const candidate = run.next > 0 ? pool.ticks[run.next - 1]! : Number.NEGATIVE_INFINITY;
  const word = stopsAtWords(pool, run)
    ? wordEdge(run.tick, pool.tickSpacing, true)
    : Number.NEGATIVE_INFINITY;
  if (candidate >= word && run.next > 0) return { tick: candidate, initialised: true, wall: false };
  if (word < pool.lowest && pool.lowest > MIN_TICK)
    return { tick: pool.lowest, initialised: false, wall: true };
  return { tick: Math.max(word, MIN_TICK), initialised: false, wall: false };
}

function edgeAbove(pool: Concentrated, run: Run): Edge {
  const more = run.next < pool.ticks.length;
  const candidate = more ? pool.ticks[run.next]! : Number.POSITIVE_INFINITY;
  const word = stopsAtWords(pool, run)
    ? wordEdge(run.tick, pool.tickSpacing, false)
    : Number.POSITIVE_INFINITY;
  if (candidate <= word && more) return { tick: candidate, initialised: true, wall: false };
  if (word > pool.highest && pool.highest < MAX_TICK)
    return { tick: pool.highest, initialised: false, wall: true };
  return { tick: Math.min(word, MAX_TICK), initialised: false, wall: false };
}
