import { type Address, NATIVE, type Pool, type PoolId } from "../../../core/types.ts";
import { poolsOfPairs } from "../../lens/pairs.ts";
import type { DiscoveryContext } from "../types.ts";
import { headOf, wake } from "../waking/wake.ts";

/** Number of hubs whose pairs with a token are asked for. */
const HUBS_ASKED = 8;
/**
 * Most pools brought into the market for two tokens: of those that factories answer, and again of those known for each
 * token.
 */
const MOST_POOLS = 48;

/**
 * Reads the pools of the routes from one token to the other in the market that the last run left.
 *
 * @returns false where no such pool is known
 */
export async function readRemembered(
  context: DiscoveryContext,
  tokens: readonly [Address, Address],
): Promise<boolean> {
  const { known, recollection } = context;
  if (recollection.memory === undefined) return false;
  await recollection.usable;
  const ids = (await recollection.memory?.between(...tokens)) ?? [];
  const pools = ids.map((id) => known.get(id)).filter((pool) => pool !== undefined);
  await wake(context, pools, { why: "asked" });
  return pools.length > 0;
}

/**
 * Brings the pools of two tokens into the market.
 *
 * @param tokens the wrapped native coin stands for the native coin, which is not allowed here
 * @returns ids of the pools that were found or known
 * @throws NodeFailure
 */
export async function readPair(
  context: DiscoveryContext,
  tokens: readonly [Address, Address],
): Promise<readonly PoolId[]> {
  const { chain, known } = context;
  const [a, b] = tokens;
  if (tokens.every((token) => chain.hubs.includes(token))) return wakeBetween(context, tokens);
  const hubs = chain.hubs.slice(0, HUBS_ASKED);
  const beside = tokens
    .filter((token) => !chain.hubs.includes(token))
    .flatMap((token) => hubs.map((hub) => [token, hub] as const));
  const isApart = ([x, y]: readonly [Address, Address]) => x !== y;
  const direct = hubs.includes(a) || hubs.includes(b) ? [] : [[a, b] as const];
  const found = await poolsOfPairs(context, [...direct, ...beside].filter(isApart), headOf(context));
  for (const { pool } of found) known.add(pool);
  const deepest = found.sort((x, y) => total(y.balances) - total(x.balances)).map(({ pool }) => pool);
  const others = tokens
    .filter((token) => !chain.hubs.includes(token))
    .flatMap((token) => known.newest(token, MOST_POOLS));
  const pools = new Map([...deepest.slice(0, MOST_POOLS), ...others].map((pool) => [pool.id, pool]));
  return wakeAsked(context, [...pools.values()]);
}

async function wakeAsked(context: DiscoveryContext, pools: readonly Pool[]): Promise<readonly PoolId[]> {
  await wake(context, pools, { why: "asked" });
  return pools.map(({ id }) => id);
}

/**
 * Brings the known pools between two hubs into the market; those of the wrapped native coin include the native coin's.
 * No factory is asked, since all pairs of hubs are read at the start.
 */
function wakeBetween(
  context: DiscoveryContext,
  [a, b]: readonly [Address, Address],
): Promise<readonly PoolId[]> {
  const { chain, known } = context;
  const named = (token: Address) => (token === chain.wrappedNative ? [token, NATIVE] : [token]);
  const pools = named(a).flatMap((one) => named(b).flatMap((other) => known.between(one, other)));
  return wakeAsked(context, pools);
}

function total(balances: readonly [bigint, bigint]): number {
  return Math.sqrt(Number(balances[0]) * Number(balances[1]));
}
