import type { Allowance } from "../../core/allowance.ts";
import type { WireRoute } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import type { RouteFound, RouteMissing, RouteResult } from "../../core/routing/types.ts";
import { beforeFee, feeOf } from "../../core/shares/fees.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Address, At, Head, Route, Side, View } from "../../core/types.ts";
import { advise, refuseImpact } from "../advice/advise.ts";
import { freshHead, gasLevels, reachBlock, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ListedToken, FindRequest as Query, SearchSession, ServedChain } from "../ports/ports.ts";
import type { Refused } from "../ports/ports-quotes.ts";
import { wireRoute } from "../quoting/swap-call.ts";
import { knownTokens } from "../tokens.ts";
import { coverTokens } from "./coverage.ts";
import { findVetted } from "./intermediates.ts";
import { largestThatRoutes, noRoute } from "./no-route.ts";
import { type Fees, makeOffer, type Offer } from "./offer.ts";
import { allowedSources, type SourceWish } from "./sources.ts";

/** An exchange that is asked for. Amounts in smallest units. */
export type PriceRequest = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** 1 … 2^256 - 1: sold, the sell fee included, where side is "in"; got by the recipient, net of fees, where it is "out". */
  readonly amount: bigint;
  readonly side: Side;
  readonly slippagePpm: number;
  /** undefined = the high level of the chain's gas prices. */
  readonly gasPriceWei: bigint | undefined;
  readonly fees: Fees;
  readonly sources: SourceWish;
  /** Rank routes by what they pay net of gas. */
  readonly withGas: boolean;
  /** Answer from no older block than this. */
  readonly minBlock: number | undefined;
  /** Refuse an offer with a higher price impact; parts per million. */
  readonly maxImpactPpm: number | undefined;
  /** On whose behalf, where searches take turns; absent = the service itself. */
  readonly caller?: string;
};

/** What is exchanged, and on which chain. */
export type Exchange = Pick<PriceRequest, "chainId" | "tokenIn" | "tokenOut" | "amount">;

/** As a client asks that names nothing but the exchange, at 1 % of slippage. */
export function plainRequest(exchange: Exchange): PriceRequest {
  return {
    ...exchange,
    side: "in",
    slippagePpm: 10_000,
    gasPriceWei: undefined,
    fees: { recipient: undefined, sellPermille: 0, buyPermille: 0 },
    sources: { list: "exclude", names: [], rfqOnly: false },
    withGas: false,
    minBlock: undefined,
    maxImpactPpm: undefined,
  };
}

/** An offer with the state that it was made in. */
export type Priced = {
  readonly served: ServedChain;
  readonly offer: Offer;
  readonly found: RouteFound;
  /** The route as the router runs it. */
  readonly wire: WireRoute;
  readonly at: At;
  readonly view: View;
  readonly prepared: Prepared;
  /** Unix time after which an order in the route lapses; undefined without one. */
  readonly expiry: number | undefined;
  /** Every search that was made for it. */
  readonly searches: readonly SearchMade[];
  /** Until the first of them began, milliseconds. */
  readonly waitMs: number;
  /** What it does without, and why. */
  readonly refused: readonly Refused[];
};

/** A search with what it was allowed and what it found. */
export type SearchMade = { readonly allowed: Allowance; readonly result: RouteResult };

/** A request that can be searched for: everything about it that does not depend on the block has been settled. */
export type Prepared = {
  readonly request: PriceRequest;
  readonly served: ServedChain;
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  readonly allowed: Allowance;
  readonly gasPriceWei: bigint;
  /** Pools and makers that it does without for a reason of its own. */
  readonly refused: readonly Refused[];
  /** When it was asked, by the monotonic clock. */
  readonly askedMs: number;
};

/**
 * The best offer for a request, from the state in memory; no node is asked.
 *
 * @param refused pools that may not be used, and why
 * @throws BraidError UNSUPPORTED_CHAIN, SAME_TOKEN, UNKNOWN_TOKEN, VALIDATION (sources), STALE_STATE, NO_ROUTE, IMPACT_TOO_HIGH
 */
export async function price(
  deps: Deps,
  request: PriceRequest,
  refused: readonly Refused[] = [],
): Promise<Priced> {
  const askedMs = deps.monotonicMs();
  const { tokenIn, tokenOut, caller = "" } = request;
  await coverTokens(servedChain(deps, request.chainId), [tokenIn, tokenOut], caller);
  const prepared = { ...prepare(deps, request, refused), askedMs };
  await reachBlock(deps, prepared.served, request.minBlock);
  return search(deps, prepared, deps.settings.searchTimeoutMs);
}

/** @throws BraidError as `price`, but for what the search finds */
export function prepare(deps: Deps, request: PriceRequest, refused: readonly Refused[] = []): Prepared {
  const served = servedChain(deps, request.chainId);
  refuseSame(request);
  refuseRouter("feeRecipient", request.fees.recipient, served.router);
  freshHead(deps, served);
  const fields = [
    { field: "fromTokenAddress", address: request.tokenIn },
    { field: "toTokenAddress", address: request.tokenOut },
  ];
  const [tokenIn, tokenOut] = knownTokens(deps, request.chainId, fields);
  return {
    request,
    served,
    tokenIn: tokenIn!,
    tokenOut: tokenOut!,
    allowed: {
      deployments: allowedSources(served.chain, request.sources),
      avoided: refused.map(({ id }) => id),
      vetted: "none",
    },
    gasPriceWei: request.gasPriceWei ?? gasLevels(served).high.priceWei,
    refused,
    askedMs: deps.monotonicMs(),
  };
}

