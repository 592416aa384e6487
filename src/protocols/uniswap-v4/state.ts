import type { Order, Trade } from "../own-state.ts";
import { type GasFigures, type ManagedPool, managedTrade } from "../pool-manager.ts";

/** A pool of the manager. */
export type State = ManagedPool;

/** Gas units through the router. */
export const GAS: GasFigures = { swap: 61_000, tick: 20_000, word: 6_500 };

/** Sells to or buys from the pool without a price limit; undefined as `managedTrade`. */
export function trade(state: State, order: Order): Trade<State> | undefined {
  return managedTrade(GAS, state, order);
}
