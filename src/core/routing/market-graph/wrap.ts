import { type At, NATIVE, type Pool } from "../../types.ts";
import type { Graph } from "./graph.ts";

/** Whether the pool is the wrapper itself: the native coin for its wrapped form, one to one without a limit. */
export function isWrap(graph: Graph, pool: Pool, at: At): boolean {
  const { wrappedNative, registry, view } = graph;
  const { tokens } = pool;
  if (tokens.length !== 2 || !tokens.includes(NATIVE) || !tokens.includes(wrappedNative)) return false;
  const protocol = registry.get(pool.protocol);
  const state = view.get(pool.stateIds[0]);
  if (protocol === undefined || state === undefined) return false;
  try {
    const curve = protocol.curve(protocol.mirror(state, pool, at, view), 0, 1);
    return curve?.m[0] === 1 && curve.c[0] === 0 && curve.end === Infinity;
  } catch {
    return false;
  }
}
