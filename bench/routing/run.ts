import { performance } from "node:perf_hooks";
import { createEngine } from "../../src/core/routing/index.ts";
import type { Engine, RouteResult } from "../../src/core/routing/types.ts";
import type { Address } from "../../src/core/types.ts";
import { benchRegistry, ROUTE_GAS } from "./gas.ts";
import type { Market } from "./market.ts";
import type { Order } from "./schema.ts";

export type RunOptions = {
  readonly gasGwei: number;
  /** 0 = no cap. */
  readonly maxLegs: number;
  readonly budgetMs: number;
};

/** One order as `--json` writes it; amounts are decimal strings in smallest units. */
export type OrderResult = Order & {
  readonly amountOut?: string;
  /** null where the state holds arbitrage or nothing was proved. */
  readonly bound?: string | null;
  readonly net?: string;
  /** Gas in units of the token bought. */
  readonly gas?: string;
  readonly gasUnits?: number;
  readonly gasPriceOut?: number;
  readonly ms: number;
  readonly legs?: number;
  readonly ratio?: number | null;
  readonly prices?: Readonly<Record<string, number>>;
  readonly route?: readonly Readonly<
    Record<"pool" | "tokenIn" | "tokenOut" | "amountIn" | "amountOut", string>
  >[];
  readonly error?: string;
};

/** An engine over the whole market, and the time from decoded states to the first query. */
export function buildEngine(market: Market): { engine: Engine; buildMs: number } {
  const start = performance.now();
  const engine = createEngine(benchRegistry(market), { wrappedNative: market.native });
  engine.patch({ pools: market.pools, removed: [] }, { get: (id) => market.states.get(id) }, market.at);
  return { engine, buildMs: performance.now() - start };
}

export function runOrder(engine: Engine, market: Market, order: Order, options: RunOptions): OrderResult {
  const tokenIn = order.tokenIn.toLowerCase() as Address;
  const tokenOut = order.tokenOut.toLowerCase() as Address;
  const start = performance.now();
  const result = engine.find({
    tokenIn,
    tokenOut,
    amount: BigInt(order.amountIn),
    side: "in",
    at: market.at,
    gasPriceWei: options.gasGwei > 0 ? BigInt(Math.round(options.gasGwei * 1e9)) : undefined,
    allows: () => true,
    maxHops: 4,
    maxLegs: options.maxLegs,
    timeoutMs: options.budgetMs,
    now: () => performance.now(),
  });
  const ms = performance.now() - start;
  return describe(order, result, ms, options);
}

function describe(order: Order, result: RouteResult, ms: number, options: RunOptions): OrderResult {
  if (result.kind === "missing") return { ...order, ms, error: result.reason };
  const { route, optimality, nativePerOut } = result;
  const gasUnits = ROUTE_GAS + result.gas;
  const gasPriceOut = nativePerOut === undefined ? 0 : (options.gasGwei * 1e9) / nativePerOut;
  const gas = BigInt(Math.ceil(gasUnits * gasPriceOut));
  const { upperBound } = optimality;
  return {
    ...order,
    amountOut: String(route.amountOut),
    bound: upperBound === null ? null : String(upperBound),
    net: String(route.amountOut - gas),
    gas: String(gas),
    gasUnits,
    gasPriceOut,
    ms,
    legs: route.steps.length,
    ratio: upperBound === null ? null : Number((route.amountOut * 10n ** 15n) / upperBound) / 1e15,
    prices: Object.fromEntries(result.prices ?? []),
    route: route.steps.map(({ pool, i, j, amountIn, amountOut }) => ({
      pool: pool.id,
      tokenIn: pool.tokens[i]!,
      tokenOut: pool.tokens[j]!,
      amountIn: String(amountIn),
      amountOut: String(amountOut),
    })),
  };
}

/** The element of a sorted list below which `share` of it lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
