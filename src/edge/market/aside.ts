import type { PoolId } from "../../core/types.ts";

/** Pools set aside for a while. Nobody is forgotten: each comes back, later every time that it misbehaves. */
export type Aside = {
  put(pool: PoolId, blockNumber: number): void;
  has(pool: PoolId): boolean;
  /** Pools whose time is over at this block: to be read afresh, then released. */
  due(blockNumber: number): PoolId[];
  release(pool: PoolId): void;
  size(): number;
};

const FIRST_BLOCKS = 32;
const LONGEST_BLOCKS = 2048;

export function createAside(): Aside {
  /** The block at which each comes back. */
  const entries = new Map<PoolId, number>();
  const times = new Map<PoolId, number>();
  return {
    put(pool, blockNumber) {
      if (entries.has(pool)) return;
      const before = times.get(pool) ?? 0;
      const blocks = Math.min(LONGEST_BLOCKS, FIRST_BLOCKS * 2 ** Math.min(before, 10));
      entries.set(pool, blockNumber + blocks);
      times.set(pool, before + 1);
    },
    has: (pool) => entries.has(pool),
    due: (blockNumber) => [...entries].filter(([, until]) => until <= blockNumber).map(([pool]) => pool),
    release: (pool) => void entries.delete(pool),
    size: () => entries.size,
  };
}
