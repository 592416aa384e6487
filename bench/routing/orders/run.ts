import { performance } from "node:perf_hooks";
import type { Registry } from "../../../src/core/protocol.ts";
import { createEngine } from "../../../src/core/routing/engine.ts";
import type { Engine, RouteRequest, RouteResult } from "../../../src/core/routing/types.ts";
import type { Route } from "../../../src/core/types.ts";
import { benchRegistry, gasCost, gasPriceOut } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import type { Leg, Order, OrderResult } from "../market/schema.ts";

export type RunOptions = {
  readonly gasGwei: number;
  /** 0 = no cap. */
  readonly maxLegs: number;
  readonly budgetMs: number;
  /** Ask each order once more, untimed, for the prices that prove its bounds. */
  readonly wantsPrices?: boolean;
};

/** An engine over the whole market, and the time from decoded states to the first query. */
export function buildEngine(
  market: Market,
  registry: Registry = benchRegistry(market),
): { engine: Engine; buildMs: number } {
  const start = performance.now();
  const engine = createEngine(registry, { wrappedNative: market.native });
  engine.patch({ pools: market.pools, removed: [] }, { get: (id) => market.states.get(id) }, market.at);
  return { engine, buildMs: performance.now() - start };
}

/** The sale that an order asks for. */
export function requestOf(
  market: Market,
  { tokenIn, tokenOut, amountIn }: Order,
  { gasGwei, maxLegs, budgetMs }: RunOptions,
): RouteRequest {
  return {
    tokenIn,
    tokenOut,
    amount: BigInt(amountIn),
    side: "in",
    at: market.at,
    gasPriceWei: gasGwei > 0 ? BigInt(Math.round(gasGwei * 1e9)) : undefined,
    allows: () => true,
    maxHops: 4,
    maxLegs,
    timeoutMs: budgetMs,
    now: () => performance.now(),
  };
}

/** Asks the engine once. */
export function runOrder(engine: Engine, market: Market, order: Order, options: RunOptions): OrderResult {
  const request = requestOf(market, order, options);
  const start = performance.now();
  const result = engine.find(request);
  const ms = performance.now() - start;
  return describe(
    order,
    options.wantsPrices ? engine.find({ ...request, wantsPrices: true }) : result,
    ms,
    options,
  );
}

function describe(order: Order, result: RouteResult, ms: number, options: RunOptions): OrderResult {
  if (result.kind === "missing") return { ...order, ms, error: result.reason };
  const { route } = result;
  const priceOut = gasPriceOut({ wei: options.gasGwei * 1e9, nativePerOut: result.nativePerOut });
  const { gasUnits, gas } = gasCost(result.gas, priceOut);
  return {
    ...order,
    amountOut: String(route.amountOut),
    ...boundsOf(result),
    net: String(route.amountOut - gas),
    gas: String(gas),
    gasUnits,
    gasPriceOut: priceOut,
    ms,
    legs: route.steps.length,
    complete: result.search.complete,
    prices: Object.fromEntries(result.prices),
    netPrices: Object.fromEntries(result.netPrices),
    route: legsOf(route.steps),
  };
}

/** What an answer proves; null where it proves nothing. */
function boundsOf({ route, optimality }: Extract<RouteResult, { kind: "found" }>) {
  if (optimality.upperBound === null) return { bound: null, ratio: null, reason: optimality.reason };
  const { upperBound, upperBoundNet, gapBps, gapNetBps, gapLegs, marketArbitrageWei, reason } = optimality;
  return {
    bound: String(upperBound),
    netBound: String(upperBoundNet),
    ratio: Number((route.amountOut * 10n ** 15n) / upperBound) / 1e15,
    ...{ gapBps, gapNetBps, gapLegs },
    arbitrageWei: marketArbitrageWei === undefined ? null : String(marketArbitrageWei),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function legsOf(steps: Route["steps"]): Leg[] {
  return steps.map(({ pool, i, j, amountIn, amountOut }) => ({
    pool: pool.id,
    tokenIn: pool.tokens[i]!,
    tokenOut: pool.tokens[j]!,
    amountIn: String(amountIn),
    amountOut: String(amountOut),
  }));
}

/** Orders asked before the first is measured. */
export const WARM_UP = 50;

/** Up to 50 orders that are not among `orders`: what one sells against what another buys. */
export function warmUpOrders(orders: readonly Order[]): Order[] {
  const taken = new Set(orders.map(({ tokenIn, tokenOut }) => `${tokenIn}${tokenOut}`));
  const others: Order[] = [];
  for (let apart = 1; apart < orders.length && others.length < WARM_UP; apart++) {
    for (let k = 0; k < orders.length && others.length < WARM_UP; k++) {
      const { tokenIn, amountIn } = orders[k]!;
      const { tokenOut } = orders[(k + apart) % orders.length]!;
      if (tokenIn === tokenOut || taken.has(`${tokenIn}${tokenOut}`)) continue;
      taken.add(`${tokenIn}${tokenOut}`);
      others.push({ tokenIn, tokenOut, amountIn });
    }
  }
  return others;
}
