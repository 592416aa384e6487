import type { PoolEntry } from "../../market-graph/graph.ts";

/**
 * Pools that share state earn together: what one takes changes what the others pay. In: the pools with their state ids.
 * Out: the connected sets of pools over shared ids (a metapool and its base pool, pools of one inventory), by pool.
 * Pools that share nothing, or that the sharing only limits, are in none: together they earn no more than each by
 * itself.
 */
export type Groups = ReadonlyMap<number, readonly number[]>;

/** @returns by index of a pool that shares state, the indices of all pools of its group, ascending */
export function groupsOf(entries: readonly PoolEntry[]): Groups {
  const groups = new Map<number, readonly number[]>();
  for (const sharing of poolsByState(entries).values()) {
    if (sharing.length < 2) continue;
    const joined = new Set(sharing.flatMap((index) => groups.get(index) ?? [index]));
    const members = [...joined].sort((a, b) => a - b);
    for (const index of members) groups.set(index, members);
  }
  return groups;
}

/** The pools of each state that some pool has beside its own. */
function poolsByState(entries: readonly PoolEntry[]): Map<string, number[]> {
  const byId = new Map<string, number[]>();
  for (const { pool, protocol } of entries) {
    if (pool.stateIds.length > 1 && protocol.sharesLimits !== true)
      for (const id of pool.stateIds) byId.set(id, []);
  }
  if (byId.size === 0) return byId;
  for (const [index, { pool }] of entries.entries())
    for (const id of pool.stateIds) byId.get(id)?.push(index);
  return byId;
}
