/**
 * Client of the HTTP API for this page. Fields of the first API version are required; later ones are optional, and the
 * page shows less where a service does not send them.
 */

import { retryAfter } from "../../packages/sdk/src/request.ts";
import { platformsIn, readOffer, tokensIn } from "./read-answer.ts";

/** Placeholder address of the native coin in the API. */
export const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

export type Platform = {
  readonly chainId: number;
  readonly name: string;
  readonly shortname: string;
  /** Name of 1e-9 native coins on this chain: GWEI, nAVAX. */
  readonly gas_unit?: string;
  readonly native_symbol?: string;
  /** Typical time between two blocks. */
  readonly block_time_ms?: number;
  /** Base URL of the block explorer, without a trailing slash. */
  readonly explorer_url?: string;
  /** JSON-RPC URL of the node; only for the embedded devnet of this service. */
  readonly devnet_rpc_url?: string;
};

export type Token = {
  readonly chainId: number;
  /** Lower case. */
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly is_active: boolean;
  readonly priority: number;
  /** Whether the service may have the token's logo. */
  readonly has_logo?: boolean;
  /** false = no public list names the token; absent = not known. */
  readonly is_listed?: boolean;
  /** Listed tokens of the same symbol at other addresses. */
  readonly lookalikes?: readonly string[];
};

export type RouteEntry = {
  readonly type: string;
  readonly protocol_name: string;
  readonly percent: number;
};

export type GraphToken = {
  readonly address: string;
  readonly symbol?: string;
  readonly decimals?: number;
};

/** One pool crossing, in execution order; amounts in smallest units. */
export type GraphStep = {
  readonly pool: string;
  /** Name of the exchange in the API, such as "Uniswap_V3". */
  readonly protocol: string;
  readonly deployment: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly amount_in: string;
  readonly amount_out: string;
};

export type RouteGraph = { readonly tokens: readonly GraphToken[]; readonly steps: readonly GraphStep[] };

export type Offer = {
  readonly amount_out_total: string;
  readonly estimate_gas_total: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly gas_price: string;
  readonly routes: readonly RouteEntry[];
  /** Amount sold, in smallest units. */
  readonly amount_in?: string;
  readonly min_amount_out?: string;
  /** In the token bought. */
  readonly fee_recipient_amount?: string;
  readonly sell_fee_amount?: string;
  readonly block_number?: number | string;
  readonly price_impact_bps?: number | null;
  /** US dollars as decimal text; null where the market has too little depth to price the token. */
  readonly amount_in_usd?: string | null;
  readonly amount_out_usd?: string | null;
  readonly min_amount_out_usd?: string | null;
  readonly gas_usd?: string | null;
  /** Amount bought minus the gas cost, in smallest units of the token bought. */
  readonly net_out?: string | null;
  /** In thousandths: 10 is 1 %. */
  readonly suggested_slippage?: number;
  readonly warnings?: readonly (string | { readonly message?: string; readonly text?: string })[];
  readonly route_graph?: RouteGraph;
  /** Gap between the route and the proven upper bound over the same pools; `reason` says why a bound is missing. */
  readonly optimality?: {
    readonly gap_bps?: number | null;
    /** The gap net of gas in basis points, and in legs of 60,000 gas; null where gas is not counted. */
    readonly gap_net_bps?: number | null;
    readonly gap_legs?: number | null;
    readonly gas_price?: string | null;
    readonly reason?: string | null;
  };
};

/** Which amount the request gives: the amount sold (SELL) or bought (BUY). */
export type Side = "SELL" | "BUY";

/** Fees for a third party, in thousandths: "10" is 1 %. */
export type Fees = { readonly recipient: string; readonly buy: string; readonly sell: string };

export type PriceRequest = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly side: Side;
  /** Smallest units of the token sold; of the token bought where side is BUY. */
  readonly amount: bigint;
  /** Plain decimal in thousandths: "10" is 1 %. */
  readonly slippage: string;
  readonly withGas: boolean;
  readonly fees: Fees | undefined;
};

/** The amount sold by an offer, in smallest units; that of the request where the answer does not repeat it. */
export function soldIn(offer: Offer, { side, amount }: PriceRequest): bigint {
  return side === "BUY" && offer.amount_in !== undefined ? BigInt(offer.amount_in) : amount;
}

type FailureFacts = {
  readonly reason: string;
  readonly passing: boolean;
  readonly retryAfterSeconds?: number | undefined;
  readonly largestAmount?: bigint | undefined;
};

/** A failed request. The message is for users. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** The API's reason; UNREACHABLE where there was no answer, UNREADABLE where the answer was not understood. */
  readonly reason: string;
  /** Whether the same request may succeed soon without a change. */
  readonly passing: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The largest amount that has a route, in smallest units, where the request's amount is too large. */
  readonly largestAmount: bigint | undefined;

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.reason = facts.reason;
    this.passing = facts.passing;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.largestAmount = facts.largestAmount;
  }
}

