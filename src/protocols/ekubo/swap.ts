import { countUpTo, type TickTable } from "../../core/math/concentrated/tick-table.ts";
import {
  amount0,
  amount1,
  beforeFee,
  feeOf,
  priceAfter0,
  priceAfter1,
} from "../../core/math/ekubo/ekubo-amounts.ts";
import {
  MAX_PRICE,
  MAX_TICK,
  MIN_PRICE,
  MIN_TICK,
  priceAtTick,
  tickAtPrice,
} from "../../core/math/ekubo/ekubo-price.ts";

/**
 * A pool of Ekubo's core. A pool over all prices has no ticks; a pool of one range (stableswap) has the range's two
 * ends as ticks.
 */
export type CorePool = TickTable & {
  /** Square-root price in 64.128 fixed point; 0 before the pool is initialised. */
  readonly price: bigint;
  readonly tick: number;
  /** Liquidity in range, uint128. */
  readonly liquidity: bigint;
  /** Fee on the input, a fraction of 2^64. */
  readonly fee: bigint;
};

/** What is asked of the core. */
export type CoreOrder = {
  /** Whether the amount is of token 1. */
  readonly isToken1: boolean;
  /** > 0: to be sold; < 0: to be bought; an int128. */
  readonly amount: bigint;
  /** The price at which the swap ends; absent: the extreme one. */
  readonly limit?: bigint;
};

/** The amounts of a swap in smallest units, and the pool after it. */
export type CoreSwap = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Part of the specified amount that is left at the price limit or at the end of the known ticks; 0n if none. */
  readonly unfilled: bigint;
  /** Whether the swap ended because ticks further on are not known. */
  readonly atEdge: boolean;
  readonly price: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Number of initialised ticks crossed. */
  readonly crossed: number;
};

export const MAX_INT128 = 2n ** 127n - 1n;

/** State of the loop. `next` is the number of ticks at or below the price. */
type Run = {
  remaining: bigint;
  calculated: bigint;
  price: bigint;
  tick: number;
  liquidity: bigint;
  next: number;
  crossed: number;
};

type Terms = {
  readonly fee: bigint;
  readonly isToken1: boolean;
  readonly exactOut: boolean;
  readonly up: boolean;
};

/** The end of a step; `known` is false at the end of the known ticks. */
type Edge = { readonly tick: number; readonly initialised: boolean; readonly known: boolean };

/**
 * A swap, exact to the contract's last unit. The search for the next tick is the one with the largest `skipAhead`: it
 * does not stop at the ends of bitmap words, so steps end at initialised ticks only. O(ticks crossed).
 *
 * @returns undefined if the contract reverts
 * @throws Error if liquidity falls below zero: the ticks do not match the pool
 * @source EkuboProtocol/evm-contracts src/Core.sol swap_6269342730
 */
export function coreSwap(pool: CorePool, order: CoreOrder): CoreSwap | undefined {
  const { isToken1, amount } = order;
  const exactOut = amount < 0n;
  const terms: Terms = { fee: pool.fee, isToken1, exactOut, up: isToken1 !== exactOut };
  const limit = order.limit ?? (terms.up ? MAX_PRICE : MIN_PRICE);
  if (!accepts(pool, terms, limit, amount)) return undefined;
  const run: Run = {
    remaining: amount,
    calculated: 0n,
    price: pool.price,
    tick: pool.tick,
    liquidity: pool.liquidity,
    next: countUpTo(pool.ticks, pool.tick),
    crossed: 0,
  };
  let atEdge = false;
  while (run.remaining !== 0n && run.price !== limit && !atEdge) {
    const edge = edgeOf(pool, run, terms.up);
    if (!step(pool, run, terms, { edge, limit })) return undefined;
    atEdge = !edge.known && run.price === priceAtTick(edge.tick) && run.price !== limit;
  }
  return done(run, amount, atEdge);
}

function accepts(pool: CorePool, { up }: Terms, limit: bigint, amount: bigint): boolean {
  if (pool.price === 0n || amount > MAX_INT128 || amount < -MAX_INT128 - 1n) return false;
  if (pool.tick < pool.lowest - 1 || pool.tick > pool.highest) return false;
  if (limit < MIN_PRICE || limit > MAX_PRICE) return false;
  return limit === pool.price || amount === 0n || limit > pool.price === up;
}

