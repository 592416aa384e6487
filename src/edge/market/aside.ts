import type { PoolId } from "../../core/types.ts";

/** Pools that are quarantined for a while: each comes back, later every time that it misbehaves. */
export type Aside = {
  put(pool: PoolId, blockNumber: number, reason: string): void;
  has(pool: PoolId): boolean;
  /** Pools whose time is over at this block: to be read afresh, then released. */
  due(blockNumber: number): PoolId[];
  release(pool: PoolId): void;
  size(): number;
  /** Every pool that is away, with the reason and the block at which it comes back. */
  entries(): Iterable<readonly [PoolId, Absence]>;
};

export type Absence = { readonly until: number; readonly reason: string };

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