/** Path and query of a price request. */
export function pricePath(request: PriceRequest): string {
  return `/v1/${request.chainId}/price?${swapQuery(request)}`;
}

/** Path and query of a quote for the same swap. */
export function quotePath(request: PriceRequest, more: Readonly<Record<string, string>>): string {
  const query = swapQuery(request);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `/v1/${request.chainId}/quote?${query}`;
}

function swapQuery(request: PriceRequest): URLSearchParams {
  const query = new URLSearchParams({
    fromTokenAddress: request.tokenIn,
    toTokenAddress: request.tokenOut,
    amount: request.amount.toString(),
    slippage: request.slippage,
  });
  if (request.side === "BUY") query.set("side", "BUY");
  if (request.withGas) query.set("withGas", "true");
  if (request.fees !== undefined) setFees(query, request.fees);
  return query;
}

function setFees(query: URLSearchParams, { recipient, buy, sell }: Fees): void {
  query.set("feeRecipient", recipient);
  if (buy !== "0") query.set("buyTokenPercentageFee", buy);
  if (sell !== "0") query.set("sellTokenPercentageFee", sell);
}

/** @throws ApiFailure where there is no offer; the abort error where `signal` fired */
export async function fetchOffer(request: PriceRequest, signal: AbortSignal): Promise<Offer> {
  return offerIn(await ask(pricePath(request), {}, signal));
}

/** The offer in an answer. @throws ApiFailure where the answer is none */
export function offerIn(answer: unknown): Offer {
  const offer = readOffer(answer);
  if (offer === undefined) throw unreadable();
  return offer;
}

export function unreadable(): ApiFailure {
  const text = "This page cannot read the answer of the service. Reload the page.";
  return new ApiFailure(text, { reason: "UNREADABLE", passing: false });
}

/** @throws ApiFailure */
export async function fetchPlatforms(): Promise<readonly Platform[]> {
  return platformsIn(await ask("/v1/platforms", {}));
}

/** Filter of the token list of one chain; an empty filter selects its active tokens. */
export type TokenFilter = {
  readonly addresses?: readonly string[];
  readonly symbols?: readonly string[];
  readonly is_active?: boolean;
};

/** @throws ApiFailure */
export async function fetchTokens(chainId: number, filter: TokenFilter = {}): Promise<readonly Token[]> {
  const answer = await ask("/v2/tokens/list", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ filter: { chain_ids: [chainId], ...filter }, paging: { page: 1, page_size: 0 } }),
  });
  return tokensIn(answer);
}

/** One token; the service reads it from its contract where no list has it. @throws ApiFailure */
export async function fetchToken(chainId: number, address: string): Promise<Token> {
  const [token] = tokensIn({ tokens: [await ask(`/v1/${chainId}/tokens/${address}`, {})] });
  if (token === undefined) throw unreadable();
  return token;
}

/** Positive balances of listed tokens in smallest units, by lower-case address. @throws ApiFailure */
export async function fetchBalances(chainId: number, wallet: string): Promise<ReadonlyMap<string, bigint>> {
  const answer = (await ask(`/v1/${chainId}/balances?walletAddress=${wallet}`, {})) as {
    balances: readonly { address: string; balance: string | null }[];
  };
  const held = answer.balances.filter(({ balance }) => balance !== null && balance !== "0");
  return new Map(held.map(({ address, balance }) => [address.toLowerCase(), BigInt(balance!)]));
}

const DEADLINE_MS = 15_000;

/**
 * Sends a request to the service and parses the answer as JSON.
 *
 * @throws ApiFailure where the request fails; the abort error where `caller` is aborted
 */
export async function ask(path: string, init: RequestInit, caller?: AbortSignal): Promise<unknown> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = caller === undefined ? deadline : AbortSignal.any([caller, deadline]);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(path, { ...init, signal });
    body = await response.json().catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
  } catch (error) {
    if (caller?.aborted) throw error;
    throw new ApiFailure("The service does not answer.", { reason: "UNREACHABLE", passing: true });
  }
  if (!response.ok) throw failureOf(response, body);
  if (body === undefined) throw unreadable();
  return body;
}

/** Converts an error response to a failure, with the API's own message where it has one. */
export function failureOf(response: Pick<Response, "status" | "headers">, body: unknown): ApiFailure {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const text = [said.message, said.error, said.detail].find(
    (part) => typeof part === "string" && part !== "",
  );
  const seconds = retryAfter(response.headers.get("retry-after")) ?? 0;
  return new ApiFailure(
    (text as string | undefined) ?? `The service answered with status ${response.status}.`,
    {
      reason: typeof said.reason === "string" ? said.reason : "UNREADABLE",
      passing: response.status === 429 || response.status >= 500,
      retryAfterSeconds: seconds > 0 ? seconds : undefined,
      largestAmount: largestOf(said.details),
    },
  );
}

function largestOf(details: unknown): bigint | undefined {
  const found = Array.isArray(details) ? details.find((one) => /^\d+$/.test(one?.largest_amount)) : undefined;
  return found === undefined ? undefined : BigInt(found.largest_amount);
}
