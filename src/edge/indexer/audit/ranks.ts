import type { Registry } from "../../../core/protocol.ts";
import type { Pool, PoolId } from "../../../core/types.ts";
import { stateOf } from "../../market/book.ts";
import type { Market } from "../../market/market.ts";

/**
 * Ranks pools by depth: the value, in wei of the native coin, that can be sold before the price falls by a hundredth,
 * by the pool's own state. Depths are updated in small steps, so that no block has to compute all of them.
 */
export type Ranks = {
  /** Computes the depth of the next `count` pools. */
  step(count: number): void;
  /**
   * The deepest pools in the market, the deepest first; where too few depths are known, also pools of unknown depth.
   */
  deepest(count: number): Pool[];
  /** The given pools, the deepest first; those of unknown depth come last. */
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

/** A set that includes the `count` deepest pools; where too few depths are known, also pools of unknown depth. */
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

/** Value of the sale that measures the fall of the price, in wei of the native coin. */
const TRIAL_WEI = 1e18;
/** Share of that value in the sale that measures the price before the fall. */
const LITTLE = 1e-4;
/** Share by which the price falls when a pool's depth is sold. */
const FALL = 0.01;

/**
 * Depth by linear extrapolation from one trial sale.
 *
 * @returns undefined where no token of the pool has a price, or the pool quotes none
 */
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
