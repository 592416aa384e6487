import type { Address, At, Pool, PoolId, Route, Side, StateId, View } from "../types.ts";

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
  /** Nothing is to be proved: who asks wants the route alone, sooner. */
  readonly isUnproven?: boolean;
  /** Set: the prices that prove the bound are told. */
  readonly wantsPrices?: boolean;
  /** Set: how the search came to its route is told. */
  readonly wantsAccount?: boolean;
  /** A monotonic clock in milliseconds, handed in because the core has none. */
  readonly now: () => number;
};

/** How close a route is to the best that any arrangement of the same pools could pay. Amounts in units of the token bought. */
export type Optimality = {
  /** No feasible route of so many legs pays more. */
  readonly upperBound: bigint;
  /** None pays more net of the gas of the pools it crosses; equal to `upperBound` where gas is not counted or has no price. */
  readonly upperBoundNet: bigint;
  /** (upperBound - amountOut) / upperBound in basis points; null where that would say nothing. */
  readonly gapBps: number | null;
  /** The same net of gas. */
  readonly gapNetBps: number | null;
  /** How far the amount net of gas is below its bound, in legs of 60,000 gas; null where gas is not counted. */
  readonly gapLegs: number | null;
  /** Why a gap is null; undefined where none is but for gas. */
  readonly reason: string | undefined;
  /** Side "out": no route that buys as much sells less. */
  readonly lowerBound: bigint | undefined;
  /** Gas of the pools crossed; what the net amounts are net of. */
  readonly gasCost: bigint;
  /** What 60,000 units of gas cost; 0 where gas is not counted. */
  readonly legCost: number;
  /** What cycles of pools would pay after gas, at most, in wei; undefined where the native coin does not reach. */
  readonly marketArbitrageWei: bigint | undefined;
  /** The same as a share of the order. */
  readonly arbitrageShare: number;
  /** What gas was counted at; undefined where it was not. */
  readonly gasPriceWei: bigint | undefined;
  /** Legs of the routes that the bounds are about; 0 = any number. */
  readonly maxLegs: number;
};

/** Why nothing is proved. */
export type Unproven = { readonly upperBound: null; readonly reason: string };

/** A set of legs that was weighed. Amounts in smallest units. */
export type Candidate = {
  readonly legs: number;
  /** What it was expected to net in the token bought; undefined where it was settled at once. */
  readonly estimate: number | undefined;
  /** As it was settled in integers; undefined where it was not expected to be the best. */
  readonly settled:
    | {
        readonly amountIn: bigint;
        readonly amountOut: bigint;
        readonly gas: number;
        /** `amountOut` less the gas in the token bought, where gas is counted. */
        readonly net: bigint;
      }
    | undefined;
};

/**
 * Why a pool is in the route or not: "used"; "refused": its source was not allowed; "priced-out": at the prices that prove the
 * bound it gains nothing; "below-gas": what it gains does not pay for its crossing; "displaced": it gains, and other pools
 * make the route better without it.
 */
export type PoolVerdict = "used" | "refused" | "priced-out" | "below-gas" | "displaced";

/** One direction of a pool at the prices that prove the bound. */
export type PoolAccount = {
  readonly pool: PoolId;
  readonly deployment: string;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Units bought per unit sold before any trade, and the rate at those prices; smallest units. */
  readonly rate: number;
  readonly rateAtPrices: number;
  /** The most that a trade with it gains, and what its crossing costs, in smallest units of the order's token bought. */
  readonly earned: number;
  readonly gasCost: number;
  readonly verdict: PoolVerdict;
};

/** How a search came to its route. */
export type SearchAccount = {
  /** In the order in which they were weighed. */
  readonly candidates: readonly Candidate[];
  /** Marginal prices: smallest units of the token bought per smallest unit of a token, for the tokens of the pools told of. */
  readonly prices: ReadonlyMap<Address, number>;
  /** The pools of the route, of the convex optimum, and the best beside each of the route's. */
  readonly pools: readonly PoolAccount[];
  /** Pools whose design threw on an amount of the search. */
  readonly threw: readonly PoolId[];
};

/** How a search ended. */
export type SearchReport = {
  /** False where the time ran out, and the best so far is the answer. */
  readonly complete: boolean;
  readonly ms: number;
  /** Of that, the time in which candidates were settled in integers. */
  readonly settleMs: number;
};

export type RouteFound = {
  readonly kind: "found";
  readonly route: Route;
  /**
   * Smallest units out per smallest unit in for a small amount over the best path without circles, pool fees
   * included: what price impact is measured against, for every size alike.
   */
  readonly spotPrice: number;
  readonly optimality: Optimality | Unproven;
  /**
   * Asked for with `wantsPrices`: prices that prove `upperBound`, in smallest units of the token bought per smallest
   * unit, of every token.
   */
  readonly prices: ReadonlyMap<Address, number>;
  /** The same for `upperBoundNet`. */
  readonly netPrices: ReadonlyMap<Address, number>;
  readonly search: SearchReport;
  /** Asked for with `wantsAccount`. */
  readonly account?: SearchAccount | undefined;
  /** Wei of the native coin per smallest unit of the token bought, by the graph's own prices; undefined where unknown. */
  readonly nativePerOut: number | undefined;
  readonly gas: number;
};

/** Why nothing routes; the text for people is made by the service. */
export type NoRouteReason =
  | "unknown-token"
  | "no-path"
  | "too-deep"
  | "too-small"
  | "excluded"
  // The time was up before a search for about the amount to be sold: what was known by then paid too little, or may
  // cost many times as much.
  | "out-of-time";

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
  /** Routes that paid more than their proved bound: a bug. The claim is withdrawn. */
  readonly boundsViolated: number;
};

/** Designs that threw on an amount of a search: bugs, which cost that search the pool and nobody else anything. */
export type Faults = {
  /** How often, since the engine was made. */
  threw: number;
  /** Pools of the search under way. */
  readonly pools: Set<PoolId>;
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
