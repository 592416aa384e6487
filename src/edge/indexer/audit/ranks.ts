import type { Registry } from "../../../core/protocol.ts";
import type { Pool, PoolId } from "../../../core/types.ts";
import { stateOf } from "../../market/book.ts";
import type { Market } from "../../market/market.ts";

/**
 * Pools by depth: wei of the native coin that can be sold before the price falls by a hundredth, by the pool's own state.
 * Kept in small steps, so that no block pays for all pools.
 */
export type Ranks = {
  /** Works out the depth of some more pools. */
  step(count: number): void;
  /** The deepest pools that are in the market; where too few depths are known, some whose depth is not. */
  deepest(count: number): Pool[];
  /** The same pools, the deepest first; those whose depth is not known yet come last. */
  sorted(pools: readonly Pool[]): Pool[];
};

type RanksRequest = { readonly market: Market; readonly registry: Registry };

export function createRanks({ market, registry }: RanksRequest): Ranks {
  const depths = new Map<PoolId, number>();
  let turn: Iterator<Pool, undefined> | undefined;
  const depthOf = ({ id }: Pool) => depths.get(id) ?? -1;
  const sorted = (pools: readonly Pool[]) => [...pools].sort((a, b) => depthOf(b) - depthOf(a));
  const rank = (pool: Pool) => {
    const depth = depthBy(registry, market, pool);
    if (depth === undefined) depths.delete(pool.id);
    else depths.set(pool.id, depth);
  };
  market.onChange(({ removed, reset }) => {
    if (reset) depths.clear();
    for (const id of removed) if (!market.book.pools.has(id)) depths.delete(id);
  });
  return {
    step(count) {
      turn ??= market.book.pools.values();
      for (let k = 0; k < count; k++) {
        const { value: pool, done } = turn.next();
        if (done !== true) rank(pool);
        else {
          turn = undefined;
          return;
        }
      }
    },
    deepest: (count) => sorted(deepestOf(market.book.pools, depths, count)).slice(0, count),
    sorted,
  };
}

/** Pools among which the deepest are, and where too few depths are known some others. */
function deepestOf(
  pools: ReadonlyMap<PoolId, Pool>,
  depths: ReadonlyMap<PoolId, number>,
  count: number,
): Pool[] {
  const least = nthLargest(depths.values(), count);
  const deep: Pool[] = [];
  for (const [id, depth] of depths) if (depth >= least) deep.push(pools.get(id) as Pool);
  for (const pool of pools.values()) {
    if (deep.length >= count) break;
    if (!depths.has(pool.id)) deep.push(pool);
  }
  return deep;
}

/** The n-th largest of some numbers, the smallest where there are fewer. */
function nthLargest(numbers: Iterable<number>, n: number): number {
  const ordered = Float64Array.from(numbers).sort();
  return ordered.at(-Math.min(n, ordered.length)) ?? 0;
}

/** Sold to see how far the price falls, in wei of the native coin. */
const TRIAL_WEI = 1e18;
/** So much less is sold to see the price itself. */
const LITTLE = 1e-4;
const FALL = 0.01;

/** @returns undefined where no token of the pool has a price, or the pool none */
function depthBy(registry: Registry, market: Market, pool: Pool): number | undefined {
  const protocol = registry.get(pool.protocol);
  const state = stateOf(market.book.slot(pool.stateIds[0]));
  const i = pool.tokens.findIndex((token) => market.port.nativePer(token) !== undefined);
  if (protocol === undefined || state === undefined || i < 0 || pool.tokens.length < 2) return undefined;
  const trial = TRIAL_WEI / (market.port.nativePer(pool.tokens[i]!) as number);
  const j = i === 0 ? 1 : 0;
  try {
    const mirror = protocol.mirror(state, pool, market.port.at(), market.book.view());
    const rate = (x: number) => protocol.quoteFloat(mirror, i, j, x) / x;
    const [price, paid] = [rate(trial * LITTLE), rate(trial)];
    if (!(price > 0)) return undefined;
    if (!(paid > 0)) return TRIAL_WEI * LITTLE;
    return (TRIAL_WEI * FALL) / Math.max(1 - paid / price, 1e-9);
  } catch {
    return undefined;
  }
}
