import type { Address, At, Pool, PoolId, Route, Side, StateId, View } from "../types.ts";

/** The changes of one block. The graph is patched by them, never rebuilt. */
export type MarketChange = {
  /** Pools that are new, or whose state (own or shared) changed. */
  readonly pools: readonly Pool[];
  /** Pools that may no longer be priced. */
  readonly removed: readonly string[];
};

export type RouteRequest = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Amount in smallest units, > 0: of the token sold if `side` is "in", of the token bought if it is "out". */
  readonly amount: bigint;
  readonly side: Side;
  readonly at: At;
  /** Set: maximise the amount net of gas at this price. Unset: maximise the amount. */
  readonly gasPriceWei: bigint | undefined;
  /** Whether a pool may be used. The wrapper of the native coin always may. */
  readonly allows: (pool: Pool) => boolean;
  /**
   * Hops of an ordinary path, 1 … 4: the reach of `no-route.ts`, and the unit of path lengths in searches by real
   * outputs.
   */
  readonly maxHops: number;
  /** Cap on the number of legs of a route; 0 = none. */
  readonly maxLegs: number;
  /** Deadline in milliseconds from the start, after which the best route so far is returned. */
  readonly timeoutMs: number;
  /** Set: no bound is computed, for callers that only want the route, sooner. */
  readonly isUnproven?: boolean;
  /** Set: the result holds the prices that prove the bound. */
  readonly wantsPrices?: boolean;
  /** Set: the result holds an account of the search. */
  readonly wantsAccount?: boolean;
  /** A monotonic clock in milliseconds, handed in because the core has none. */
  readonly now: () => number;
};

/**
 * How close a route is to the best that any arrangement of the same pools could pay. Amounts are in smallest units of
 * the token bought unless stated otherwise.
 */
export type Optimality = {
  /** No route of at most `maxLegs` legs pays more. */
  readonly upperBound: bigint;
  /** No route pays more net of the gas of its pools; equal to `upperBound` if gas is not counted or has no price. */
  readonly upperBoundNet: bigint;
  /** (upperBound - amountOut) / upperBound in basis points; null if that would say nothing. */
  readonly gapBps: number | null;
  /** The gap net of gas, in basis points of the net bound; null if that would say nothing. */
  readonly gapNetBps: number | null;
  /** Distance of the net amount from its bound, in legs of 60,000 gas; null if gas is not counted. */
  readonly gapLegs: number | null;
  /** Why a gap is null; undefined if none is, or only because gas is not counted. */
  readonly reason: string | undefined;
  /** Side "out": no route that buys as much sells less than this, in smallest units of the token sold. */
  readonly lowerBound: bigint | undefined;
  /** Cost of the gas of the pools crossed, which net amounts exclude. */
  readonly gasCost: bigint;
  /** Cost of 60,000 units of gas; 0 if gas is not counted. */
  readonly legCost: number;
  /** Upper bound on what cycles of pools pay after gas, in wei; undefined if the native coin is not connected. */
  readonly marketArbitrageWei: bigint | undefined;
  /** That bound as a share of the order. */
  readonly arbitrageShare: number;
  /** Price of gas that was counted; undefined if gas was not. */
  readonly gasPriceWei: bigint | undefined;
  /** Cap on the legs of the routes to which the bounds apply; 0 = none. */
  readonly maxLegs: number;
};

/** Why nothing is proved. */
export type Unproven = { readonly upperBound: null; readonly reason: string };

