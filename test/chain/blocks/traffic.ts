import { LIMIT_DOWN, LIMIT_UP, swap } from "../../../src/core/math/concentrated/concentrated-swap.ts";
import { withPosition } from "../../../src/core/math/concentrated/tick-table.ts";
import type { Log } from "../../../src/core/types.ts";
import { keccakOf, mix, unit, words } from "../model/hash.ts";
import { isPair, type PairState, type PoolState, positionOf, type TickState } from "../model/states.ts";
import type { Universe } from "../model/universe.ts";
import {
  creationLog,
  type Position,
  positionLog,
  swapLogTicks,
  swapLogV2,
  syncLog,
  transferLog,
} from "./events.ts";
import type { Transaction } from "./seal.ts";

export type Traffic = {
  /** Pools that are sold to in each block. */
  readonly swaps: number;
  /** Positions and deposits that are made or taken away in each block. */
  readonly positions: number;
  /** A pair is created every so many blocks; 0: never. */
  readonly creationEvery: number;
};

export const MAINNET_TRAFFIC: Traffic = { swaps: 60, positions: 6, creationEvery: 4 };

export type Work = {
  readonly universe: Universe;
  /** What tells this block's traffic from any other's. */
  readonly salt: number;
  readonly traffic: Traffic;
  /** State before the block; undefined where the pool does not exist. */
  readonly before: (pool: number) => PoolState | undefined;
  /** Pools by rank, those of the long tail left out. */
  readonly busy: readonly (readonly number[])[];
  /** The pair that comes next, and how many there are with it. */
  readonly fresh: { readonly pool: number; readonly numbered: number } | undefined;
};

export type Worked = {
  readonly transactions: readonly Transaction[];
  /** Pools that changed, with their states after the block. */
  readonly states: ReadonlyMap<number, PoolState>;
};

/** What one block does. */
export function work(job: Work): Worked {
  const { universe, traffic, salt } = job;
  const states = new Map<number, PoolState>();
  const transactions: Transaction[] = [];
  const stateOf = (pool: number) => states.get(pool) ?? job.before(pool);
  const run = (pool: number, done: Done | undefined) => {
    if (done === undefined) return;
    states.set(pool, done.state);
    const hash = keccakOf(words(BigInt(salt), transactions.length));
    transactions.push({ hash, logs: done.logs, gasUsed: 120_000 + done.logs.length * 9000 });
  };
  for (let k = 0; k < traffic.swaps; k++) {
    const pool = pick(job, k);
    const state = stateOf(pool);
    if (state !== undefined) run(pool, sell(universe, pool, { state, salt: mix(salt, k, 1) }));
  }
  for (let k = 0; k < traffic.positions; k++) {
    const pool = pick(job, 1000 + k);
    const state = stateOf(pool);
    if (state !== undefined) run(pool, provide(universe, pool, { state, salt: mix(salt, k, 2) }));
  }
  if (job.fresh !== undefined) run(job.fresh.pool, create(universe, job.fresh, mix(salt, 3)));
  return { transactions, states };
}

function pick({ universe, busy, salt }: Work, k: number): number {
  const at = mix(salt, k, 21) % 100;
  const list = busy[at < 70 ? 0 : 1] as readonly number[];
  if (at >= 95 || list.length === 0) return mix(salt, k, 22) % universe.count;
  return list[mix(salt, k, 23) % list.length] as number;
}

type Done = { readonly state: PoolState; readonly logs: readonly Log[] };
type Job<S> = { readonly state: S; readonly salt: number };

function sell(universe: Universe, pool: number, { state, salt }: Job<PoolState>): Done | undefined {
  const zeroForOne = (salt & 1) === 0;
  return isPair(state)
    ? sellPair(universe, pool, { state, salt, zeroForOne })
    : sellTicks(universe, pool, { state, salt, zeroForOne });
}

/** @source Uniswap/v2-periphery UniswapV2Library.getAmountOut, in parts per million */
export function pairOutput(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, feePpm: number): bigint {
  const kept = amountIn * BigInt(1_000_000 - feePpm);
  return (kept * reserveOut) / (reserveIn * 1_000_000n + kept);
}

