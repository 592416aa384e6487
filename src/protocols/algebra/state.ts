import {
  type Concentrated,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/concentrated/tick-table.ts";
import type { Order, Trade } from "../own-state.ts";
import { isOld } from "./history.ts";
import { type Past, settled, traded } from "./past.ts";

/** A pool with its ticks; the arrays are never changed in place. `feePpm` is that of selling token 0. */
export type State = Concentrated &
  LiveTickTable & {
    /** Fee of selling token 1 in parts per million: another one only where the pool tells directions apart. */
    readonly feeOneToZeroPpm: number;
    /** What the fee of the next block follows from; absent where it does not follow volatility. */
    readonly past?: Past;
  };

/** Whether the fee follows volatility. */
export const hasPast = (state: State): state is State & { readonly past: Past } => state.past !== undefined;

/** Gas units of one crossing through the router; the only figures of this folder. */
type GasFigures = {
  readonly swap: number;
  /** The first change of a block also writes a timepoint and sets the fee. */
  readonly first: number;
  /** Where the pool remembers more than a day, that first change searches for the timepoint of a day ago. */
  readonly search: number;
  readonly tick: number;
  /** What the first tick of a swap costs more. */
  readonly anyTick: number;
  readonly word: number;
};

/** Measured on the devnet; searches on one a day old, with room in v1 for the steps of a full ring. */
const GAS = {
  v1: { swap: 82_000, first: 54_000, search: 54_000, tick: 22_000, anyTick: 9_000, word: 8_000 },
  v2: { swap: 66_000, first: 36_000, search: 12_000, tick: 24_000, anyTick: 7_000, word: 0 },
  integral: { swap: 58_000, first: 0, search: 0, tick: 20_000, anyTick: 2_000, word: 0 },
} as const satisfies Record<string, GasFigures>;

/** What a fill did: initialised ticks crossed, bitmap words left for the next one, and whether it sets its block's fee. */
type Work = { readonly crossed: number; readonly words: number; readonly isFirst: boolean };

export function gasOf({ past, linked }: State, { crossed, words, isFirst }: Work): number {
  const { swap, first, search, tick, anyTick, word } =
    GAS[linked !== true ? "v1" : past === undefined ? "integral" : "v2"];
  const setting = first + (past !== undefined && isOld(past.history) ? search : 0);
  return swap + (isFirst ? setting : 0) + tick * crossed + (crossed > 0 ? anyTick : 0) + word * words;
}

/** The pool as a swap in one direction sees it. */
export function withFee<S extends Concentrated & { readonly feeOneToZeroPpm: number }>(
  pool: S,
  zeroForOne: boolean,
): Concentrated {
  return zeroForOne || pool.feePpm === pool.feeOneToZeroPpm
    ? pool
    : { ...pool, feePpm: pool.feeOneToZeroPpm };
}

const found = new WeakMap<State, { readonly time: number; readonly state: State | undefined }>();

/** The state as a swap in a block of `time` finds it; undefined where its fee is not known. */
export function stateAt(state: State, time: number): State | undefined {
  if (state.past === undefined) return state;
  let entry = found.get(state);
  if (entry?.time !== time) {
    entry = { time, state: settled(state, time) };
    found.set(state, entry);
  }
  return entry.state;
}

/**
 * Sells to or buys from the pool, at any price that it has. The first swap of a block sets the block's fee, so the state
 * that it leaves has it set.
 *
 * @returns undefined when the pool would revert, pay nothing, or not take or deliver all, or its fee is not known
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
    gas: gasOf(pool, { crossed, words, isFirst: pool !== state }),
    next:
      pool.past === undefined ? next : { ...next, past: traded(pool.past, [amountIn, amountOut], liquidity) },
  };
}
