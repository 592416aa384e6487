import { type GasRecords, gasScalesOf } from "../gas/gas-scales.ts";
import type { Registry } from "../protocol.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Chain,
  type Pool,
  type PoolId,
  type Route,
  type View,
} from "../types.ts";
import { accountOf } from "./account.ts";
import { spotRateAlong } from "./bounds.ts";
import { findExactOut, optimalOutput, type Searches } from "./exact-out.ts";
import { withoutGone } from "./market-graph/gone.ts";
import { emptyGraph, type Graph } from "./market-graph/graph.ts";
import { deepestOf, nativeValue } from "./market-graph/prices/reference-prices.ts";
import { spotRate } from "./market-graph/prices/spot-rate.ts";
import { completeMarket } from "./market-graph/round-trips.ts";
import { patchGraph, refresh } from "./market-graph/update.ts";
import { diagnose, isBeyondAll, missing } from "./no-route.ts";
import { type Proved, proveRoute } from "./prove.ts";
import { openQuery, type Query } from "./request.ts";
import type { Sale } from "./sale.ts";
import { sell } from "./sell.ts";
import { settleTimed } from "./settlement/evaluate.ts";
import type { Engine, MarketChange, RouteFound, RouteRequest, RouteResult } from "./types.ts";
import { emptyWorkspace, type Workspace } from "./workspace.ts";

/**
 * An engine with an empty market. It belongs to one thread.
 *
 * @param isVetted whether other tokens may be valued through pools of a token: a token that its creator controls may not
 */
export function createEngine(
  registry: Registry,
  chain: Pick<Chain, "wrappedNative"> & { readonly deployments?: GasRecords },
  isVetted: (token: Address) => boolean = () => true,
): Engine {
  let graph = emptyGraph(registry, chain.wrappedNative, {
    gasScales: gasScalesOf(chain.deployments ?? []),
    isVetted,
  });
  let workspace = emptyWorkspace();
  return {
    patch(change: MarketChange, view: View, at: At) {
      patchGraph(graph, change, view, at);
      const kept = withoutGone(graph, at);
      // What searches remember of a graph is by its numbers of nodes and edges.
      if (kept !== graph) workspace = afresh(workspace);
      graph = kept;
    },
    prepare: () => prepare(graph),
    find: (request: RouteRequest) => findRoute(graph, workspace, request),
    nativePer: (token: Address) => {
      const node = graph.nodeOf.get(token);
      return node === undefined ? undefined : nativeValue(graph, node);
    },
    priceDepth: (token: Address) => priceDepth(graph, token),
    depthNative: (token: Address) => depthNative(graph, token),
    counters: () => ({ ...workspace.counters, threw: workspace.faults.threw + workspace.certificates.threw }),
    graphBytes: () => graphBytes(graph),
    quarantined: () => graph.quarantined,
  };
}

/** An empty workspace that goes on counting. */
function afresh({ pace, faults, counters, certificates }: Workspace): Workspace {
  const empty = emptyWorkspace();
  empty.certificates.threw = certificates.threw;
  return { ...empty, pace, faults, counters };
}