function done(run: Run, amount: bigint, atEdge: boolean): CoreSwap | undefined {
  const exactOut = amount < 0n;
  const moved = amount - run.remaining;
  // What is computed is capped as a payment at 2^127; such a pool is not worth the distinction.
  if (run.calculated > MAX_INT128) return undefined;
  return {
    amountIn: exactOut ? run.calculated : moved,
    amountOut: exactOut ? -moved : run.calculated,
    unfilled: exactOut ? -run.remaining : run.remaining,
    atEdge,
    price: run.price,
    tick: run.tick,
    liquidity: run.liquidity,
    crossed: run.crossed,
  };
}

function edgeOf({ ticks, lowest, highest }: CorePool, { next }: Run, up: boolean): Edge {
  const tick = ticks[up ? next : next - 1];
  if (tick !== undefined) return { tick, initialised: true, known: true };
  const last = up ? Math.min(highest, MAX_TICK) : Math.max(lowest, MIN_TICK);
  return { tick: last, initialised: false, known: last === (up ? MAX_TICK : MIN_TICK) };
}

type Bound = { readonly edge: Edge; readonly limit: bigint };

/** One step; false if the contract reverts. */
function step(pool: CorePool, run: Run, terms: Terms, { edge, limit }: Bound): boolean {
  const edgePrice = priceAtTick(edge.tick);
  const target = (terms.up ? edgePrice > limit : edgePrice < limit) ? limit : edgePrice;
  const start = run.price;
  if (run.liquidity === 0n) run.price = target;
  else if (!move(run, terms, target)) return false;
  if (run.price === edgePrice) arrive(pool, run, edge, terms.up);
  else if (run.price !== start) run.tick = tickAtPrice(run.price);
  return true;
}

/** Ends a step on a tick. */
function arrive(pool: CorePool, run: Run, edge: Edge, up: boolean): void {
  run.tick = up ? edge.tick : edge.tick - 1;
  if (!edge.initialised) return;
  const net = pool.nets[up ? run.next : run.next - 1]!;
  run.liquidity += up ? net : -net;
  run.next += up ? 1 : -1;
  run.crossed++;
  if (run.liquidity < 0n) throw new Error(`liquidity below zero at tick ${edge.tick}`);
}

/** Moves the price over constant liquidity by what remains, or to the target; false if the contract reverts. */
function move(run: Run, terms: Terms, target: bigint): boolean {
  const { exactOut, isToken1, up, fee } = terms;
  const impact = exactOut ? run.remaining : run.remaining - feeOf(run.remaining, fee);
  const price = (isToken1 ? priceAfter1 : priceAfter0)(run.price, run.liquidity, impact);
  if (price === undefined) return false;
  if (up ? price > target : price < target) return moveTo(run, terms, target);
  if (price === run.price) {
    run.remaining = 0n;
    return !exactOut;
  }
  const calculated = calculatedBetween(run, terms, price);
  if (calculated === undefined) return false;
  run.calculated += calculated;
  run.remaining = 0n;
  run.price = price;
  return true;
}

function moveTo(run: Run, terms: Terms, target: bigint): boolean {
  const specified = (terms.isToken1 ? amount1 : amount0)(stretchOf(run, target), !terms.exactOut);
  const calculated = calculatedBetween(run, terms, target);
  if (specified === undefined || calculated === undefined) return false;
  const taken = terms.exactOut ? -specified : beforeFee(specified, terms.fee);
  if (taken === undefined) return false;
  run.remaining -= taken;
  run.calculated += calculated;
  run.price = target;
  return true;
}

/** What is paid, rounded down, or what is to be paid, rounded up and with its fee; undefined if the contract reverts. */
function calculatedBetween(run: Run, terms: Terms, price: bigint): bigint | undefined {
  const net = (terms.isToken1 ? amount0 : amount1)(stretchOf(run, price), terms.exactOut);
  return terms.exactOut && net !== undefined ? beforeFee(net, terms.fee) : net;
}

function stretchOf({ price, liquidity }: Run, other: bigint) {
  return price < other ? { low: price, high: other, liquidity } : { low: other, high: price, liquidity };
}
