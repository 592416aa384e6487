import type { PoolId } from "../../core/types.ts";

/** Pools that are quarantined for a number of blocks, which doubles each time that a pool is quarantined again. */
export type Aside = {
  /** Quarantines a pool from this block on; no effect where it is quarantined already. */
  put(pool: PoolId, blockNumber: number, reason: string): void;
  has(pool: PoolId): boolean;
  /** Pools whose quarantine ends at this block or before: their states are to be read again before their release. */
  due(blockNumber: number): PoolId[];
  release(pool: PoolId): void;
  size(): number;
  /** Every quarantined pool, with the reason and the number of the block at which its quarantine ends. */
  entries(): Iterable<readonly [PoolId, Absence]>;
};

export type Absence = { readonly until: number; readonly reason: string };

/** Length of a pool's first quarantine and of the longest one, in blocks. */
const FIRST_BLOCKS = 32;
const LONGEST_BLOCKS = 2048;

export function createAside(): Aside {
  const entries = new Map<PoolId, Absence>();
  const times = new Map<PoolId, number>();
  return {
    put(pool, blockNumber, reason) {
      if (entries.has(pool)) return;
      const before = times.get(pool) ?? 0;
      const blocks = Math.min(LONGEST_BLOCKS, FIRST_BLOCKS * 2 ** Math.min(before, 10));
      entries.set(pool, { until: blockNumber + blocks, reason });
      times.set(pool, before + 1);
    },
    has: (pool) => entries.has(pool),
    due: (blockNumber) => [...entries].filter(([, { until }]) => until <= blockNumber).map(([pool]) => pool),
    release: (pool) => void entries.delete(pool),
    size: () => entries.size,
    entries: () => entries,
  };
}
