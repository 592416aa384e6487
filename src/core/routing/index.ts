import type { Registry } from "../protocol.ts";
import type { Address, At, View } from "../types.ts";
import { mostOut } from "./curves.ts";
import { findRoute } from "./find.ts";
import { emptyGraph, type Graph, patchGraph } from "./graph.ts";
import type { Engine, MarketChange, RouteRequest } from "./types.ts";
import { type Values, valueTokens } from "./values.ts";

/** An engine with an empty market. It belongs to one thread. */
export function createEngine(registry: Registry, chain: { readonly wrappedNative: Address }): Engine {
  const graph = emptyGraph(registry, chain.wrappedNative);
  let values = valueTokens(graph);
  const current = (): Values => {
    if (values.version !== graph.version) values = valueTokens(graph);
    return values;
  };
  return {
    patch: (change: MarketChange, view: View, at: At) => patchGraph(graph, change, view, at),
    find: (request: RouteRequest) => findRoute(graph, current(), request),
    nativePer: (token: Address) => {
      const node = graph.nodeOf.get(token);
      return node === undefined ? undefined : current().native[node] || undefined;
    },
    depthNative: (token: Address) => depthNative(graph, current(), token),
    quarantined: () => graph.quarantined,
  };
}

function depthNative(graph: Graph, { native }: Values, token: Address): number {
  const node = graph.nodeOf.get(token);
  if (node === undefined || !(native[node]! > 0)) return 0;
  const { start, length, data } = graph.incoming;
  let most = 0;
  for (let k = 0; k < length[node]!; k++) {
    most = Math.max(most, mostOut(graph.curves, data[start[node]! + k]!));
  }
  return most < Infinity ? most * native[node]! : 0;
}
