import { BraidError } from "../core/errors.ts";
import { feeOf } from "../core/fees.ts";
import type { RouteFound } from "../core/routing/types.ts";
import type { Address, At, View } from "../core/types.ts";
import { freshHead, gasLevels, reachBlock, servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import { noRoute } from "./no-route.ts";
import { type Fees, makeOffer, type Offer } from "./offer.ts";
import type { ServedChain } from "./ports.ts";
import { type SourceWish, sourceFilter } from "./sources.ts";
import { knownTokens } from "./tokens.ts";

/** An exchange that is asked for. Amounts in smallest units. */
export type PriceRequest = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** 1 … 2^256 - 1, the sell fee included. */
  readonly amountIn: bigint;
  readonly slippagePpm: number;
  /** undefined = the high level of the chain's gas prices. */
  readonly gasPriceWei: bigint | undefined;
  readonly fees: Fees;
  readonly sources: SourceWish;
  /** Rank routes by what they pay net of gas. */
  readonly withGas: boolean;
  /** Answer from no older block than this. */
  readonly minBlock: number | undefined;
};

/** An offer with the state that it was made in. */
export type Priced = {
  readonly served: ServedChain;
  readonly offer: Offer;
  readonly found: RouteFound;
  readonly at: At;
  readonly view: View;
};

/**
 * The best offer for a request, from the state in memory; no node is asked.
 *
 * @param avoid ids of pools that may not be used
 * @throws BraidError UNSUPPORTED_CHAIN, SAME_TOKEN, UNKNOWN_TOKEN, VALIDATION (sources), STALE_STATE, NO_ROUTE
 */
export async function price(
  deps: Deps,
  request: PriceRequest,
  avoid: ReadonlySet<string> = new Set(),
): Promise<Priced> {
  const served = servedChain(deps, request.chainId);
  refuseSame(request);
  refuseRouter("feeRecipient", request.fees.recipient, served.router);
  freshHead(deps, served);
  const fields = [
    { field: "fromTokenAddress", address: request.tokenIn },
    { field: "toTokenAddress", address: request.tokenOut },
  ];
  const [tokenIn, tokenOut] = knownTokens(deps, request.chainId, fields);
  const allowed = sourceFilter(served.chain, request.sources);
  const gasPriceWei = request.gasPriceWei ?? gasLevels(served).high.priceWei;
  await reachBlock(deps, served, request.minBlock);

  // Nothing is awaited between these and the search, so that all four speak of one block.
  const head = freshHead(deps, served);
  const at = served.market.at();
  const view = served.market.view();
  const { maxHops, maxLegs, searchTimeoutMs } = deps.settings;
  const result = await served.market.find({
    tokenIn: request.tokenIn,
    tokenOut: request.tokenOut,
    amount: request.amountIn - feeOf(request.amountIn, request.fees.sellPermille),
    side: "in",
    gasPriceWei: request.withGas ? gasPriceWei : undefined,
    allows: (pool) => allowed(pool) && !avoid.has(pool.id),
    maxHops,
    maxLegs,
    timeoutMs: searchTimeoutMs,
  });
  if (result.kind === "missing") throw noRoute(result, tokenIn!, tokenOut!, request.amountIn);
  const terms = {
    ...request,
    chain: served.chain,
    head,
    tokenIn: tokenIn!,
    tokenOut: tokenOut!,
    gasPriceWei,
  };
  return { served, offer: makeOffer(terms, result), found: result, at, view };
}

function refuseSame({ tokenIn, tokenOut }: PriceRequest): void {
  if (tokenIn !== tokenOut) return;
  const reason = "is the token sold as well";
  throw new BraidError("SAME_TOKEN", `The token sold and the token bought are the same: ${tokenOut}.`, {
    details: [{ field: "toTokenAddress", reason, value: tokenOut }],
  });
}

/** @throws BraidError VALIDATION where the router itself would be paid */
export function refuseRouter(field: string, account: Address | undefined, router: Address): void {
  if (account !== router) return;
  const reason = "is the router itself, which holds nothing between swaps";
  throw new BraidError("VALIDATION", `${field} ${reason}.`, { details: [{ field, reason, value: router }] });
}
