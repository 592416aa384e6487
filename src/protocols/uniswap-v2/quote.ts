import { amountIn, amountOut } from "../../core/math/pairs/constant-product.ts";
import type { Order, Trade } from "../own-state.ts";

/** A pair as its contract stores it. */
export type State = {
  /** Smallest units of token 0 and token 1, each a uint112. */
  readonly reserves: readonly [bigint, bigint];
  /** Fee on the input in parts per million: 3000 is 0.3 %; on token 0 alone, where token 1 has a fee of its own. */
  readonly feePpm: number;
  /** Fee on token 1; absent where both are the same (Camelot sets one each). */
  readonly feeOneToZeroPpm?: number;
};

/** The fee on a sale of token `i`. */
export function feeOn(state: State, i: number): number {
  return i === 1 && state.feeOneToZeroPpm !== undefined ? state.feeOneToZeroPpm : state.feePpm;
}

/** Gas units of one crossing through the router; the only figure of this folder. */
export const GAS = 54_000;

/** The pair refuses to store more of a token. */
export const MAX_RESERVE = 2n ** 112n - 1n;

/**
 * Sells to or buys from the pair.
 *
 * Zeros are told by their truth: `=== 0n` is a call out of compiled code, and three of them cost a fifth of a quote.
 *
 * @returns undefined when the pair would revert: nothing in, nothing out, more out than it has, a reserve over uint112
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

/** A swap that the pair makes. */
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

/** Written out, because a spread costs as much as a product. */
export function withReserves(state: State, reserves: State["reserves"]): State {
  const { feePpm, feeOneToZeroPpm } = state;
  return feeOneToZeroPpm === undefined ? { reserves, feePpm } : { reserves, feePpm, feeOneToZeroPpm };
}
