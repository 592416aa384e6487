import type { PoolId } from "../../../core/types.ts";
import { chunks } from "../../node/pace/pace.ts";
import type { DiscoveryContext } from "../types.ts";
import type { Why } from "./awake.ts";
import { depthsOf } from "./deep.ts";

/**
 * A pool that is in the market for its depth leaves it below this share of `wakeDepth`. The gap keeps pools near the
 * threshold from entering and leaving again and again.
 */
const SLEEP_SHARE = 0.5;
/** Pools whose depth is read together. */
const POOLS_AT_ONCE = 2_000;

/**
 * Removes those of the pools from the market that are there for the reason `why`. A pool whose state another pool reads
 * stays.
 *
 * @returns ids of the pools that leave
 */
export function sleepPools(
  { awake, market, indexer }: DiscoveryContext,
  pools: readonly PoolId[],
  why: Why,
): readonly PoolId[] {
  const isAlone = (id: PoolId) => {
    const pool = market.book.pools.get(id);
    return pool === undefined || market.book.readersOf(pool.stateIds[0]).size <= 1;
  };
  const leaving = pools.filter((id) => awake.get(id) === why && isAlone(id));
  if (leaving.length === 0) return [];
  awake.forget(leaving);
  indexer.release(leaving);
  return leaving;
}

/** Removes pools from the market that are there for their depth and no longer deep. @throws NodeFailure */
export async function sleepShallow(context: DiscoveryContext): Promise<void> {
  const { awake, known, wakeDepth, signal } = context;
  const deep = [...awake.all()]
    .filter(([, why]) => why === "deep")
    .map(([id]) => known.get(id))
    .filter((pool) => pool !== undefined);
  for (const part of chunks(deep, POOLS_AT_ONCE)) {
    if (signal.aborted) return;
    const depths = await depthsOf(context, part);
    const shallow = depths.filter(({ depth }) => depth < wakeDepth * SLEEP_SHARE);
    const left = sleepPools(
      context,
      shallow.map(({ pool }) => pool.id),
      "deep",
    );
    if (left.length > 0) context.log.debug({ pools: left.length }, "pools that are no longer deep sleep");
  }
}
