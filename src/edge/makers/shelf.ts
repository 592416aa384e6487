import type { Inventory } from "../../core/rfq.ts";
import type { Address, PoolId, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import type { Prices } from "./door.ts";

/** The pools and states that one maker has in the market. */
export type Shelf = {
  readonly pools: () => readonly PoolId[];
  readonly tokens: () => ReadonlySet<Address>;
  /** How much of a token all pairs together can pay, smallest units; undefined where no levels are in the market. */
  stockOf(token: Address): bigint | undefined;
  /**
   * Replaces the maker's prices in one commit.
   *
   * @param asOfMs monotonic time of the prices, milliseconds
   * @returns false where the market has no block yet; nothing changes then
   */
  put(prices: Prices, asOfMs: number): boolean;
  /** Removes the maker's pools and states from the market. */
  clear(): void;
  /** Milliseconds since the `asOfMs` of the last successful `put`; infinite before the first. */
  ageMs(): number;
};

const NOTHING: Prices = { pools: [], states: new Map() };

/** @param inventory id of the state that holds the maker's inventory */
export function createShelf(
  market: Pick<Market, "amend" | "book">,
  inventory: StateId,
  monotonicMs: () => number,
): Shelf {
  let held = NOTHING;
  let tokens: ReadonlySet<Address> = new Set();
  let asOf = Number.NEGATIVE_INFINITY;
  const replace = (next: Prices): boolean => {
    const gone = [...held.states.keys()].filter((id) => !next.states.has(id));
    const slots = new Map<StateId, Slot | undefined>(gone.map((id) => [id, undefined]));
    for (const [id, state] of next.states) slots.set(id, { state });
    const kept = new Set(next.pools.map(({ id }) => id));
    const removed = held.pools.map(({ id }) => id).filter((id) => !kept.has(id));
    // A market that was reset has lost the pools, so those that it lacks are added again.
    const added = next.pools.filter(({ id }) => !market.book.pools.has(id));
    if (!market.amend({ slots, removed, added })) return false;
    held = next;
    tokens = new Set(next.pools.flatMap((pool) => pool.tokens));
    return true;
  };
  return {
    pools: () => held.pools.map(({ id }) => id),
    tokens: () => tokens,
    stockOf(token) {
      const stock = held.states.get(inventory) as Inventory | undefined;
      return stock && (stock[token] ?? 0n);
    },
    put(prices, asOfMs) {
      const isThere = replace(prices);
      if (isThere) asOf = asOfMs;
      return isThere;
    },
    clear() {
      if (held.pools.length > 0) replace(NOTHING);
    },
    ageMs: () => monotonicMs() - asOf,
  };
}
