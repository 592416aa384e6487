import type { Address, At, Pool, Route, Side, StateId, View } from "../types.ts";

/** What one block changed: the graph is patched by it, never rebuilt. */
export type MarketChange = {
  /** Pools that are new, or whose state (own or shared) changed. */
  readonly pools: readonly Pool[];
  /** Pools that may no longer be priced. */
  readonly removed: readonly string[];
};

export type RouteRequest = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Smallest units: sold where side is "in", bought where it is "out"; > 0. */
  readonly amount: bigint;
  readonly side: Side;
  readonly at: At;
  /** Set: maximise the amount net of gas at this price. Unset: maximise the amount. */
  readonly gasPriceWei: bigint | undefined;
  /** The sources that may be used; wrap and unwrap pools are always asked as allowed. */
  readonly allows: (pool: Pool) => boolean;
  /** Pool crossings in a row, 1 … 4. */
  readonly maxHops: number;
  /** Pool crossings in all; 0 = no cap. */
  readonly maxLegs: number;
  /** Milliseconds after which the best so far is returned. */
  readonly timeoutMs: number;
  /** A monotonic clock in milliseconds, handed in because the core has none. */
  readonly now: () => number;
};

/** How close a route is to the best that any arrangement of the same pools could pay. */
export type Optimality = {
  /** No feasible route pays more than this, in smallest units of the token bought. */
  readonly upperBound: bigint;
  /** (upperBound - amountOut) / upperBound in basis points. */
  readonly gapBps: number;
};

export type RouteFound = {
  readonly kind: "found";
  readonly route: Route;
  /** Smallest units out per smallest unit in for a vanishing amount over the same route, pool fees included: what price impact is measured against. */
  readonly spotPrice: number;
  /** null where the state holds arbitrage or the engine has no proof; the reason says which. */
  readonly optimality: Optimality | { readonly upperBound: null; readonly reason: string };
  /** The prices that prove the bound, in smallest units of the token bought per smallest unit, of every token of a pool touched; empty without a proof. */
  readonly prices: ReadonlyMap<Address, number>;
  /** Wei of the native coin per smallest unit of the token bought, by the graph's own prices; undefined where unknown. */
  readonly nativePerOut: number | undefined;
  readonly gas: number;
};

/** Why nothing routes; the text for people is made by the service. */
export type NoRouteReason = "unknown-token" | "no-path" | "too-deep" | "too-small" | "excluded";

export type RouteMissing = {
  readonly kind: "missing";
  readonly reason: NoRouteReason;
  /** The largest amount found to route, where one was; smallest units of the given side. */
  readonly largestAmount: bigint | undefined;
};

export type RouteResult = RouteFound | RouteMissing;

/** Searches since the engine was made. None falls back silently: what did not converge is counted here. */
export type EngineCounters = {
  readonly searches: number;
  /** Convex solutions that ended before the gap was closed. */
  readonly notConverged: number;
  /** Searches that ran out of time and answered with the best so far. */
  readonly outOfTime: number;
  /** Fills and joint nodes on which a design threw: bugs, which cost a search that part and nobody else anything. */
  readonly threw: number;
};

/** The face of the engine. One graph belongs to one thread; a search is synchronous and so sees one block. */
export interface Engine {
  /** Takes over a block's changes; O(changed). States are read from `view`, which the engine keeps for `find`. */
  patch(change: MarketChange, view: View, at: At): void;
  /** Finds, settles in bigint and certifies. Never throws for bad markets; never takes more than `amount`. */
  find(request: RouteRequest): RouteResult;
  /** Wei of the native coin per smallest unit of `token`, at spot along the deepest pools; undefined where none joins them. */
  nativePer(token: Address): number | undefined;
  /** Native value, in wei, that the shallowest pool holds of those by which `nativePer` prices the token; 0 where unknown. */
  priceDepth(token: Address): number;
  /** Native value, in wei, of the largest amount of `token` that one of its pools holds; 0 where unknown. */
  depthNative(token: Address): number;
  /** What the searches so far came to. */
  counters(): EngineCounters;
  /** Bytes held by the graph's typed arrays. */
  graphBytes(): number;
  /** Pools on which a design threw while a block was taken over, by pool id, with the reason. No request adds to them. */
  quarantined(): ReadonlyMap<string, string>;
}

/** A planned crossing before settlement; `shareQ32` as in `Step`. */
export type PlannedStep = {
  readonly pool: Pool;
  readonly i: number;
  readonly j: number;
  readonly shareQ32: number;
};

export type Overlay = View & { set(id: StateId, state: unknown): void };
