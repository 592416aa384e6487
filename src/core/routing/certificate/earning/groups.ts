import type { Graph, PoolEntry } from "../../market-graph/graph.ts";

/**
 * Groups of pools that share state, whose earnings do not add up: a trade with one changes what the others pay. In: the pools
 * with their state ids. Out: by pool, the connected sets of pools over shared ids (a metapool and its base pool, pools of one
 * inventory). Pools that share nothing, or that sharing only limits, are in no group: together they earn at most the sum.
 */
export type Groups = ReadonlyMap<number, readonly number[]>;

/** The groups of all pools. @returns by index of a pool that shares state, the indices of its group, ascending */
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

/** By state id that some pool has in addition to its own, the pools with that state. */
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

/** Whether all pools that trade a token are among the members. */
export function isTradedOnlyBy({ pairs, owner }: Graph, node: number, members: readonly number[]): boolean {
  const { outgoing, edges } = pairs;
  for (let k = outgoing.start[node]!; k < outgoing.start[node]! + outgoing.length[node]!; k++) {
    const pair = outgoing.data[k]!;
    const first = edges.start[pair]!;
    for (let edge = first; edge < first + edges.length[pair]!; edge++)
      if (!members.includes(owner[edges.data[edge]!]!)) return false;
  }
  return true;
}
