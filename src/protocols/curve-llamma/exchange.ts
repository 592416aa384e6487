import type { State } from "./state.ts";
import { type Swapped, swapOut } from "./swap.ts";

/** A crossing: coin 0 is the stablecoin, coin 1 the collateral; `amount` in smallest units of coin `i`, > 0. */
export type Swap = { readonly i: number; readonly amount: bigint };

/** Amounts in smallest units, and the state after. */
export type Exchanged = { readonly amountIn: bigint; readonly amountOut: bigint; readonly next: State };

/**
 * The contract's `exchange`: the input is rounded up and the output down to the coins' decimals.
 *
 * @returns undefined if the contract reverts or does nothing, or an unknown band is reached
 * @source curvefi/curve-stablecoin contracts/AMM.vy _exchange
 */
export function exchange(state: State, { i, amount }: Swap): Exchanged | undefined {
  const precisionIn = state.precisions[i]!;
  const precisionOut = state.precisions[1 - i]!;
  const swapped = swapOut(state, i === 0, amount * precisionIn);
  if (swapped === undefined) return undefined;
  const amountIn = (swapped.amountIn + precisionIn - 1n) / precisionIn;
  const amountOut = swapped.amountOut / precisionOut;
  if (amountIn === 0n || amountOut === 0n) return undefined;
  return { amountIn, amountOut, next: afterSwap(state, i === 0, swapped) };
}

function afterSwap(state: State, isPump: boolean, { from, to, sold, left }: Swapped): State {
  const first = Math.min(state.first, from, to);
  const count = Math.max(state.first + state.x.length - 1, from, to) - first + 1;
  const spread = (amounts: readonly bigint[]) =>
    Array.from({ length: count }, (_, k) => amounts[k + first - state.first] ?? 0n);
  const [sellSide, buySide] = isPump
    ? [spread(state.x), spread(state.y)]
    : [spread(state.y), spread(state.x)];
  for (const [k, amount] of sold.entries()) {
    const at = (isPump ? from + k : from - k) - first;
    sellSide[at] = amount;
    buySide[at] = at === to - first ? left : 0n;
  }
  const [x, y] = isPump ? [sellSide, buySide] : [buySide, sellSide];
  return { ...state, activeBand: to, first, x, y };
}
