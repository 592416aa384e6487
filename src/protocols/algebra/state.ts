import {
  type Concentrated,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/concentrated/tick-table.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { isOld } from "./history.ts";
import { type Past, settled, traded } from "./past.ts";
import { type Sliding, slid, slidingFees } from "./sliding-fee.ts";

/** A pool with its ticks. The arrays are immutable. `feePpm` is the fee on sales of token 0. */
export type State = Concentrated &
  LiveTickTable & {
    /** Fee on sales of token 1 in parts per million; it differs only if the pool has fees by direction. */
    readonly feeOneToZeroPpm: number;
    /** Basis of the next block's fee; absent if the fee does not depend on volatility. */
    readonly past?: Past;
    /** Integral: basis of the next fee, if it depends on the last move of the price. */
    readonly sliding?: Sliding;
    /**
     * Integral: Unix second of the read, if a plugin is called before each swap and there is no `past`. Its other
     * parameters are announced by a log of the plugin, not of the pool.
     */
    readonly readAt?: number;
  };

/** Whether the fee depends on volatility. */
export const hasPast = (state: State): state is State & { readonly past: Past } => state.past !== undefined;

/** Gas units of one crossing through the router. */
type GasFigures = {
  readonly swap: number;
  /** Addition for the first change of a block, which writes a timepoint and sets the fee. */
  readonly first: number;
  /** Addition for the search of the timepoint of a day ago, unless the history is known to be shorter. */
  readonly search: number;
  readonly tick: number;
  /** Addition for the first tick of a swap. */
  readonly anyTick: number;
  readonly word: number;
};

/** Measured on the devnet; `search` on a history of one day, with a margin in v1 for the steps of a full ring. */
const GAS = {
  v1: { swap: 82_000, first: 54_000, search: 54_000, tick: 22_000, anyTick: 9_000, word: 8_000 },
  v2: { swap: 66_000, first: 36_000, search: 12_000, tick: 24_000, anyTick: 7_000, word: 0 },
  integral: { swap: 58_000, first: 0, search: 0, tick: 20_000, anyTick: 2_000, word: 0 },
  plugged: { swap: 92_000, first: 24_000, search: 14_000, tick: 20_000, anyTick: 2_000, word: 0 },
} as const satisfies Record<string, GasFigures>;
/** The least of what an initialised tick adds in any generation. */
export const LEAST_TICK_GAS = 20_000;

/** Work of a fill: initialised ticks crossed, further bitmap words read, and whether it sets its block's fee. */
type Work = { readonly crossed: number; readonly words: number; readonly isFirst: boolean };

function gasFigures({ past, readAt, linked }: State): GasFigures {
  if (linked !== true) return GAS.v1;
  if (past?.history.generation === "v2") return GAS.v2;
  return past === undefined && readAt === undefined ? GAS.integral : GAS.plugged;
}

export function gasOf(state: State, { crossed, words, isFirst }: Work): number {
  const { swap, first, search, tick, anyTick, word } = gasFigures(state);
  const { past } = state;
  const setting = first + (past === undefined || isOld(past.history) ? search : 0);
  return swap + (isFirst ? setting : 0) + tick * crossed + (crossed > 0 ? anyTick : 0) + word * words;
}

/** The pool with the fee of one direction. */
export function withFee<S extends Concentrated & { readonly feeOneToZeroPpm: number }>(
  pool: S,
  zeroForOne: boolean,
): Concentrated {
  return zeroForOne || pool.feePpm === pool.feeOneToZeroPpm
    ? pool
    : { ...pool, feePpm: pool.feeOneToZeroPpm };
}

const found = new WeakMap<State, { readonly time: number; readonly state: State | undefined }>();

/** Whether a swap in `before` writes a timepoint; `ready` is the state with the swap's fee. */
export const isFirst = (before: State, ready: State | undefined): boolean =>
  before.past !== ready?.past ||
  before.sliding?.newest !== ready?.sliding?.newest ||
  (before.readAt !== undefined && before.sliding === undefined);

function withSlidFees(state: State, before: Sliding, time: number): State {
  const sliding = slid(before, state.tick, time);
  const [feePpm, feeOneToZeroPpm] = slidingFees(sliding);
  return { ...state, sliding, feePpm, feeOneToZeroPpm };
}

/** The state before a swap in a block at `time`, cached per state; undefined if its fee is unknown. */
export function stateAt(state: State, time: number): State | undefined {
  const { past, sliding } = state;
  if (past === undefined && sliding === undefined) return state;
  let entry = found.get(state);
  if (entry?.time !== time) {
    entry = { time, state: sliding ? withSlidFees(state, sliding, time) : settled(state, time) };
    found.set(state, entry);
  }
  return entry.state;
}

/**
 * Sells to or buys from the pool without a price limit. The first swap of a block sets the block's fee, which the
 * next state contains.
 *
 * @returns undefined if the pool would revert, pay nothing, or not take or deliver all, or its fee is unknown
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const pool = stateAt(state, at.timestamp);
  if (pool === undefined) return undefined;
  const zeroForOne = i === 0;
  const limit = zeroForOne ? LIMIT_DOWN : LIMIT_UP;
  const done = swap(withFee(pool, zeroForOne), zeroForOne, side === "in" ? amount : -amount, limit);
  if (done === undefined || done.unfilled !== 0n || done.amountIn <= 0n || done.amountOut <= 0n)
    return undefined;
  const { amountIn, amountOut, sqrtPriceX96, tick, liquidity, crossed, words } = done;
  const next = { ...pool, sqrtPriceX96, tick, liquidity };
  return {
    amountIn,
    amountOut,
    gas: gasOf(pool, { crossed, words, isFirst: isFirst(state, pool) }),
    next:
      pool.past === undefined ? next : { ...next, past: traded(pool.past, [amountIn, amountOut], liquidity) },
  };
}
