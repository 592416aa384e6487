import type { At } from "../../types.ts";
import { emptyGraph, type Graph } from "./graph.ts";
import { patchGraph } from "./update.ts";

/** Number of entries of gone pools from which on they may be dropped: a thousand take less than a megabyte. */
const MANY_GONE = 1000;

/** Share of gone entries up to which they stay. It trades memory for turns in which a whole market is entered again. */
const MOST_GONE = 0.75;

/**
 * The graph without the pools that are gone, their edges and tokens, if they are most of all; else the graph itself. Callers
 * bring pools into the market by asking for their tokens, and others leave for them: over months these would be all pools of
 * the chain. O(pools), each time that three times as many pools have left as are there.
 */
export function withoutGone(graph: Graph, at: At): Graph {
  const { entries, gone, wrap, registry, wrappedNative } = graph;
  if (gone < MANY_GONE || gone < MOST_GONE * entries.length) return graph;
  const there = entries.filter(({ isGone }) => !isGone).map(({ pool }) => pool);
  const pools = wrap === undefined ? there : [wrap, ...there];
  const anew = emptyGraph(registry, wrappedNative, graph);
  patchGraph(anew, { pools, removed: [] }, graph.view, at);
  return anew;
}
