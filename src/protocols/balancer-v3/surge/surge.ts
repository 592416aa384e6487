import { complement, divDown, mulDown } from "../../../core/math/fixed-point.ts";
import { type Inner, onSwap, type Solved } from "../shapes.ts";
import type { State } from "../state.ts";

/**
 * The fee of a swap: the pool's fee, or more if the swap increases the imbalance and leaves it above a threshold.
 *
 * @param swap before the fee
 * @returns 18 decimals; undefined if the contract would revert
 * @source balancer/balancer-v3-monorepo pkg/pool-hooks/contracts/SurgeHookCommon.sol, StableSurgeHook.sol (0a5890a)
 */
export function feeOf(state: State, solved: Solved, swap: Inner): bigint | undefined {
  const { surge, swapFee } = state;
  if (surge === null || surge.maxFee < swapFee) return swapFee;
  const answer = onSwap(solved, swap);
  if (answer === undefined) return undefined;
  const [sold, bought] = swap.side === "in" ? [swap.amount, answer] : [answer, swap.amount];
  const after = solved.live.slice();
  after[swap.i] = after[swap.i]! + sold;
  after[swap.j] = after[swap.j]! - bought;
  if (after[swap.j]! < 0n) return undefined;
  const imbalance = imbalanceOf(after);
  if (imbalance <= surge.threshold || imbalance <= imbalanceOf(solved.live)) return swapFee;
  const beyond = divDown(imbalance - surge.threshold, complement(surge.threshold));
  return swapFee + mulDown(surge.maxFee - swapFee, beyond);
}

/**
 * The sum of distances from the median over the sum of balances. @source StableSurgeMedianMath.sol calculateImbalance
 */
export function imbalanceOf(balances: readonly bigint[]): bigint {
  const { distance, sum } = spreadOf(balances);
  return sum === 0n ? 0n : divDown(distance, sum);
}

/** The sum of distances from the median, and the sum of balances. */
export function spreadOf(balances: readonly bigint[]): { readonly distance: bigint; readonly sum: bigint } {
  const sorted = balances.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 0 ? (sorted[middle - 1]! + sorted[middle]!) / 2n : sorted[middle]!;
  let sum = 0n;
  let distance = 0n;
  for (const balance of sorted) {
    sum += balance;
    distance += balance > median ? balance - median : median - balance;
  }
  return { distance, sum };
}
