import type { PoolId } from "../../../core/types.ts";

/** Why a pool is in the market: for its depth, or because a caller asked for its tokens. */
export type Why = "deep" | "asked";

/** The pools that the discovery brought into the market, in order of arrival. */
export type Awake = {
  /** Records pools as in the market. The reason "deep" is not replaced by "asked". */
  keep(pools: Iterable<PoolId>, why: Why): void;
  /** Removes pools that are leaving the market. */
  forget(pools: Iterable<PoolId>): void;
  get(pool: PoolId): Why | undefined;
  all(): IterableIterator<readonly [PoolId, Why]>;
  /** Number of pools with this reason. */
  count(why: Why): number;
};

/** @param onChange called for each pool that was added, removed (`why` is undefined), or has another reason now */
export function createAwake(onChange: (pool: PoolId, why: Why | undefined) => void): Awake {
  const pools = new Map<PoolId, Why>();
  const counts = { deep: 0, asked: 0 };
  const put = (id: PoolId, why: Why | undefined) => {
    const before = pools.get(id);
    if (before === why || (before === "deep" && why === "asked")) return;
    if (before !== undefined) counts[before]--;
    if (why === undefined) pools.delete(id);
    else {
      pools.set(id, why);
      counts[why]++;
    }
    onChange(id, why);
  };
  return {
    keep(ids, why) {
      for (const id of ids) put(id, why);
    },
    forget(ids) {
      for (const id of ids) put(id, undefined);
    },
    get: (id) => pools.get(id),
    all: () => pools.entries(),
    count: (why) => counts[why],
  };
}
