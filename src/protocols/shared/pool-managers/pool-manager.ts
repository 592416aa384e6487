import {
  type Concentrated,
  type ConcentratedSwap,
  LIMIT_DOWN,
  LIMIT_UP,
  swap,
} from "../../../core/math/concentrated/concentrated-swap.ts";
import type { LiveTickTable } from "../../../core/math/concentrated/tick-table.ts";
import { type DirectionalMirror, directionalMirror } from "../../../core/math/sampling/directional-mirror.ts";
import { type Address, type Deployment, NATIVE } from "../../../core/types.ts";
import type { Order, Trade } from "../own-state.ts";

/**
 * Pools inside of a manager contract: Uniswap v4, and PancakeSwap Infinity, whose concentrated liquidity is a fork of
 * it. Both take the protocol's fee before the liquidity providers', and may call a hook.
 */

/** A concentrated-liquidity pool with its ticks. The arrays are immutable. `feePpm` is the liquidity providers' fee. */
export type ManagedPool = Concentrated &
  LiveTickTable & {
    readonly manager: Address;
    /** Protocol fees in parts per million for sales of token 0 and of token 1; they are taken first. */
    readonly protocolFees: readonly [number, number];
    /** Whether the hook may change the fee at any time without a log. */
    readonly dynamic: boolean;
    /** Block of the state read. */
    readonly readAt: number;
  };

/** Managers account for balances as int128. */
export const MAX_AMOUNT = 2n ** 127n - 1n;
const PPM = 1_000_000;

/** Fee value of a key that marks a pool whose hook sets the fee. */
export const DYNAMIC_FEE = 0x800000;

const ZERO = "0x0000000000000000000000000000000000000000";

/** A manager's currency as a token: the zero address is the native coin. */
export function tokenOf(currency: Address): Address {
  return currency === ZERO ? NATIVE : currency;
}

/**
 * Whether the deployment lists the hooks as not changing any amount; `facts.hooks` has lower-case addresses separated
 * by commas.
 */
export function isListed(hooks: Address, { facts }: Deployment): boolean {
  return typeof facts.hooks === "string" && facts.hooks.split(",").includes(hooks);
}

/** Protocol fees in ppm: twelve bits per direction, sales of token 0 in the low bits. */
export function protocolFees(packed: bigint): readonly [number, number] {
  return [Number(packed & 0xfffn), Number(packed >> 12n)];
}

/**
 * The combined fee of a direction: the protocol's, then the liquidity providers' on the remainder.
 *
 * @returns parts per million; 10^6 takes everything
 * @source Uniswap/v4-core src/libraries/ProtocolFeeLibrary.sol calculateSwapFee; pancakeswap/infinity-core
 *   src/libraries/ProtocolFeeLibrary.sol calculateSwapFee
 */
export function swapFee(protocolPpm: number, providersPpm: number): number {
  return protocolPpm + providersPpm - Math.floor((protocolPpm * providersPpm) / PPM);
}

/** The pool with the combined fee of one direction. */
function withFee(state: ManagedPool, zeroForOne: boolean): Concentrated {
  const feePpm = swapFee(state.protocolFees[zeroForOne ? 0 : 1], state.feePpm);
  return feePpm === state.feePpm ? state : { ...state, feePpm };
}

/** Gas units through the router: of a swap, of each initialised tick crossed, of each further bitmap word read. */
export type GasFigures = { readonly swap: number; readonly tick: number; readonly word: number };

/**
 * Sells to or buys from the pool without a price limit.
 *
 * @returns undefined if the manager would revert, pay nothing, or not take or deliver all
 */
export function managedTrade<S extends ManagedPool>(
  figures: GasFigures,
  state: S,
  { i, amount, side }: Order,
): Trade<S> | undefined {
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
    gas: figures.swap + figures.tick * crossed + figures.word * words,
    next: { ...state, sqrtPriceX96, tick, liquidity },
  };
}

function isWholeFill({ unfilled, amountIn, amountOut }: ConcentratedSwap): boolean {
  if (unfilled !== 0n || amountIn <= 0n || amountOut <= 0n) return false;
  return amountIn <= MAX_AMOUNT && amountOut <= MAX_AMOUNT;
}

/** The pool in doubles, one mirror per direction. */
export function managedMirror(state: ManagedPool): DirectionalMirror {
  const [fee0, fee1] = state.protocolFees;
  return directionalMirror(state, [swapFee(fee0, state.feePpm), swapFee(fee1, state.feePpm)]);
}
