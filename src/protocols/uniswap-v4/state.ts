import type { Order, Trade } from "../shared/own-state.ts";
import type { GasFigures } from "../shared/pool-managers/pool-manager.ts";
import { type HookedPool, hookedTrade } from "./hooks/rule.ts";

/** A pool of the manager. */
export type State = HookedPool;

/** Gas units through the router, without a hook. */
export const GAS: GasFigures = { swap: 61_000, tick: 20_000, word: 6_500 };

/** Sells to or buys from the pool without a price limit; undefined as `hookedTrade`. */
export function trade(state: State, order: Order): Trade<State> | undefined {
  return hookedTrade(GAS, state, order);
}
