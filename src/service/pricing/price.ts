import type { Allowance } from "../../core/allowance.ts";
import type { WireRoute } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import type { RouteFound, RouteResult } from "../../core/routing/types.ts";
import { beforeFee, feeOf } from "../../core/shares/fees.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Address, At, Head, Route, Side, View } from "../../core/types.ts";
import { advise, refuseImpact } from "../advice/advise.ts";
import { freshHead, gasLevels, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ListedToken, FindRequest as Query, SearchSession, ServedChain } from "../ports/ports.ts";
import type { Refused } from "../ports/ports-quotes.ts";
import { wireRoute } from "../quoting/swap-call.ts";
import { knownTokens } from "../tokens.ts";
import { coverTokens } from "./coverage.ts";
import { findVetted } from "./intermediates.ts";
import { isCutShort, largestThatRoutes, noRoute } from "./no-route.ts";
import { type Fees, makeOffer, type Offer } from "./offer.ts";
import { allowedSources, type SourceWish } from "./sources.ts";

/** A price request. Amounts in smallest units. */
export type PriceRequest = {
  readonly chainId: number;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** 1 … 2^256 - 1. Side "in": amount sold, including the sell fee. Side "out": amount received, net of fees. */
  readonly amount: bigint;
  readonly side: Side;
  readonly slippagePpm: number;
  /** undefined = the high level of the chain's gas prices. */
  readonly gasPriceWei: bigint | undefined;
  readonly fees: Fees;
  readonly sources: SourceWish;
  /** Rank routes by what they pay net of gas. */
  readonly withGas: boolean;
  /** The answer must be from this block or a later one: `awaitMarket` waits for it. */
  readonly minBlock: number | undefined;
  /** Refuse an offer with a higher price impact; parts per million. */
  readonly maxImpactPpm: number | undefined;
  /** On whose behalf, where searches take turns; absent = the service itself. */
  readonly caller?: string;
  /** When it arrived, by the monotonic clock; absent = when it is priced. */
  readonly askedMs?: number;
};

/** What is exchanged, and on which chain. */
export type Exchange = Pick<PriceRequest, "chainId" | "tokenIn" | "tokenOut" | "amount">;

/** A request with the defaults of every optional parameter and 1 % slippage. */
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

/** An offer with the state that it was made from. */
export type Priced = {
  readonly served: ServedChain;
  readonly offer: Offer;
  readonly found: RouteFound;
  /** The route as the router runs it. */
  readonly wire: WireRoute;
  readonly at: At;
  readonly view: View;
  readonly prepared: Prepared;
  /** Unix time at which the first of the route's orders expires; undefined without orders. */
  readonly expiry: number | undefined;
  /** Every search that was made for it. */
  readonly searches: readonly SearchMade[];
  /** Milliseconds from the request until the first search began. */
  readonly waitMs: number;
  /** Pools, makers and tokens that it excludes, and why. */
  readonly refused: readonly Refused[];
};

/** A search: its allowance and its result. */
export type SearchMade = { readonly allowed: Allowance; readonly result: RouteResult };

/** A validated request: everything that does not depend on the block is resolved. */
export type Prepared = {
  readonly request: PriceRequest;
  readonly served: ServedChain;
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  readonly allowed: Allowance;
  readonly gasPriceWei: bigint;
  /** Pools and makers that are excluded for this request, and why. */
  readonly refused: readonly Refused[];
  /** Time of the request by the monotonic clock. */
  readonly askedMs: number;
};

/**
 * The best offer for a request, from the state in memory; it never waits for a node.
 *
 * @param refused pools that may not be used, and why
 * @throws BraidError UNSUPPORTED_CHAIN, SAME_TOKEN, UNKNOWN_TOKEN, VALIDATION (sources), STALE_STATE, NO_ROUTE, IMPACT_TOO_HIGH
 */
