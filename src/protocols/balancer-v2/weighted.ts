import { inGivenOut, outGivenIn, type WeightedPair } from "../../core/math/balancer/weighted-math.ts";
import { divideUp, divUp, mulUp, ONE } from "../../core/math/fixed-point.ts";
import type { Order } from "../shared/own-state.ts";
import type { WeightedState } from "./state.ts";

/**
 * Gas units of one crossing through the router, before the refund for its allowance, since a gas limit must hold
 * without it.
 */
export const WEIGHTED_GAS = 120_000;

/**
 * The pool's answer to the vault. The fee is taken from the input before scaling, or added to it after scaling.
 *
 * @returns the amount not given, ≥ 0; undefined if the contract would revert
 * @source balancer/balancer-v2-monorepo pkg/pool-utils/contracts/BaseMinimalSwapInfoPool.sol onSwap (316ded0)
 */
export function swapWeighted(state: WeightedState, { i, j, amount, side }: Order): bigint | undefined {
  const { balances, scaling, weights, shortcuts, swapFee } = state;
  const scaleIn = scaling[i]!;
  const scaleOut = scaling[j]!;
  const pair: WeightedPair = {
    balanceIn: balances[i]! * scaleIn,
    weightIn: weights[i]!,
    balanceOut: balances[j]! * scaleOut,
    weightOut: weights[j]!,
    shortcuts,
  };
  if (side === "in") {
    const out = outGivenIn(pair, (amount - mulUp(amount, swapFee)) * scaleIn);
    return out === undefined ? undefined : out / scaleOut;
  }
  const cost = inGivenOut(pair, amount * scaleOut);
  return cost === undefined ? undefined : divUp(divideUp(cost, scaleIn), ONE - swapFee);
}
