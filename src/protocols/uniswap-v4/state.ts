import {
  type Concentrated,
  type ConcentratedSwap,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../core/math/concentrated/tick-table.ts";
import type { Address } from "../../core/types.ts";
import type { Order, Trade } from "../own-state.ts";

/** A pool with its ticks. The arrays are immutable. `feePpm` is the liquidity providers' fee. */
export type State = Concentrated &
  LiveTickTable & {
    readonly manager: Address;
    /** Protocol fees in parts per million for sales of token 0 and of token 1; they are taken first. */
    readonly protocolFees: readonly [number, number];
    /** Whether the hook may change the fee at any time without a log. */
    readonly dynamic: boolean;
    /** Block of the state read. */
    readonly readAt: number;
  };

/** Gas units through the router. */
const SWAP_GAS = 61_000;
const TICK_GAS = 20_000;
const WORD_GAS = 6_500;

/** Gas units of a fill. @param crossed initialised ticks crossed; @param words further bitmap words read */
export function gasOf(crossed: number, words = 0): number {
  return SWAP_GAS + TICK_GAS * crossed + WORD_GAS * words;
}

/** The manager accounts for balances as int128. */
const MAX_AMOUNT = 2n ** 127n - 1n;
const PPM = 1_000_000;

/**
 * The combined fee of a direction: the protocol's, then the liquidity providers' on the remainder.
 *
 * @returns parts per million; 10^6 takes everything
 * @source Uniswap/v4-core src/libraries/ProtocolFeeLibrary.sol calculateSwapFee
 */
export function swapFee(protocolPpm: number, providersPpm: number): number {
  return protocolPpm + providersPpm - Math.floor((protocolPpm * providersPpm) / PPM);
}

/** The pool with the combined fee of one direction. */
export function withFee(state: State, zeroForOne: boolean): Concentrated {
  const feePpm = swapFee(state.protocolFees[zeroForOne ? 0 : 1], state.feePpm);
  return feePpm === state.feePpm ? state : { ...state, feePpm };
}

/**
 * Sells to or buys from the pool without a price limit.
 *
 * @returns undefined if the manager would revert, pay nothing, or not take or deliver all
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const zeroForOne = i === 0;
  const pool = withFee(state, zeroForOne);
  if (pool.feePpm >= PPM) return undefined;
  const limit = zeroForOne ? LIMIT_DOWN : LIMIT_UP;
  const done = swap(pool, zeroForOne, side === "in" ? amount : -amount, limit);
  if (done === undefined || !isWholeFill(done)) return undefined;
  const { amountIn, amountOut, sqrtPriceX96, tick, liquidity, crossed, words } = done;
  return {
    amountIn,
    amountOut,
    gas: gasOf(crossed, words),
    next: { ...state, sqrtPriceX96, tick, liquidity },
  };
}

function isWholeFill({ unfilled, amountIn, amountOut }: ConcentratedSwap): boolean {
  if (unfilled !== 0n || amountIn <= 0n || amountOut <= 0n) return false;
  return amountIn <= MAX_AMOUNT && amountOut <= MAX_AMOUNT;
}