export async function price(
  deps: Deps,
  request: PriceRequest,
  refused: readonly Refused[] = [],
): Promise<Priced> {
  const { tokenIn, tokenOut, caller = "", askedMs = deps.monotonicMs() } = request;
  await coverTokens(servedChain(deps, request.chainId), [tokenIn, tokenOut], caller);
  const prepared = { ...prepare(deps, request, refused), askedMs };
  return search(deps, prepared, deps.settings.searchTimeoutMs);
}

/**
 * Validates a request and resolves its tokens, sources and gas price. @throws BraidError as `price`, except NO_ROUTE,
 * IMPACT_TOO_HIGH
 */
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

/** Searches in the newest block; the search and the offer made from it use the state of the same block. */
export async function search(deps: Deps, prepared: Prepared, timeoutMs: number): Promise<Priced> {
  freshHead(deps, prepared.served);
  const caller = prepared.request.caller ?? "";
  return makePriced(
    deps,
    prepared,
    await prepared.served.market.session(caller, (session) => searchIn(session, deps, prepared, timeoutMs)),
  );
}

/** The result of the searches of one request at one block. */
export type Searched = {
  readonly head: Head;
  readonly at: At;
  readonly view: View;
  readonly isPreconfirmed: boolean;
  readonly found: RouteResult;
  /** Where nothing was found: a smaller amount that routes, as large as is known; otherwise undefined. */
  readonly largest: bigint | undefined;
  readonly searches: readonly SearchMade[];
  readonly waitMs: number;
};

/** Runs all searches that one request needs, in a session that other requests may share. */
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
  const { slippagePpm } = request;
  const vetting = { isVetted: served.isVetted, monotonicMs: deps.monotonicMs, slippagePpm };
  const first = await findVetted(find, query, vetting);
  const more = { ...query, timeoutMs: MORE_TIME * timeoutMs };
  const best = isCutShort(first) ? await findVetted(find, more, vetting) : first;
  const isTooMuch = best.kind === "found" && amountSold(request, best.route) > MAX_UINT256;
  const found = isTooMuch ? TOO_DEEP : best;
  const largest =
    found.kind === "missing"
      ? await largestThatRoutes(find, query, { missing: found, monotonicMs: deps.monotonicMs })
      : undefined;
  return { head, at, view, isPreconfirmed, found, largest, searches, waitMs: waitMs ?? 0 };
}

/**
 * Time from the request until its first search began, milliseconds. It is 0 where the search reports no duration, and
 * where its result was computed for an earlier request and its duration exceeds the elapsed time.
 */
function waitBefore(result: RouteResult, elapsedMs: number): number {
  return result.kind === "found" ? Math.max(0, elapsedMs - result.search.ms) : 0;
}

/** The offer from the searches of a request. @throws BraidError NO_ROUTE, IMPACT_TOO_HIGH, OVERLOADED */
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
  const advice = advise(deps, served, bare, request);
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

/**
 * A search that found nothing before its deadline is repeated once with this many times as much: a busy machine is no
 * lack of liquidity.
 */
const MORE_TIME = 4;

/** Result where the amount to sell is above 2^256 - 1. */
const TOO_DEEP = {
  kind: "missing",
  reason: "too-deep",
  largestAmount: undefined,
  isCutShort: false,
} as const;

/** The amount that the route sells or buys: the request's amount less the sell fee, or with the buy fee added. */
function routedAmount({ side, amount, fees }: PriceRequest): bigint {
  return side === "in" ? amount - feeOf(amount, fees.sellPermille) : beforeFee(amount, fees.buyPermille);
}

/** What the caller sells. With side "out" it is the least amount that leaves the route's amount after the sell fee. */
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

/** Refuses the router as a payee. @throws BraidError VALIDATION */
export function refuseRouter(field: string, account: Address | undefined, router: Address): void {
  if (account !== router) return;
  const reason = "is the router itself, which holds nothing between swaps";
  throw new BraidError("VALIDATION", `${field} ${reason}.`, { details: [{ field, reason, value: router }] });
}
