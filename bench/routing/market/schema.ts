import type { Address } from "../../../src/core/types.ts";

/** A market file, as it is read and written: integers as decimal strings, lower-case addresses. */
export type MarketFile = {
  readonly schema: "market/1";
  readonly chainId: number;
  readonly block: number;
  readonly timestamp: number;
  readonly native: Address;
  /** Price of one whole token in USD. */
  readonly usd: Readonly<Record<string, number>>;
  readonly tokens: readonly MarketToken[];
  readonly pools: readonly MarketPool[];
};

export type MarketToken = { readonly address: Address; readonly symbol: string; readonly decimals: number };

export type MarketPool = {
  readonly protocol: string;
  readonly address: Address;
  readonly tokens: readonly Address[];
  readonly state: Readonly<Record<string, unknown>>;
  /** Gas units of one crossing, where the pool states its own. */
  readonly gas?: number;
};

/** `amountIn` in smallest units, as a decimal string. */
export type Order = { readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: string };

/** One crossing of a route; amounts in smallest units, as decimal strings. */
export type Leg = Readonly<Record<"pool" | "tokenIn" | "tokenOut" | "amountIn" | "amountOut", string>>;

/** What an order came to, as `--json` writes it; amounts are decimal strings in smallest units of the token bought. */
export type OrderResult = Order & {
  readonly amountOut?: string;
  /** null where nothing was proved. */
  readonly bound?: string | null;
  /** The bound of what is left after the gas of the legs, without that of the route. */
  readonly netBound?: string;
  /** Gaps as the engine states them; null where it states none. */
  readonly gapBps?: number | null;
  readonly gapNetBps?: number | null;
  readonly gapLegs?: number | null;
  /** What cycles of pools would pay after gas, in wei. */
  readonly arbitrageWei?: string | null;
  /** Why there is no bound, or no gap. */
  readonly reason?: string;
  /** Whether the search ended before its time was up. */
  readonly complete?: boolean;
  /** amountOut - gas; may be negative. */
  readonly net?: string;
  readonly gas?: string;
  readonly gasUnits?: number;
  /** Units of the token bought that one unit of gas costs. */
  readonly gasPriceOut?: number;
  readonly ms: number;
  readonly legs?: number;
  /** amountOut / bound. */
  readonly ratio?: number | null;
  /** Dual prices in smallest units of the token bought per smallest unit. */
  readonly prices?: Readonly<Record<string, number>>;
  /** The same, those that prove the bound net of gas. */
  readonly netPrices?: Readonly<Record<string, number>>;
  /** In execution order. */
  readonly route?: readonly Leg[];
  readonly error?: string;
};

/** Median and 90th percentile; NaN of none. */
export type Spread = { readonly p50: number; readonly p90: number };

export type GapSummary = {
  readonly name: string;
  readonly orders: number;
  /** Share of the orders that route which have a net bound. */
  readonly proved: number;
  readonly grossBp: Spread;
  readonly netBp: Spread;
  readonly legs: Spread;
};

/** What a run proves, as `--json` writes it. */
export type ProofSummary = {
  readonly gaps: readonly GapSummary[];
  readonly violations: number;
  /** How often each reason for no bound, or for no gap, was given. */
  readonly reasons: Readonly<Record<string, number>>;
  /** What cycles of pools would pay, in units of the native coin; null where no answer says. */
  readonly arbitrageEth: number | null;
  /** Share of the searches that ended before their time was up. */
  readonly complete: number;
};

export type Summary = {
  readonly ratio: Readonly<Record<"mean" | "min" | "p5" | "p50", number>>;
  readonly ms: Readonly<Record<"p50" | "p95" | "p99" | "max", number>>;
  readonly failed: number;
  /** Orders that route without a bound. */
  readonly unproved: number;
  readonly ignoredPools: number;
  /** From decoded states to the first query that can be asked. */
  readonly buildMs: number;
  /** Megabytes (10^6) of the graph's typed arrays. */
  readonly graphMb: number;
  /** A block of 5,000 changed pools, or of all pools where there are fewer. */
  readonly patchMs: number;
  /** Microseconds to patch one pool; NaN where the market has none of the kind. */
  readonly patchUs: Readonly<Record<"v2" | "v3" | "sampled", number>>;
  readonly searches: number;
  readonly notConverged: number;
  readonly outOfTime: number;
  /** As the engine counts them. */
  readonly boundsViolated: number;
  readonly proof: ProofSummary;
};
