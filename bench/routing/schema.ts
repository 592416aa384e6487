import type { Address } from "../../src/core/types.ts";

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

export type Order = { readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: string };
