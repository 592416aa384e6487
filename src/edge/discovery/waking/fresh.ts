import type { Pool, PoolId } from "../../../core/types.ts";
import type { DiscoveryContext } from "../types.ts";

/** Pools that wait for a check of their depth: new ones, and pools outside the market that were traded. */
export type Fresh = {
  add(pool: Pool): void;
  touched(pools: Iterable<PoolId>): void;
  /** Returns the waiting pools and empties the list. */
  take(): Pool[];
};

/** Most pools that wait; further ones are dropped. */
const MOST_FRESH = 10_000;
/** After a check, a traded pool is not added again during this many calls of `take`. */
const TURNS = 10;

export function createFresh({ known, awake }: DiscoveryContext): Fresh {
  const waiting = new Map<PoolId, Pool>();
  let asked: Set<PoolId>[] = [];
  const isAsked = (id: PoolId) => asked.some((turn) => turn.has(id));
  const add = (pool: Pool) => {
    if (waiting.size < MOST_FRESH) waiting.set(pool.id, pool);
  };
  return {
    add,
    touched(ids) {
      for (const id of ids) {
        const pool = known.get(id);
        if (pool !== undefined && awake.get(id) !== "deep" && !isAsked(id)) add(pool);
      }
    },
    take() {
      const pools = [...waiting.values()];
      asked = [new Set(waiting.keys()), ...asked].slice(0, TURNS);
      waiting.clear();
      return pools;
    },
  };
}
