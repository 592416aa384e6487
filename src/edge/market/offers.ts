import type { MarketChange } from "../../core/routing/types.ts";
import type { Pool, PoolId, StateId } from "../../core/types.ts";
import { type Book, type Change, stateOf } from "./book.ts";

/** Keeps what the engine has been given equal to what may be priced. */
type Offers = {
  withdraw(ids: Iterable<PoolId>): MarketChange;
  /** To be called once the change is in the book. */
  update(change: Change, released: readonly PoolId[]): MarketChange;
};

export function createOffers(book: Book, allowed: (id: PoolId) => boolean): Offers {
  const offered = new Set<PoolId>();
  const isLive = (pool: Pool | undefined): pool is Pool =>
    pool !== undefined &&
    allowed(pool.id) &&
    pool.stateIds.every((id) => stateOf(book.slot(id)) !== undefined);
  return {
    withdraw: (ids) => ({ pools: [], removed: [...ids].filter((id) => offered.delete(id)) }),
    update(change, released) {
      const ids = concerned(book, change, released);
      if (change.reset) for (const id of offered) ids.add(id);
      const pools = [...ids].map((id) => book.pools.get(id)).filter(isLive);
      const live = new Set(pools.map(({ id }) => id));
      const removed = [...ids].filter((id) => !live.has(id) && offered.delete(id));
      for (const id of live) offered.add(id);
      return { pools, removed };
    },
  };
}

/** Pools that a change may have made priceable, or no longer so. */
function concerned(book: Book, change: Change, released: readonly PoolId[]): Set<PoolId> {
  const readers = (id: StateId) => [...book.readersOf(id)];
  return new Set([
    ...released,
    ...change.removed,
    ...change.added.map(({ id }) => id),
    ...[...change.slots.keys()].flatMap(readers),
  ]);
}
