import type { Address, Pool } from "../../core/types.ts";
import { type PairPool, poolsOfPairs } from "../lens/pairs.ts";
import { depthOf, roughPrices } from "./depth.ts";
import type { DiscoveryContext } from "./types.ts";
import { headOf, wake } from "./wake.ts";

/**
 * Reads the pools of all pairs of hub tokens, and those that need no discovery, and brings the deep ones into the market.
 *
 * @throws NodeFailure; what is in the market then stays there, and the next call goes on
 */
export async function readHubs(context: DiscoveryContext): Promise<void> {
  const { chain, dispatch, known, market, progress, wakeDepth } = context;
  const { hubs } = chain;
  const pairs = hubs.flatMap((a, k) => hubs.slice(k + 1).map((b) => [a, b] as const));
  begin(context, `asking the factories for the pools of ${pairs.length} pairs`, 1);
  const found = await poolsOfPairs(context, pairs, headOf(context));
  const awake = deepest(found, wakeDepth, chain.wrappedNative);
  for (const { pool } of found) known.add(pool);
  const pools = [...dispatch.seeds(), ...awake];
  for (const pool of pools) known.add(pool);
  begin(context, `reading the states of ${pools.length} pools`, pools.length);
  market.explain(progress.step);
  await wake(context, pools, (count) => {
    progress.done += count;
  });
}

function begin({ progress, market }: DiscoveryContext, step: string, total: number): void {
  Object.assign(progress, { phase: "hubs", step, done: 0, total });
  market.explain(step);
}

/** Pools above the floor, and those whose depth cannot be told, the deepest first. */
function deepest(found: readonly PairPool[], floor: number, wrappedNative: Address): Pool[] {
  const prices = roughPrices(found, wrappedNative);
  const depths = found.map((one) => ({
    pool: one.pool,
    depth: hasBalances(one) ? depthOf(one, (token) => prices.get(token)) : undefined,
  }));
  return depths
    .filter(({ depth }) => depth === undefined || depth >= floor)
    .sort((a, b) => (b.depth ?? 0) - (a.depth ?? 0))
    .map(({ pool }) => pool);
}

/** A singleton's pools hold nothing by themselves. */
function hasBalances({ pool }: PairPool): boolean {
  return pool.id === pool.address;
}
