import type { Pool, PoolId } from "../../../core/types.ts";
import type { DiscoveryContext } from "../types.ts";

/** Pools that wait for a check of their depth: new ones, and pools outside the market that were traded. */
export type Fresh = {
  add(pool: Pool): void;
  touched(pools: Iterable<PoolId>): void;
  /** Returns the waiting pools and empties the lists. */
  take(): Pool[];
};

/**
 * Most pools of either kind that wait; further ones are dropped. New pools have a list of their own: anybody can emit logs
 * that name ten thousand old ones, and a new pool that is dropped is found again only once it is traded.
 */
const MOST_FRESH = 10_000;
/** After a check, a traded pool is not added again during this many calls of `take`. */
const TURNS = 10;

export function createFresh({ known, awake }: Pick<DiscoveryContext, "known" | "awake">): Fresh {
  const found = new Map<PoolId, Pool>();
  const traded = new Map<PoolId, Pool>();
  let asked: Set<PoolId>[] = [];
  const isAsked = (id: PoolId) => asked.some((turn) => turn.has(id));
  const add = (list: Map<PoolId, Pool>, pool: Pool) => {
    if (list.size < MOST_FRESH) list.set(pool.id, pool);
  };
  return {
    add: (pool) => add(found, pool),
    touched(ids) {
      for (const id of ids) {
        const pool = known.get(id);
        if (pool !== undefined && awake.get(id) !== "deep" && !isAsked(id)) add(traded, pool);
      }
    },
    take() {
      const pools = new Map([...found, ...traded]);
      asked = [new Set(pools.keys()), ...asked].slice(0, TURNS);
      found.clear();
      traded.clear();
      return [...pools.values()];
    },
  };
}
