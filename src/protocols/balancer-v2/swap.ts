import type { VaultDesign } from "../shared/balancer-vault.ts";
import { stableGas, swapStable } from "./stable.ts";
import type { State } from "./state.ts";
import { swapWeighted, WEIGHTED_GAS } from "./weighted.ts";

/** Swap formulas of both kinds of pools. */
export const design: VaultDesign<State> = {
  swap: (state, order) => (state.kind === "weighted" ? swapWeighted(state, order) : swapStable(state, order)),
  // A swap makes fees due, which are part of the supply that prices shares; the supply is then unknown.
  after: (state, balances) =>
    state.kind === "weighted" ? { ...state, balances } : { ...state, balances, supply: 0n },
  gas: (state, { i, j }) =>
    state.kind === "weighted"
      ? WEIGHTED_GAS
      : stableGas({ tokens: state.tokens.length, shareIndex: state.shareIndex }, i, j),
};