/** Searches in the newest block. What the search read and what is made of it here speak of one block. */
export async function search(deps: Deps, prepared: Prepared, timeoutMs: number): Promise<Priced> {
  freshHead(deps, prepared.served);
  const caller = prepared.request.caller ?? "";
  return makePriced(
    deps,
    prepared,
    await prepared.served.market.session(caller, (session) => searchIn(session, deps, prepared, timeoutMs)),
  );
}

/** What was found at one block. */
export type Searched = {
  readonly head: Head;
  readonly at: At;
  readonly view: View;
  readonly isPreconfirmed: boolean;
  readonly found: RouteResult;
  /** The largest amount that routes, where nothing was found and a smaller one does. */
  readonly largest: bigint | undefined;
  readonly searches: readonly SearchMade[];
  readonly waitMs: number;
};

/** All searches that one request takes, in a session that others may share. */
export async function searchIn(
  session: SearchSession,
  deps: Deps,
  prepared: Prepared,
  timeoutMs: number,
): Promise<Searched> {
  const { request, served } = prepared;
  const { head, at, view, isPreconfirmed } = session;
  let waitMs: number | undefined;
  const searches: SearchMade[] = [];
  const find: SearchSession["find"] = async (asked) => {
    const result = await session.find(asked);
    waitMs ??= waitBefore(result, deps.monotonicMs() - prepared.askedMs);
    searches.push({ allowed: asked.allowed, result });
    return result;
  };
  const query = queryOf(deps, prepared, timeoutMs);
  const vetting = { isVetted: served.isVetted, monotonicMs: deps.monotonicMs };
  const begunMs = deps.monotonicMs();
  const first = await findVetted(find, query, vetting);
  const isOutOfTime = isUnfilled(first) && deps.monotonicMs() - begunMs >= timeoutMs;
  const more = { ...query, timeoutMs: MORE_TIME * timeoutMs };
  const best = isOutOfTime ? await findVetted(find, more, vetting) : first;
  const isTooMuch = best.kind === "found" && amountSold(request, best.route) > MAX_UINT256;
  const found = isTooMuch ? TOO_DEEP : best;
  const largest = found.kind === "missing" ? await largestThatRoutes(find, query, found) : undefined;
  return { head, at, view, isPreconfirmed, found, largest, searches, waitMs: waitMs ?? 0 };
}

/** Where a search gives no time of its own, or was made for an earlier request, nothing of this is counted as waiting. */
function waitBefore(result: RouteResult, elapsedMs: number): number {
  return result.kind === "found" ? Math.max(0, elapsedMs - result.search.ms) : 0;
}

/** @throws BraidError NO_ROUTE, IMPACT_TOO_HIGH, OVERLOADED */
export function makePriced(deps: Deps, prepared: Prepared, searched: Searched): Priced {
  const { request, served } = prepared;
  const { found, largest } = searched;
  if (found.kind === "missing") {
    const facts = { largest, isTraded: served.market.isTraded };
    throw noRoute(found.reason, { ...request, ...prepared }, facts);
  }
  const priced = offerOf(deps, prepared, found, searched);
  refuseImpact(priced.offer, request.maxImpactPpm);
  return priced;
}

/** The state that a route was settled on, and the searches that led to it. */
type Seen = Pick<Searched, "head" | "at" | "view" | "isPreconfirmed" | "searches" | "waitMs">;

/** The offer of a route that was found for a request. */
export function offerOf(deps: Deps, prepared: Prepared, found: RouteFound, seen: Seen): Priced {
  const { request, served, refused } = prepared;
  const { head, at, view, isPreconfirmed, searches, waitMs } = seen;
  const amountIn = amountSold(request, found.route);
  const terms = { ...request, ...prepared, chain: served.chain, head };
  const wire = wireRoute(found.route, request.fees, { served, registry: deps.registry, view });
  const bare = makeOffer({ ...terms, amountIn }, found, wire);
  const advice = advise(deps, served, bare, request.slippagePpm);
  const offer = { ...bare, advice, waitedMs: waitMs, isPreconfirmed };
  return { served, offer, found, wire, at, view, prepared, expiry: undefined, searches, waitMs, refused };
}

function queryOf(
  { settings, quotes }: Deps,
  { request, allowed, gasPriceWei }: Prepared,
  timeoutMs: number,
): Query {
  const wantsAccount = quotes !== undefined;
  return {
    tokenIn: request.tokenIn,
    tokenOut: request.tokenOut,
    amount: routedAmount(request),
    side: request.side,
    gasPriceWei: request.withGas ? gasPriceWei : undefined,
    allowed,
    maxHops: settings.maxHops,
    maxLegs: settings.maxLegs,
    timeoutMs,
    wantsAccount,
  };
}

/** A search that found nothing and had no time left is made once more, with so many times as much: a busy machine is no lack of liquidity. */
const MORE_TIME = 4;

function isUnfilled(result: RouteResult): boolean {
  return result.kind === "missing" && (result.reason === "too-deep" || result.reason === "out-of-time");
}

/** What calls for more than any contract can hold. */
const TOO_DEEP: RouteMissing = { kind: "missing", reason: "too-deep", largestAmount: undefined };

/** What the route sells or buys: the amount asked for without the fee on its side. */
function routedAmount({ side, amount, fees }: PriceRequest): bigint {
  return side === "in" ? amount - feeOf(amount, fees.sellPermille) : beforeFee(amount, fees.buyPermille);
}

/** What the caller sells. Where the amount bought is given: the least that leaves the route's amount after the sell fee. */
function amountSold({ side, amount, fees }: PriceRequest, route: Route): bigint {
  return side === "in" ? amount : beforeFee(route.amountIn, fees.sellPermille);
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
