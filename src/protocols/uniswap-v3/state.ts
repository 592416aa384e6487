import {
  type Concentrated,
  type ConcentratedSwap,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/concentrated/tick-table.ts";
import type { Address, At } from "../../core/types.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { enlarged, isMeasured, type MovingFee, movingFeePpm, observed, readsAverage } from "./moving-fee.ts";

/** Source of a changeable fee, and when it was read, in Unix seconds. */
export type FeeSource = {
  /** The module of the factory that states it; the pool itself where it does. */
  readonly module: Address;
  readonly readAt: number;
  /** Gas units that such a pool adds to each crossing of v3's. */
  readonly swapGas: number;
  /** What the fee is computed from; absent if it is set by hand. */
  readonly moving?: MovingFee;
};

/**
 * A pool with its ticks. The arrays are immutable, so states after swaps share them. If the fee moves, `feePpm` is that of
 * the block that was read.
 */
export type State = Concentrated &
  LiveTickTable & {
    /** Source of the fee; absent if the fee is immutable. */
    readonly fees?: FeeSource;
  };

/** Gas units through the router. */
const SWAP_GAS = 59_000;
export const TICK_GAS = 28_000;
const WORD_GAS = 8_000;
/**
 * Additions, measured on the protocols' own bytecode: Slipstream's for staked liquidity and a fee set by hand, for a module
 * that computes it, and for the average that such a module reads; Ramses' for its weekly periods.
 */
export const STAKING_GAS = 36_000;
export const PERIOD_GAS = 15_000;
const MODULE_GAS = 11_000;
const AVERAGE_GAS = 40_000;

/** Gas units of a fill. @param crossed initialised ticks crossed; @param words further bitmap words read */
export function gasOf(crossed: number, words = 0): number {
  return SWAP_GAS + TICK_GAS * crossed + WORD_GAS * words;
}

/** Gas units that a pool whose fee its factory states adds to each crossing. */
export function feeGasOf({ fees }: State): number {
  if (fees === undefined) return 0;
  if (fees.moving === undefined) return fees.swapGas;
  return fees.swapGas + MODULE_GAS + (readsAverage(fees.moving, fees.moving.ring) ? AVERAGE_GAS : 0);
}

/** Whether the fee of a block at Unix time `time` depends on observations that are not known. */
export function lacksObservations({ fees, tick }: State, time: number): boolean {
  return fees?.moving !== undefined && !isMeasured(fees.moving, tick, time);
}

/** The pool with the fee of a block at Unix time `time`; undefined if that fee is not known. */
export function pricedAt(state: State, time: number): State | undefined {
  const moving = state.fees?.moving;
  if (moving === undefined) return state;
  const feePpm = movingFeePpm(moving, state.tick, time);
  return feePpm === undefined ? undefined : { ...state, feePpm };
}

/**
 * Sells to or buys from the pool without a price limit.
 *
 * @returns undefined if the pool would revert, pay nothing, or not take or deliver all. A swap that stops early at
 *   the last price is refused, since the router would revert. So is one whose fee is not known.
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n) return undefined;
  const pool = pricedAt(state, at.timestamp);
  if (pool === undefined) return undefined;
  const zeroForOne = i === 0;
  const limit = zeroForOne ? LIMIT_DOWN : LIMIT_UP;
  const done = swap(pool, zeroForOne, side === "in" ? amount : -amount, limit);
  if (done === undefined || done.unfilled !== 0n || done.amountIn <= 0n || done.amountOut <= 0n)
    return undefined;
  return {
    amountIn: done.amountIn,
    amountOut: done.amountOut,
    gas: gasOf(done.crossed, done.words) + feeGasOf(state),
    next: afterSwap(state, done, at),
  };
}

/** The state after the pool's Swap event. */
function afterSwap(state: State, done: ConcentratedSwap, at: At): State {
  const next = { ...state, sqrtPriceX96: done.sqrtPriceX96, tick: done.tick, liquidity: done.liquidity };
  return withObservation(state, next, at) as State;
}

/**
 * The state after a log, with the observation that the pool wrote before it: where the tick or the liquidity in range changed.
 *
 * @param before the state before the log
 * @param after the state after it but for the observation; "reload" is returned as it is
 * @source velodrome-finance/slipstream contracts/core/CLPool.sol swap, _modifyPosition
 */
export function withObservation(before: State, after: State | "reload", at: At): State | "reload" {
  const moving = before.fees?.moving;
  if (moving === undefined || after === "reload" || before.fees === undefined) return after;
  if (after.tick === before.tick && after.liquidity === before.liquidity) return after;
  return { ...after, fees: { ...before.fees, moving: observed(moving, before.tick, at.timestamp) } };
}

/** The state after the pool has announced the number of slots that its ring of observations is to have. */
export function withSlots(state: State, cardinalityNext: number): State {
  const { fees } = state;
  if (fees?.moving === undefined) return state;
  return { ...state, fees: { ...fees, moving: enlarged(fees.moving, cardinalityNext) } };
}