function sellPair(
  universe: Universe,
  pool: number,
  { state, salt, zeroForOne }: Job<PairState> & { readonly zeroForOne: boolean },
): Done | undefined {
  const [reserve0, reserve1] = state.reserves;
  const [reserveIn, reserveOut] = zeroForOne ? [reserve0, reserve1] : [reserve1, reserve0];
  const amountIn = (reserveIn * BigInt(1 + (salt % 500))) / 1_000_000n;
  if (amountIn <= 0n || reserveIn + amountIn >= 2n ** 112n) return undefined;
  const amountOut = pairOutput(amountIn, reserveIn, reserveOut, universe.tier(pool)[0]);
  if (amountOut <= 0n) return undefined;
  const reserves: [bigint, bigint] = zeroForOne
    ? [reserve0 + amountIn, reserve1 - amountOut]
    : [reserve0 - amountOut, reserve1 + amountIn];
  const pair = universe.key(pool);
  const [tokenIn, tokenOut] = zeroForOne
    ? universe.pairAddresses(pool)
    : universe.pairAddresses(pool).toReversed();
  return {
    state: { reserves },
    logs: [
      transferLog(tokenIn!, amountIn),
      transferLog(tokenOut!, amountOut),
      syncLog(pair, reserves),
      swapLogV2(pair, zeroForOne, amountIn, amountOut),
    ],
  };
}

function sellTicks(
  universe: Universe,
  pool: number,
  { state, salt, zeroForOne }: Job<TickState> & { readonly zeroForOne: boolean },
): Done | undefined {
  if (state.liquidity === 0n || state.sqrtPriceX96 === 0n) return undefined;
  // What moves the price by up to 0.05 % inside the range.
  const raw = zeroForOne
    ? (state.liquidity << 96n) / state.sqrtPriceX96
    : (state.liquidity * state.sqrtPriceX96) >> 96n;
  const amount = (raw * BigInt(1 + (salt % 250))) / 1_000_000n;
  const done = amount > 0n ? swap(state, zeroForOne, amount, zeroForOne ? LIMIT_DOWN : LIMIT_UP) : undefined;
  if (done === undefined || done.unfilled !== 0n || done.amountOut <= 0n) return undefined;
  const { sqrtPriceX96, tick, liquidity } = done;
  const after = { ...state, sqrtPriceX96, tick, liquidity };
  const [amount0, amount1] = zeroForOne ? [done.amountIn, -done.amountOut] : [-done.amountOut, done.amountIn];
  const log = swapLogTicks(universe, pool, { amount0, amount1, sqrtPriceX96, tick, liquidity });
  const [token0, token1] = universe.pairAddresses(pool);
  return {
    state: after,
    logs: [transferLog(token0, done.amountIn), transferLog(token1, done.amountOut), log],
  };
}

/** Makes a position; one of the same ends is taken away again by a later block's salt of the same remainder. */
function provide(universe: Universe, pool: number, { state, salt }: Job<PoolState>): Done | undefined {
  if (isPair(state)) {
    if (state.reserves[0] < 1000n || state.reserves[1] < 1000n) return undefined;
    const share = BigInt(1 + (salt % 100));
    const grown = (reserve: bigint) => (reserve * (10_000n + (salt % 2 === 0 ? share : -share))) / 10_000n;
    const reserves: [bigint, bigint] = [grown(state.reserves[0]), grown(state.reserves[1])];
    if (reserves.some((reserve) => reserve >= 2n ** 112n)) return undefined;
    return { state: { reserves }, logs: [syncLog(universe.key(pool), reserves)] };
  }
  if (state.sqrtPriceX96 === 0n) return undefined;
  const { tick, tickSpacing: spacing } = state;
  const ends = positionOf(universe, pool, { k: 1 + (salt % 5), tick, spacing });
  const size = BigInt(Math.floor(Number(state.liquidity) * 0.01 * (1 + unit(salt, 1)))) + 1n;
  const position = takeable(state, ends, size) ?? { ...ends, liquidity: size };
  const table = withPosition(state, position);
  if (table === undefined) return undefined;
  const isInRange = position.lower <= tick && tick < position.upper;
  const liquidity = isInRange ? state.liquidity + position.liquidity : state.liquidity;
  return { state: { ...table, liquidity }, logs: [positionLog(universe, pool, position)] };
}

/** The position that begins at the lowest tick above the full range's and ends at the next, where all of it is one provider's. */
function takeable(state: TickState, ends: Omit<Position, "liquidity">, size: bigint): Position | undefined {
  const lower = state.ticks.indexOf(ends.lower);
  const upper = state.ticks.indexOf(ends.upper);
  if (lower < 0 || upper < 0) return undefined;
  const held = state.nets[lower]!;
  if (held !== state.grosses[lower] || -state.nets[upper]! !== held || state.grosses[upper] !== held)
    return undefined;
  return { ...ends, liquidity: size % 2n === 0n || size > held ? -held : -size };
}

function create(universe: Universe, fresh: NonNullable<Work["fresh"]>, salt: number): Done {
  const { pool, numbered } = fresh;
  const pair = universe.key(pool);
  const reserves: [bigint, bigint] = [BigInt(10 ** 15 + salt), BigInt(10 ** 14 + salt)];
  return {
    state: { reserves },
    logs: [creationLog(universe, pool, { numbered, first: [0n, 0] }), syncLog(pair, reserves)],
  };
}
