import type { HintedPool, PairSource } from "../../core/protocol.ts";
import type { Address, Call, Hex, Pool, PoolId } from "../../core/types.ts";
import type { BlockRef, ChainReader } from "../node/types.ts";
import type { Found, Lens } from "./lens.ts";

/** Pools that factories or records name, and what the chain says they are. */

export type Readers = { readonly reader: ChainReader; readonly lens: Lens };

/** A pool of a pair, with what it holds of the pair's tokens, `of`, each at most 2^128 - 1; 0 and 0 of a singleton's pools. */
export type PairPool = {
  readonly pool: Pool;
  readonly of: readonly [Address, Address];
  readonly balances: readonly [bigint, bigint];
};

/**
 * What was found as pools, each once: a pool of three coins is found for three pairs. Those of which more must be known are
 * asked about first, all in one go.
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

/** The pools that records name beforehand, as the chain tells them. @throws NodeFailure */
export async function hintedPools(
  readers: Readers,
  hinted: readonly HintedPool[],
  block: BlockRef,
): Promise<Pool[]> {
  const calls = hinted.map(({ details }) => details);
  const answers = await readLists(readers, calls, block);
  return hinted.flatMap(({ poolOf }, k) => poolOf(answers[k] as readonly Hex[]) ?? []);
}

/** Answers of lists of calls, list by list; no request where there are no calls. */
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