/** A support that was considered. Amounts in smallest units. */
export type Candidate = {
  readonly legs: number;
  /** What it was expected to net in the token bought; undefined if it was settled without an estimate. */
  readonly estimate: number | undefined;
  /** The settled route; undefined if it was not expected to be the best. */
  readonly settled:
    | {
        readonly amountIn: bigint;
        readonly amountOut: bigint;
        readonly gas: number;
        /** `amountOut` less the cost of gas, if gas is counted. */
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
  /** Spot rate in units bought per unit sold, and the rate at those prices; smallest units. */
  readonly rate: number;
  readonly rateAtPrices: number;
  /** The most that a trade with it gains, and what its crossing costs, in smallest units of the order's token bought. */
  readonly earned: number;
  readonly gasCost: number;
  readonly verdict: PoolVerdict;
};

/** The account of a search. */
export type SearchAccount = {
  /** Candidates in the order in which they were considered. */
  readonly candidates: readonly Candidate[];
  /** Marginal prices in smallest units of the token bought per smallest unit, for the tokens of the listed pools. */
  readonly prices: ReadonlyMap<Address, number>;
  /** The pools of the route and of the convex optimum, and the best parallel ones of the route's pairs. */
  readonly pools: readonly PoolAccount[];
  /** Pools whose design threw on an amount of the search. */
  readonly threw: readonly PoolId[];
};

/** How a search ended. */
export type SearchReport = {
  /** False if the deadline ended the search with the best route so far. */
  readonly complete: boolean;
  readonly ms: number;
  /** The part of that time in which candidates were settled in integers. */
  readonly settleMs: number;
};

export type RouteFound = {
  readonly kind: "found";
  readonly route: Route;
  /**
   * Smallest units out per smallest unit in, for a small amount over the best simple path, pool fees included. Price
   * impact is measured against it; it does not depend on the order's size.
   */
  readonly spotPrice: number;
  readonly optimality: Optimality | Unproven;
  /**
   * With `wantsPrices`: by token, prices that prove `upperBound`, in smallest units of the token bought per smallest
   * unit.
   */
  readonly prices: ReadonlyMap<Address, number>;
  /** With `wantsPrices`: prices that prove `upperBoundNet`. */
  readonly netPrices: ReadonlyMap<Address, number>;
  readonly search: SearchReport;
  /** The account of the search, with `wantsAccount`. */
  readonly account?: SearchAccount | undefined;
  /** Wei of the native coin per smallest unit of the token bought, by the graph's own prices; undefined if unknown. */
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
  // The deadline came before a search for about the right amount to sell: what is known pays too little, or may cost
  // much more than the least possible.
  | "out-of-time";

export type RouteMissing = {
  readonly kind: "missing";
  readonly reason: NoRouteReason;
  /** The largest amount found that routes, in smallest units of the given side; undefined if none was. */
  readonly largestAmount: bigint | undefined;
  /** Whether the deadline ended the search, so that more time might find a route. */
  readonly isCutShort: boolean;
};

export type RouteResult = RouteFound | RouteMissing;

/** Counts of searches since the engine was created. No search falls back silently: those that did not converge are counted. */
export type EngineCounters = {
  readonly searches: number;
  /** Convex problems whose gap was not closed. */
  readonly notConverged: number;
  /** Searches that the deadline ended with the best route so far. */
  readonly outOfTime: number;
  /** Times that a design threw on a fill or joint node. Such a bug costs only that search a pool. */
  readonly threw: number;
  /** Routes that paid more than their proved bound: a bug. The claim is withdrawn. */
  readonly boundsViolated: number;
};

/** Designs that threw on an amount of a search. Such a bug costs only that search the pool. */
export type Faults = {
  /** Number of times that a design threw since the engine was created. */
  threw: number;
  /** Pools that threw in the present search. */
  readonly pools: Set<PoolId>;
};

/** The interface of the engine. A graph belongs to one thread; a search is synchronous, so it sees one block. */
export interface Engine {
  /** Applies a block's changes: O(what changed). States are read from `view`, which the engine keeps for `find`. */
  patch(change: MarketChange, view: View, at: At): void;
  /** Does the work that concerns the whole market and waits for the first search after a change. */
  prepare(): void;
  /** Finds, settles in bigint and certifies. Never throws for bad markets; never takes more than `amount`. */
  find(request: RouteRequest): RouteResult;
  /**
   * Wei of the native coin per smallest unit of `token`, at spot along the deepest pools; undefined if no pools connect
   * both.
   */
  nativePer(token: Address): number | undefined;
  /**
   * Depth, in wei of native value, of the shallowest pool on the path by which `nativePer` prices the token; 0 if
   * unknown.
   */
  priceDepth(token: Address): number;
  /** Native value, in wei, of the largest amount of `token` that one of its pools holds; 0 if unknown. */
  depthNative(token: Address): number;
  /** The counts of all searches so far. */
  counters(): EngineCounters;
  /** Bytes held by the graph's typed arrays. */
  graphBytes(): number;
  /** Quarantined pools by id, with the reason: their design threw while a block was applied. No request adds to them. */
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
