import type { Registry } from "../protocol.ts";
import type { Address, At, View } from "../types.ts";
import { findRoute } from "./find.ts";
import { emptyGraph, type Graph } from "./market-graph/graph.ts";
import { deepestOf, nativeValue } from "./market-graph/reference-prices.ts";
import { patchGraph } from "./market-graph/update.ts";
import type { Engine, MarketChange, RouteRequest } from "./types.ts";
import { emptyWorkshop } from "./workspace.ts";

/** An engine with an empty market. It belongs to one thread. */
export function createEngine(registry: Registry, chain: { readonly wrappedNative: Address }): Engine {
  const graph = emptyGraph(registry, chain.wrappedNative);
  const shop = emptyWorkshop();
  return {
    patch: (change: MarketChange, view: View, at: At) => patchGraph(graph, change, view, at),
    find: (request: RouteRequest) => findRoute(graph, shop, request),
    nativePer: (token: Address) => {
      const node = graph.nodeOf.get(token);
      return node === undefined ? undefined : nativeValue(graph, node);
    },
    priceDepth: (token: Address) => priceDepth(graph, token),
    depthNative: (token: Address) => depthNative(graph, token),
    counters: () => ({ ...shop.counters, threw: graph.threw }),
    graphBytes: () => graphBytes(graph),
    quarantined: () => graph.quarantined,
  };
}

/** Bytes of every typed array that the graph holds, however deep. */
function graphBytes(part: object): number {
  let bytes = 0;
  for (const value of Object.values(part)) {
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) bytes += ArrayBuffer.isView(value[0]) ? graphBytes(value) : 0;
    else if (value?.constructor === Object) bytes += graphBytes(value);
  }
  return bytes;
}

function depthNative(graph: Graph, token: Address): number {
  const node = graph.nodeOf.get(token);
  const value = node === undefined ? undefined : nativeValue(graph, node);
  return node === undefined || value === undefined ? 0 : deepestOf(graph, node) * value;
}

/** A token off the native coin has a width among its neighbours only, which says nothing of its native value. */
function priceDepth(graph: Graph, token: Address): number {
  const node = graph.nodeOf.get(token);
  if (node === undefined || nativeValue(graph, node) === undefined) return 0;
  return graph.values.width[node] ?? 0;
}
