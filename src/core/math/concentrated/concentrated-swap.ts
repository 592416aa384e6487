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

/** State of a concentrated-liquidity pool, as read by its swap loop. */
export type Concentrated = TickTable & {
  /** Fee on the input in parts per million. */
  readonly feePpm: number;
  readonly tickSpacing: number;
  /** Square-root price in 64.96 fixed point; 0 before the pool is initialised. */
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  /** Liquidity in range, uint128. */
  readonly liquidity: bigint;
  /**
   * True if initialised ticks form a linked list (Algebra Integral): a swap then never stops at the end of a bitmap
   * word. Absent if they are found in a bitmap.
   */
  readonly linked?: boolean;
};

/** The amounts of a swap, and the pool's price, tick and liquidity after it. */
export type ConcentratedSwap = {
  /** Smallest units of the token sold, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Part of the specified amount that is left since the price limit was reached; 0n if none. */
  readonly unfilled: bigint;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Number of initialised ticks crossed. */
  readonly crossed: number;
  /** Number of further bitmap words read, each a storage read; 0 if ticks are a linked list. */
  readonly words: number;
};

/** The most extreme price limits that the contract accepts, by direction. */
export const LIMIT_DOWN = MIN_SQRT_RATIO + 1n;
export const LIMIT_UP = MAX_SQRT_RATIO - 1n;

const MAX_INT256 = 2n ** 255n - 1n;

/**
 * State of the swap loop. `next` is the number of initialised ticks at or below the price: the next tick to cross is
 * ticks[next - 1] going down, and ticks[next] going up.
 */
type Run = {
  remaining: bigint;
  calculated: bigint;
  sqrtPriceX96: bigint;
  tick: number;
  liquidity: bigint;
  next: number;
  crossed: number;
};

/** The end of a step. `wall` marks the end of the known ticks. */
type Edge = { readonly tick: number; readonly initialised: boolean; readonly wall: boolean };

/**
 * A swap, exact to the contract's last unit. It steps from tick to tick and from bitmap word to bitmap word, because
 * the contract rounds at both, and fills partly if the price limit is reached. O(ticks and words crossed).
 *
 * @param amountSpecified > 0: to be sold; < 0: to be bought; an int256
 * @returns undefined if the contract reverts (amount 0, limit on the wrong side, not initialised), or if the price is
 *   or would get outside of the known ticks
 * @throws Error if liquidity falls below zero: the tick table does not match the pool
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

/** Number of the bitmap word that contains a tick. */
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

/** Whether the price is within the known ticks. */
export function withinWindow(pool: Concentrated): boolean {
  return pool.tick >= pool.lowest && pool.tick < pool.highest;
}

/** One step of the swap; false if it would leave the known ticks. */
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

/** Ends a step on its edge: updates liquidity if the tick is initialised. */
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

/**
 * Whether a step ends at bitmap words. Without liquidity in range nothing is rounded at them, so the next initialised
 * tick will do.
 */
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
