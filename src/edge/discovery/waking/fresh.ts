import type { Pool, PoolId } from "../../../core/types.ts";
import type { DiscoveryContext } from "../types.ts";

/** Pools that wait until their depth is asked for: new ones, and sleeping ones that were traded. */
export type Fresh = {
  add(pool: Pool): void;
  touched(pools: Iterable<PoolId>): void;
  /** Takes those that wait. */
  take(): Pool[];
};

const MOST_FRESH = 10_000;
/** A sleeping pool that is traded all the time is asked about once in so many turns. */
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
