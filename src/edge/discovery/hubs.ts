import { setImmediate } from "node:timers/promises";
import { type Address, NATIVE, type Pool } from "../../core/types.ts";
import { hintedPools, type PairPool } from "../lens/named.ts";
import { poolsOfPairs } from "../lens/pairs.ts";
import type { DiscoveryContext } from "./types.ts";
import { depthOf, roughPrices } from "./waking/depth.ts";
import { headOf, wake } from "./waking/wake.ts";

/** Number of the deepest hub pools that are read before the chain is reported as ready. */
const FIRST_POOLS = 100;
/**
 * Number of hubs between which pools of singletons rank as deepest. The depth of such pools is not known, since the
 * singleton holds their tokens.
 */
const FIRST_HUBS = 6;

/**
 * Finds the pools of all pairs of hub tokens and the pools that need no discovery, and brings the deep ones into the
 * market.
 *
 * @param onFirst called once the deepest are in the market
 * @throws NodeFailure; pools that are in the market by then stay there, and the next call reads only the others
 */
export async function readHubs(context: DiscoveryContext, onFirst: () => void): Promise<void> {
  const { chain, dispatch, known } = context;
  const { hubs } = chain;
  const pairs = hubs.flatMap((a, k) => hubs.slice(k + 1).map((b) => [a, b] as const));
  begin(context, `asking the factories for the pools of ${pairs.length} pairs`, 1);
  const block = headOf(context);
  const [ofPairs, hinted] = await Promise.all([
    poolsOfPairs(context, pairs, block),
    hintedPools(context, dispatch.hinted, block),
  ]);
  const found = [...ofPairs, ...hinted.map((pool) => ({ ...NOTHING_HELD, pool }))];
  const pools = deepest(found, context);
  // Thousands of pools are ranked, added and read here: the event loop is yielded between.
  await setImmediate();
  const seeds = dispatch.seeds();
  for (const pool of [...seeds, ...found.map((one) => one.pool)]) known.add(pool);
  await setImmediate();
  await read(context, [...seeds, ...pools.slice(0, FIRST_POOLS)]);
  onFirst();
  await read({ ...context, lens: context.patientLens }, pools.slice(FIRST_POOLS));
}

async function read(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  begin(context, `reading the states of ${pools.length} pools of the hub tokens`, pools.length);
  const onBatch = (count: number) => {
    context.progress.done += count;
  };
  await wake(context, pools, { why: "deep", onBatch });
}

function begin({ progress, market }: DiscoveryContext, step: string, total: number): void {
  Object.assign(progress, { phase: "hubs", step, done: 0, total });
  market.explain(step);
}

/** Pools with a depth of at least `wakeDepth` and pools of unknown depth, the deepest first. */
function deepest(found: readonly PairPool[], { chain, wakeDepth }: DiscoveryContext): Pool[] {
  const prices = roughPrices(found, chain.wrappedNative);
  const first = new Set<Address>([NATIVE, ...chain.hubs.slice(0, FIRST_HUBS)]);
  const untold = ({ tokens }: Pool) => (tokens.every((token) => first.has(token)) ? Number.MAX_VALUE : 0);
  const depths = found.map((one) => {
    const depth = hasBalances(one) ? depthOf(one, (token) => prices.get(token)) : undefined;
    return { pool: one.pool, depth, rank: depth ?? untold(one.pool) };
  });
  return depths
    .filter(({ depth }) => depth === undefined || depth >= wakeDepth)
    .sort((a, b) => b.rank - a.rank)
    .map(({ pool }) => pool);
}

/** Balances of hinted pools, whose tokens a vault holds. */
const NOTHING_HELD = { of: [NATIVE, NATIVE], balances: [0n, 0n] } as const;

/** Whether the pool's own contract holds its tokens; a singleton holds the tokens of all its pools. */
function hasBalances({ pool }: PairPool): boolean {
  return pool.id === pool.address;
}
