import type { PoolId } from "../../../core/types.ts";
import { chunks } from "../../node/pace/pace.ts";
import type { DiscoveryContext } from "../types.ts";
import type { Why } from "./awake.ts";
import { depthsOf } from "./deep.ts";

/** A pool that came in for its depth leaves below this share of the floor: between the two nothing moves. */
const SLEEP_SHARE = 0.5;
/** Pools whose depth is asked for in one go. */
const POOLS_AT_ONCE = 2_000;

/**
 * Takes pools out of the market that are there for this reason. One whose own state another pool reads stays.
 *
 * @returns those that leave
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

/** Takes pools out of the market that are no longer deep. @throws NodeFailure */
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
