import { BraidError } from "./error.ts";
import type {
  AllowanceAnswer,
  AllowanceParameters,
  ApproveAnswer,
  ApproveParameters,
  ChainTokensAnswer,
  ChainTokensParameters,
  GasPricesAnswer,
  GasPricesParameters,
  HealthAnswer,
  PlatformsAnswer,
  PriceAnswer,
  PriceParameters,
  PricesAnswer,
  PricesParameters,
  QuoteAnswer,
  QuoteParameters,
  SourcesAnswer,
} from "./generated/api.ts";
import { listOf } from "./integers.ts";
import { checkApproval } from "./quote/approval.ts";
import { type Asked, checkQuote, type Limits } from "./quote/bounds.ts";
import { ask, type CallOptions, type Transport } from "./request.ts";
import type { SwapRequest, SwapResult } from "./swap/run.ts";
import { runSwap } from "./swap/swap.ts";
import { type WatchOptions, watchPrice } from "./watch.ts";

export type BraidOptions = {
  /** Base URL of the service, such as "http://127.0.0.1:8080". */
  readonly url: string;
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** Aborts all calls of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as X-Api-Key. With a key, redirects are not followed: the key would go wherever they lead. */
  readonly apiKey?: string | undefined;
  /** Number of retries where the service answers 429 or 503 with Retry-After; default 2. */
  readonly retries?: number | undefined;
};

/** A token of a chain's list. */
export type Token = ChainTokensAnswer["tokens"][number];
export type Platform = PlatformsAnswer["platforms"][number];
export type Source = SourcesAnswer["sources"][number];
type ChainParameter = { readonly chainID: number };

/** Client of the service. Amounts are bigints in smallest units; slippage and fees are in thousandths (10 = 1 %). */
export type Braid = {
  platforms(options?: CallOptions): Promise<readonly Platform[]>;
  tokens(parameters: ChainTokensParameters, options?: CallOptions): Promise<readonly Token[]>;
  sources(options?: CallOptions): Promise<readonly Source[]>;
  /** Gas prices in gwei as decimal text; `parseAmount(text, 9)` converts them to wei. */
  gasPrices(parameters: GasPricesParameters, options?: CallOptions): Promise<GasPricesAnswer>;
  health(options?: CallOptions): Promise<HealthAnswer>;
  price(parameters: PriceParameters, options?: CallOptions): Promise<PriceAnswer>;
  /** Up to 64 offers, all priced at one block. */
  prices(parameters: PricesParameters, options?: CallOptions): Promise<PricesAnswer>;
  /**
   * An offer with its transaction, which is checked against the request: see `checkQuote`. The default deadline is 20
   * minutes from now by the local clock.
   *
   * @throws BraidError the service's failure, UNREACHABLE, BAD_ANSWER or QUOTE_MISMATCH
   */
  quote(parameters: QuoteParameters, options?: CallOptions & Limits): Promise<QuoteAnswer>;
  allowance(parameters: AllowanceParameters, options?: CallOptions): Promise<AllowanceAnswer>;
  /**
   * The transaction that approves `amount`, or any amount where there is none, checked against the request.
   *
   * @throws BraidError the service's failure, UNREACHABLE, BAD_ANSWER or QUOTE_MISMATCH
   */
  approve(parameters: ApproveParameters, options?: CallOptions): Promise<ApproveAnswer>;
  /** Yields the price again for each new block, until the loop ends or `signal` is aborted. */
  watch(parameters: PriceParameters, options?: WatchOptions): AsyncGenerator<PriceAnswer, void, undefined>;
  /** Executes a swap: quotes, checks, approves or signs where needed, sends and waits. See `SwapRequest`. */
  swap(request: SwapRequest): Promise<SwapResult>;
  /**
   * Makes later prices and quotes of the chain use this block or a newer one. `swap` does it after its transactions.
   */
  sawBlock(chainID: number, blockNumber: number): void;
};

const DEADLINE_SECONDS = 1_200;
const RETRIES = 2;

export function createBraid(options: BraidOptions): Braid {
  const transport = transportOf(options);
  const seen = new Map<number, number>();
  const fresh = <P extends ChainParameter & { readonly min_block?: number | undefined }>(
    parameters: P,
  ): P => {
    const least = Math.max(seen.get(parameters.chainID) ?? 0, parameters.min_block ?? 0);
    return least === 0 ? parameters : { ...parameters, min_block: least };
  };
  const braid: Braid = {
    platforms: async (more) =>
      listOf((await ask<PlatformsAnswer>(transport, "platforms", {}, more)).platforms, "platforms"),
    tokens: async (of, more) =>
      listOf((await ask<ChainTokensAnswer>(transport, "chainTokens", of, more)).tokens, "tokens"),
    sources: async (more) =>
      listOf((await ask<SourcesAnswer>(transport, "sources", {}, more)).sources, "sources"),
    gasPrices: (of, more) => ask(transport, "gasPrices", of, more),
    health: (more) => ask(transport, "health", {}, more),
    price: (of, more) => ask(transport, "price", fresh(of), more),
    prices: (of, more) => ask(transport, "prices", fresh(of), more),
    allowance: (of, more) => ask(transport, "allowance", of, more),
    approve: async (of, more) => {
      const approval = await ask<ApproveAnswer>(transport, "approve", of, more);
      checkApproval(of, approval);
      return approval;
    },
    quote: async (of, { signal, ...limits } = {}) => {
      const deadline = of.deadline ?? Math.floor(Date.now() / 1000) + DEADLINE_SECONDS;
      const asked: Asked = { ...fresh(of), deadline };
      const quote = await ask<QuoteAnswer>(transport, "quote", asked, { signal }).catch((error: unknown) => {
        throw of.deadline === undefined ? withClock(error) : error;
      });
      checkQuote(asked, quote, limits);
      return quote;
    },
    watch: (of, more) => watchPrice((each, inner) => braid.price(each, inner), of, more),
    swap: (request) => runSwap(braid, request, transport.signal),
    sawBlock: (chainID, block) => void seen.set(chainID, Math.max(seen.get(chainID) ?? 0, block)),
  };
  return braid;
}

/** A refusal of the default deadline, whose cause is the local clock; any other error is returned as it is. */
function withClock(error: unknown): unknown {
  if (!(error instanceof BraidError) || error.details.every(({ field }) => field !== "deadline"))
    return error;
  const { reason, message } = error;
  const why =
    "It was computed from this machine's clock, which is behind the chain's: set the clock, or name a deadline.";
  return new BraidError(reason, `${message} ${why}`, error);
}

function transportOf(options: BraidOptions): Transport {
  const { url, signal, apiKey, retries = RETRIES } = options;
  const base = new URL(url);
  return {
    url: `${base.origin}${base.pathname}`.replace(/\/+$/, ""),
    // A browser's fetch must be called as a method of its window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    signal,
    retries,
    headers: apiKey === undefined ? {} : { "x-api-key": apiKey },
    redirect: apiKey === undefined ? "follow" : "manual",
  };
}
