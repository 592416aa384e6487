import type { PoolId } from "../../core/types.ts";

type Entry = { readonly reason: string; readonly until: number; readonly times: number };

/** Pools set aside for a while. Nobody is forgotten: each comes back, later every time that it misbehaves. */
export type Aside = {
  put(pool: PoolId, reason: string, blockNumber: number): void;
  has(pool: PoolId): boolean;
  /** Pools whose time is over at this block: to be read afresh, then released. */
  due(blockNumber: number): PoolId[];
  release(pool: PoolId): void;
  size(): number;
  /** How many pools were ever set aside, by reason. */
  counted(): Readonly<Record<string, number>>;
};

const FIRST_BLOCKS = 32;
const LONGEST_BLOCKS = 2048;

export function createAside(): Aside {
  const entries = new Map<PoolId, Entry>();
  const times = new Map<PoolId, number>();
  const counts: Record<string, number> = {};
  return {
    put(pool, reason, blockNumber) {
      if (entries.has(pool)) return;
      const before = times.get(pool) ?? 0;
      const blocks = Math.min(LONGEST_BLOCKS, FIRST_BLOCKS * 2 ** Math.min(before, 10));
      entries.set(pool, { reason, until: blockNumber + blocks, times: before + 1 });
      times.set(pool, before + 1);
      counts[reason] = (counts[reason] ?? 0) + 1;
    },
    has: (pool) => entries.has(pool),
    due: (blockNumber) => [...entries].filter(([, { until }]) => until <= blockNumber).map(([pool]) => pool),
    release: (pool) => void entries.delete(pool),
    size: () => entries.size,
    counted: () => counts,
  };
}
