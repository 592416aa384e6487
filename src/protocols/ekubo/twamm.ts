import { feeOf } from "../../core/math/ekubo/ekubo-amounts.ts";
import { compact } from "../../core/math/ekubo/ekubo-price.ts";
import { type CorePool, coreSwap } from "./swap.ts";

/**
 * Orders that are sold evenly over time (TWAMM). Between two changes of the sale rates r0 and r1, the orders of both
 * sides trade with each other and the pool of liquidity L, whose square-root price s moves towards that of the rates,
 * σ = √(r1/r0):
 *
 *   s(t) = σ · (e^x - c) / (e^x + c),   c = (σ - s)/(σ + s),   x = 2·√(r0·r1)·t / L
 *
 * What is sold, rewards aside, is a swap of the core up to s(t), so the pool is moved by such swaps.
 *
 * @source EkuboProtocol/evm-contracts src/extensions/TWAMM.sol, src/math/twamm.sol, src/math/exp2.sol
 */

/** Sale rates are units per second times 2^32; times are Unix seconds. */
export type VirtualOrders = {
  readonly rates: readonly [bigint, bigint];
  /** Ascending times at which orders begin or end. */
  readonly changes: readonly RateChange[];
  readonly executedAt: number;
};

export type RateChange = { readonly time: number; readonly by: readonly [bigint, bigint] };

const ONE_128 = 2n ** 128n;
/** floor(log2(e) · 2^33): turns √(r0·r1)·t / L, times 2, into an exponent of 2 in 64 bits of fraction. */
const EXPONENT_FACTOR = 12_392_656_037n;
/** 64 in 64 bits of fraction: from here on the price is that of the sale rates. */
const EXPONENT_END = 1n << 70n;

/**
 * The pool once all orders up to `timestamp` have traded, and the orders as they are then. O(changes of rates in
 * between).
 *
 * @returns undefined if the contract reverts
 */
export function executed<P extends CorePool>(
  pool: P,
  orders: VirtualOrders,
  timestamp: number,
): { readonly pool: P; readonly orders: VirtualOrders } | undefined {
  let moved: P | undefined = pool;
  let rates = orders.rates;
  let time = orders.executedAt;
  for (const { time: next, by } of orders.changes) {
    if (next <= time) continue;
    if (next > timestamp) break;
    moved = moved && traded(moved, rates, next - time);
    rates = [rates[0] + by[0], rates[1] + by[1]];
    if (rates.some((rate) => rate < 0n || rate >= 2n ** 112n)) return undefined;
    time = next;
  }
  if (moved && time < timestamp) moved = traded(moved, rates, timestamp - time);
  return moved && { pool: moved, orders: { ...orders, rates, executedAt: Math.max(time, timestamp) } };
}

/** The pool after a time of constant rates. */
function traded<P extends CorePool>(
  pool: P,
  rates: readonly [bigint, bigint],
  seconds: number,
): P | undefined {
  const [sold0, sold1] = rates.map((rate) => (rate * BigInt(seconds)) >> 32n) as [bigint, bigint];
  if (sold0 === 0n && sold1 === 0n) return pool;
  if (sold0 === 0n) return after(pool, true, sold1);
  if (sold1 === 0n) return after(pool, false, sold0);
  const limit = nextPrice(pool, rates, BigInt(seconds));
  if (limit === undefined || limit === pool.price) return limit === undefined ? undefined : pool;
  return limit > pool.price ? after(pool, true, sold1, limit) : after(pool, false, sold0, limit);
}

function after<P extends CorePool>(
  pool: P,
  isToken1: boolean,
  amount: bigint,
  limit?: bigint,
): P | undefined {
  const done = coreSwap(pool, { isToken1, amount, ...(limit === undefined ? {} : { limit }) });
  if (done === undefined) return undefined;
  const { price, tick, liquidity } = done;
  return { ...pool, price, tick, liquidity };
}

/** The price after a time of constant rates, both above 0. */
function nextPrice(
  { price, liquidity, fee }: CorePool,
  [rate0, rate1]: readonly [bigint, bigint],
  seconds: bigint,
): bigint | undefined {
  const goal = goalOf(rate0, rate1);
  const falls = price > goal;
  const distance = ((falls ? price - goal : goal - price) * ONE_128) / (price + goal);
  if (distance === 0n || liquidity === 0n) return compact(goal, falls);
  const geometric = squareRoot(rate0 * rate1);
  const net = geometric - feeOf(geometric, fee);
  const exponent = (net * seconds * EXPONENT_FACTOR) / liquidity;
  if (exponent >= EXPONENT_END) return compact(goal, falls);
  const power = exp2(exponent) << 64n;
  const c = falls ? -distance : distance;
  const next = (goal * magnitude(power - c)) / magnitude(power + c);
  return compact(falls === next < goal ? goal : next, falls);
}

/** √(rate1 / rate0) in 64.128 fixed point, with as many digits as the contract has room for. */
function goalOf(rate0: bigint, rate1: bigint): bigint {
  const ratio = (rate1 << 128n) / rate0;
  if (ratio < ONE_128) return squareRoot(ratio << 128n);
  return ratio < 2n ** 192n ? squareRoot(ratio << 64n) << 32n : squareRoot(ratio << 16n) << 56n;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The square root, rounded down. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** 2^(2^-k) in 1.128 fixed point, for k = 1 … 64: each is the square root of the one before, rounded down. */
const ROOTS: readonly bigint[] = rootsOfTwo();

function rootsOfTwo(): readonly bigint[] {
  const roots: bigint[] = [];
  let root = 2n << 128n;
  for (let k = 1; k <= 64; k++) {
    root = squareRoot(root << 128n);
    roots.push(root);
  }
  return roots;
}

/** 2^x for x < 64 with 64 bits of fraction; the result has 64 as well. */
function exp2(x: bigint): bigint {
  let power = 1n << 127n;
  for (let k = 1; k <= 64; k++)
    if (((x >> BigInt(64 - k)) & 1n) === 1n) power = (power * ROOTS[k - 1]!) >> 128n;
  return power >> (63n - (x >> 64n));
}
