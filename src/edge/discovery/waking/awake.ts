import type { PoolId } from "../../../core/types.ts";

/** Why a pool is in the market: for what it holds, or because somebody asked for its tokens. */
export type Why = "deep" | "asked";

/** The pools that the discovery brought into the market, in the order in which they came. */
export type Awake = {
  /** Pools are in the market. One that is deep stays so, whoever asks for it. */
  keep(pools: Iterable<PoolId>, why: Why): void;
  /** Pools are on their way out of the market. */
  forget(pools: Iterable<PoolId>): void;
  get(pool: PoolId): Why | undefined;
  all(): IterableIterator<readonly [PoolId, Why]>;
  /** How many are there for this reason. */
  count(why: Why): number;
};

/** @param onChange told of each pool that came, went, or is there for another reason now */
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
