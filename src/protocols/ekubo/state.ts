import { beforeFee, feeOf } from "../../core/math/ekubo/ekubo-amounts.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { type CorePool, type CoreSwap, coreSwap, MAX_INT128 } from "./swap.ts";
import { executed, type VirtualOrders } from "./twamm.ts";

/** What an extension does to a swap. An oracle, or fees that others give to the pool, change nothing: "none". */
export type Extension =
  | { readonly kind: "none" }
  /** Takes the pool's fee once more for every tick spacing that the block has moved the price by. */
  | { readonly kind: "mevCapture"; readonly tickSpacing: number; readonly tickLast: number }
  /** Takes a fee, a fraction of 2^64, from the computed amount. */
  | { readonly kind: "ve33"; readonly fee: bigint }
  /** Trades the orders that are sold over time up to now, before the swap. */
  | ({ readonly kind: "twamm" } & VirtualOrders);

/** A pool with its ticks. The arrays are immutable. */
export type State = CorePool & {
  readonly extension: Extension;
  /** Block of the state read. */
  readonly readAt: number;
};

/** Gas units through the router. */
const SWAP_GAS = 70_000;
export const TICK_GAS = 22_000;

/** Gas units of a fill. @param crossed initialised ticks crossed */
export function gasOf(crossed: number): number {
  return SWAP_GAS + TICK_GAS * crossed;
}

/**
 * A swap of the pool with its extension.
 *
 * @param amount > 0: to be sold; < 0: to be bought
 * @param timestamp of the block that executes
 */
export function swap(
  state: State,
  isToken1: boolean,
  amount: bigint,
  timestamp: number,
): CoreSwap | undefined {
  const now = upTo(state, timestamp);
  const done = now && coreSwap(now, { isToken1, amount });
  return done && extended(state, done, amount < 0n);
}

/** The state once orders over time have traded up to a block's time; undefined if the contract reverts. */
export function upTo(state: State, timestamp: number): State | undefined {
  if (state.extension.kind !== "twamm") return state;
  const done = executed(state, state.extension, timestamp);
  return done && { ...done.pool, extension: { kind: "twamm", ...done.orders } };
}

function extended({ extension, fee }: State, done: CoreSwap, exactOut: boolean): CoreSwap | undefined {
  if (extension.kind === "ve33") return withVoteFee(done, extension.fee, exactOut);
  if (extension.kind !== "mevCapture") return done;
  const { tickSpacing, tickLast } = extension;
  const moved = BigInt(Math.abs(done.tick - tickLast));
  const more = (((moved << 64n) / BigInt(tickSpacing)) * fee) >> 64n;
  return withCapture(done, { fee, more: more < 2n ** 64n ? more : 2n ** 64n - 1n }, exactOut);
}

/** @source EkuboProtocol/evm-contracts src/extensions/MEVCapture.sol handleForwardData */
function withCapture(
  done: CoreSwap,
  { fee, more }: { readonly fee: bigint; readonly more: bigint },
  exactOut: boolean,
): CoreSwap | undefined {
  if (more === 0n) return done;
  if (!exactOut) return { ...done, amountOut: done.amountOut - feeOf(done.amountOut, more) };
  const net = done.amountIn - feeOf(done.amountIn, fee);
  const gross = beforeFee(net, more);
  return gross === undefined ? undefined : { ...done, amountIn: done.amountIn + gross - net };
}

/** @source EkuboProtocol/evm-contracts src/extensions/Ve33.sol _swap */
function withVoteFee(done: CoreSwap, fee: bigint, exactOut: boolean): CoreSwap | undefined {
  if (!exactOut) return { ...done, amountOut: done.amountOut - feeOf(done.amountOut, fee) };
  const amountIn = beforeFee(done.amountIn, fee);
  return amountIn === undefined ? undefined : { ...done, amountIn };
}

/**
 * Sells to or buys from the pool without a price limit.
 *
 * @returns undefined if the core would revert, pay nothing, or not take or deliver all
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_INT128) return undefined;
  const exactOut = side === "out";
  const now = upTo(state, at.timestamp);
  const done = now && swap(now, (i === 1) !== exactOut, exactOut ? -amount : amount, at.timestamp);
  if (now === undefined || done === undefined || !isWholeFill(done)) return undefined;
  const { amountIn, amountOut, price, tick, liquidity, crossed } = done;
  return { amountIn, amountOut, gas: gasOf(crossed), next: { ...now, price, tick, liquidity } };
}

function isWholeFill({ unfilled, amountIn, amountOut }: CoreSwap): boolean {
  return unfilled === 0n && amountIn > 0n && amountOut > 0n && amountIn <= MAX_INT128;
}
