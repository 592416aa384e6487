import type { HintedPool, PairSource } from "../../core/protocol.ts";
import type { Address, Call, Hex, Pool, PoolId } from "../../core/types.ts";
import type { BlockRef, ChainReader } from "../node/types.ts";
import type { Found, Lens } from "./lens.ts";

/** Turns names of pools, from factories or from a deployment's record, into pools, by what the chain says of them. */

export type Readers = { readonly reader: ChainReader; readonly lens: Lens };

/**
 * A pool of the pair of tokens `of`, with the pool's balances of both, each at most 2^128 - 1. Both are 0 for pools of
 * a singleton, which hold no tokens themselves.
 */
export type PairPool = {
  readonly pool: Pool;
  readonly of: readonly [Address, Address];
  readonly balances: readonly [bigint, bigint];
};

/**
 * Turns findings into pools, each once: a pool of three coins is found for three pairs and keeps the pair with the
 * largest smaller balance. The details that some designs need are read first, for all findings together.
 *
 * @throws NodeFailure
 */
export async function poolsNamed(
  readers: Readers,
  { sources, found }: { readonly sources: readonly PairSource[]; readonly found: readonly Found[] },
  block: BlockRef,
): Promise<PairPool[]> {
  const idOf = ({ source, named }: Found) => `${source} ${named}`;
  const once = new Map(found.map((one) => [idOf(one), one]));
  const calls = [...once.values()].map(({ source, named }) => (sources[source] as PairSource).details(named));
  const lists = await readLists(readers, calls, block);
  const answers = new Map([...once.keys()].map((id, k) => [id, lists[k] as readonly Hex[]]));
  const pools = new Map<PoolId, PairPool>();
  for (const one of found) {
    const { source, tokens, named, key, balances } = one;
    const details = answers.get(idOf(one)) as readonly Hex[];
    const pool = (sources[source] as PairSource).poolOf(tokens, named, key, details);
    if (pool === undefined) continue;
    const other = pools.get(pool.id);
    if (other === undefined || least(other.balances) < least(balances))
      pools.set(pool.id, { pool, of: tokens, balances });
  }
  return [...pools.values()];
}

function least([a, b]: readonly [bigint, bigint]): bigint {
  return a < b ? a : b;
}

/** The pools that deployments' records name, with the facts that the chain has of them. @throws NodeFailure */
export async function hintedPools(
  readers: Readers,
  hinted: readonly HintedPool[],
  block: BlockRef,
): Promise<Pool[]> {
  const calls = hinted.map(({ details }) => details);
  const answers = await readLists(readers, calls, block);
  return hinted.flatMap(({ poolOf }, k) => poolOf(answers[k] as readonly Hex[]) ?? []);
}

/**
 * Answers of lists of calls, list by list, by the lens where an endpoint runs it; no request where there are no calls.
 */
async function readLists(
  { reader, lens }: Readers,
  lists: readonly (readonly Call[])[],
  block: BlockRef,
): Promise<(readonly Hex[])[]> {
  const calls = lists.flat();
  if (calls.length === 0) return lists.map(() => []);
  const byLens = lens.isUsable() ? lens.read(calls, block) : undefined;
  const answers = await byLens?.catch((error: unknown) => {
    if (lens.isUsable()) throw error;
    return undefined;
  });
  const rest = [...(answers ?? (await reader.read(calls, block)))];
  return lists.map(({ length }) => rest.splice(0, length));
}
