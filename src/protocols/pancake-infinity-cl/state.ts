import type { Order, Trade } from "../shared/own-state.ts";
import { type GasFigures, type ManagedPool, managedTrade } from "../shared/pool-managers/pool-manager.ts";

/** A pool of the manager. `dynamic` is false in all: the manager emits a log of each change of a fee that a hook sets. */
export type State = ManagedPool;

/** Gas units through the router. */
export const GAS: GasFigures = { swap: 82_000, tick: 20_000, word: 6_500 };

/**
 * Sells to or buys from the pool without a price limit; undefined as `managedTrade`.
 *
 * @source pancakeswap/infinity-core src/pool-cl/libraries/CLPool.sol swap, SwapMath.sol computeSwapStep
 */
export function trade(state: State, order: Order): Trade<State> | undefined {
  return managedTrade(GAS, state, order);
}
