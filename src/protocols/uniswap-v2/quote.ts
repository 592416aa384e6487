import { amountIn, amountOut } from "../../core/math/pairs/constant-product.ts";
import type { Order, Trade } from "../shared/own-state.ts";

/** State of a pair, as its contract stores it. */
export type State = {
  /** Smallest units of token 0 and token 1, each a uint112. */
  readonly reserves: readonly [bigint, bigint];
  /** Fee on the input in parts per million (3000 = 0.3 %); for token 0 only, if token 1 has its own fee. */
  readonly feePpm: number;
  /** Fee on token 1; absent if both fees are equal. Camelot sets them separately. */
  readonly feeOneToZeroPpm?: number;
  /** Unix second at which the fee was read; absent where it is a constant of the deployment or events announce it. */
  readonly feeReadAt?: number;
};

/** The fee on a sale of token `i`. */
export function feeOn(state: State, i: number): number {
  return i === 1 && state.feeOneToZeroPpm !== undefined ? state.feeOneToZeroPpm : state.feePpm;
}

/** Gas units of one crossing through the router. */
export const GAS = 54_000;

/** Largest reserve that a pair can store. */
export const MAX_RESERVE = 2n ** 112n - 1n;

/**
 * Sells to or buys from the pair.
 *
 * Zeros are tested by truthiness: `=== 0n` leaves compiled code, and three such tests cost a fifth of a quote.
 *
 * @returns undefined if the pair would revert: no input, no output, an output above the reserve, a reserve above
 *   uint112
 */
export function trade(state: State, { i, j, amount, side }: Order): Trade<State> | undefined {
  const reserveIn = state.reserves[i]!;
  const reserveOut = state.reserves[j]!;
  if (!reserveIn || !reserveOut || amount <= 0n) return undefined;
  const feePpm = feeOn(state, i);
  if (side === "in") return filled(state, i, amount, amountOut(amount, reserveIn, reserveOut, feePpm));
  return amount < reserveOut
    ? filled(state, i, amountIn(amount, reserveIn, reserveOut, feePpm), amount)
    : undefined;
}

function filled(state: State, i: number, sold: bigint, bought: bigint): Trade<State> | undefined {
  return !bought || state.reserves[i]! + sold > MAX_RESERVE ? undefined : new Swap(state, i, sold, bought);
}

/** A swap; the next state is computed lazily. */
class Swap implements Trade<State> {
  readonly before: State;
  readonly i: number;
  readonly amountIn: bigint;
  readonly amountOut: bigint;

  constructor(before: State, i: number, amountIn: bigint, amountOut: bigint) {
    this.before = before;
    this.i = i;
    this.amountIn = amountIn;
    this.amountOut = amountOut;
  }

  get gas(): number {
    return GAS;
  }

  get next(): State {
    const { before, i, amountIn, amountOut } = this;
    const raised = before.reserves[i]! + amountIn;
    const fallen = before.reserves[1 - i]! - amountOut;
    return withReserves(before, i === 0 ? [raised, fallen] : [fallen, raised]);
  }
}

/** Copies properties by name, since a spread costs as much as a multiplication. */
export function withReserves(state: State, reserves: State["reserves"]): State {
  const { feePpm, feeOneToZeroPpm, feeReadAt } = state;
  if (feeReadAt !== undefined) return { reserves, feePpm, feeReadAt };
  return feeOneToZeroPpm === undefined ? { reserves, feePpm } : { reserves, feePpm, feeOneToZeroPpm };
}
