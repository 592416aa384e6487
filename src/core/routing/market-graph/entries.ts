import type { Protocol } from "../../protocol.ts";
import type { Pool } from "../../types.ts";
import { type Graph, type PoolEntry, UNPLACED } from "./graph.ts";

/** A new entry of a pool. Its edges get their numbers later. */
export function enter(graph: Graph, pool: Pool, protocol: Protocol): PoolEntry {
  const entry: PoolEntry = {
    pool,
    protocol,
    mirror: undefined,
    firstEdge: UNPLACED,
    jointNode: -1,
    jointEdge: -1,
    isGone: false,
  };
  graph.entryOf.set(pool.id, graph.entries.length);
  graph.entries.push(entry);
  return entry;
}

/** Whether the edges of an entry lie between the tokens of a pool. */
export const hasTokensOf = ({ pool: { tokens } }: PoolEntry, other: Pool): boolean =>
  tokens === other.tokens ||
  (tokens.length === other.tokens.length && tokens.every((token, k) => token === other.tokens[k]));