/** Bytes of all typed arrays that the graph holds, at any depth; shared ones count once. */
function graphBytes(part: object, seen = new Set<unknown>()): number {
  let bytes = 0;
  for (const value of Object.values(part)) {
    if (typeof value !== "object" || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (holdsArrays(value)) bytes += graphBytes(value, seen);
  }
  return bytes;
}

function holdsArrays(value: object | null): value is object {
  return Array.isArray(value) ? ArrayBuffer.isView(value[0]) : value?.constructor === Object;
}

function depthNative(graph: Graph, token: Address): number {
  const node = graph.nodeOf.get(token);
  const value = node === undefined ? undefined : nativeValue(graph, node);
  return node === undefined || value === undefined ? 0 : deepestOf(graph, node) * value;
}

/** The width of a token's chain in wei; 0 if it is not connected with the native coin, since its width then has no value in wei. */
function priceDepth(graph: Graph, token: Address): number {
  const node = graph.nodeOf.get(token);
  if (node === undefined || nativeValue(graph, node) === undefined) return 0;
  return graph.values.width[node] ?? 0;
}

/** Searches of one request, at most: each leaves out the pools that threw in those before. */
const MOST_SEARCHES = 4;

/**
 * Finds, settles and explains one request. A pool whose design throws on an amount is left out of this request, which is searched
 * again in its remaining time. Other requests keep the pool, because the amount is the caller's.
 */
export function findRoute(graph: Graph, workspace: Workspace, request: RouteRequest): RouteResult {
  prepare(graph);
  const began = request.now();
  const avoided = new Set<PoolId>();
  const allows = (pool: Pool) => !avoided.has(pool.id) && request.allows(pool);
  for (let search = 1; ; search++) {
    workspace.faults.pools.clear();
    const result = findOnce(graph, workspace, avoided.size === 0 ? request : { ...request, allows }, began);
    if (workspace.faults.pools.size === 0 || search === MOST_SEARCHES) return result;
    if (request.now() - began >= request.timeoutMs) return result;
    for (const id of workspace.faults.pools) avoided.add(id);
  }
}

/** Computes what depends on the whole market of the newest block, unless it is up to date. */
function prepare(graph: Graph): void {
  refresh(graph);
  completeMarket(graph);
}

/** One search of a request. @param began when its first search began */
function findOnce(graph: Graph, workspace: Workspace, request: RouteRequest, began: number): RouteResult {
  const query = openQuery(graph, workspace, request, began);
  if (query === undefined) return missing("unknown-token", { isCutShort: false });
  const solved = solve(query);
  if (solved === undefined) return diagnose(query, sell);
  if (solved === "out-of-time") return missing(solved, { isCutShort: true });
  const found = present(query, solved.exact);
  return solved.isSure || !isTooDear(found) ? found : missing("out-of-time", { isCutShort: true });
}

/** A purchase for which no search ended before the deadline is not offered if it may cost this many times the least possible. */
const TOO_DEAR = 1.1;

function isTooDear({ route, optimality }: RouteFound): boolean {
  if (optimality.upperBound === null || optimality.lowerBound === undefined) return true;
  return Number(route.amountIn) > TOO_DEAR * Number(optimality.lowerBound);
}

const SEARCHES: Searches = {
  sell,
  delivers: optimalOutput,
  marginal: ({ workspace, from }) => workspace.dual.get(from),
};

/** The best route. `isSure`: it needs no proof to be offered. */
function solve(query: Query): { exact: Sale; isSure: boolean } | "out-of-time" | undefined {
  const { request, ends, from, to } = query;
  if (request.amount <= 0n || ends.tokenIn === ends.tokenOut) return undefined;
  if (from !== to && isBeyondAll(query)) return undefined;
  if (from !== to && request.side === "out") return findExactOut(query, SEARCHES);
  const exact = from === to ? wrapOnly(query) : sell(query, request.amount);
  return exact && { exact, isSure: true };
}

/** The route from the native coin to its wrapped form or back: one step, one to one. */
function wrapOnly(query: Query): Sale | undefined {
  const { graph, request, ends } = query;
  if (graph.wrap === undefined) return undefined;
  const i = graph.wrap.tokens.indexOf(ends.tokenIn);
  const plan = [{ pool: graph.wrap, i, j: 1 - i, shareQ32: ALL_Q32, edge: -1 }];
  const settled = settleTimed(query, plan, request.amount);
  if (settled.kind === "failed") return undefined;
  const { steps, amountOut, gas } = settled;
  const route: Route = { ...ends, amountIn: request.amount, amountOut, steps };
  return { route, gas, net: amountOut, flows: [], plan, bound: amountOut, isCut: false, reachable: 0 };
}

function present(query: Query, sale: Sale): RouteFound {
  const { route, gas } = sale;
  const { optimality, prices, netPrices, marginal } =
    query.request.isUnproven === true ? UNPROVEN : proveRoute(query, sale);
  return {
    kind: "found",
    route,
    spotPrice: spotRate(query.graph, query, query.allowed) ?? spotRateAlong(query, sale),
    optimality,
    prices,
    netPrices,
    search: {
      ...{ complete: !query.late() && !sale.isCut, ms: query.request.now() - query.began },
      settleMs: query.spent.settleMs,
    },
    nativePerOut: query.nativePerOut,
    gas,
    account: query.candidates && accountOf(query, sale, marginal),
  };
}

const UNPROVEN: Proved = {
  optimality: { upperBound: null, reason: "nothing was to be proved" },
  ...{ prices: new Map(), netPrices: new Map(), marginal: new Map() },
};
