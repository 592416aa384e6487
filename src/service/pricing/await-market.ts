import { reachBlock, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { coverTokens } from "./coverage.ts";
import { type PriceRequest, prepare } from "./price.ts";
import type { PriceBatch } from "./prices.ts";

/**
 * Waits until the market has the pools of a request's tokens and has reached its `minBlock`. A request without either
 * wait continues at once. Faults of the request are found before the wait.
 *
 * @throws BraidError as `price`, except NO_ROUTE, IMPACT_TOO_HIGH; STALE_STATE where the wait was in vain
 */
export async function awaitMarket(deps: Deps, request: PriceRequest): Promise<void> {
  const { chainId, tokenIn, tokenOut, minBlock, caller = "" } = request;
  await coverTokens(servedChain(deps, chainId), [tokenIn, tokenOut], caller);
  if (minBlock === undefined) return;
  await reachBlock(deps, prepare(deps, request).served, minBlock);
}

/** As `awaitMarket`, for all entries of a batch. @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE */
export async function awaitBatch(deps: Deps, { chainId, requests, minBlock }: PriceBatch): Promise<void> {
  const served = servedChain(deps, chainId);
  await reachBlock(deps, served, minBlock);
  await Promise.all(
    requests.map(({ tokenIn, tokenOut, caller = "" }) => coverTokens(served, [tokenIn, tokenOut], caller)),
  );
}
