import type { Address, Pool, PoolId } from "../../core/types.ts";

/** Every pool that was found, in the market or not. */
export type Known = {
  /** @returns whether the pool was unknown */
  add(pool: Pool): boolean;
  get(id: PoolId): Pool | undefined;
  /** Pools of a token, in the order in which they were found. */
  ofToken(token: Address): readonly PoolId[];
  all(): Iterable<Pool>;
  size(): number;
  tokens(): number;
};

const NONE: readonly PoolId[] = [];

export function createKnown(): Known {
  const pools = new Map<PoolId, Pool>();
  const byToken = new Map<Address, PoolId[]>();
  return {
    add(pool) {
      if (pools.has(pool.id)) return false;
      pools.set(pool.id, pool);
      for (const token of pool.tokens) {
        const list = byToken.get(token);
        if (list === undefined) byToken.set(token, [pool.id]);
        else list.push(pool.id);
      }
      return true;
    },
    get: (id) => pools.get(id),
    ofToken: (token) => byToken.get(token) ?? NONE,
    all: () => pools.values(),
    size: () => pools.size,
    tokens: () => byToken.size,
  };
}
