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
import { type Asked, checkQuote, type Limits } from "./quote/bounds.ts";
import { ask, type CallOptions, type Transport } from "./request.ts";
import type { SwapRequest, SwapResult } from "./swap/run.ts";
import { runSwap } from "./swap/swap.ts";
import { type WatchOptions, watchPrice } from "./watch.ts";

export type BraidOptions = {
  /** Base address of the service, such as "http://127.0.0.1:8080". */
  readonly url: string;
  /** Instead of the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends everything that this client has under way. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as X-Api-Key. */
  readonly apiKey?: string | undefined;
  /** How often a request is sent again where the service says when (429, 503 with Retry-After); default 2. */
  readonly retries?: number | undefined;
};

/** A token of a chain's list. */
export type Token = ChainTokensAnswer["tokens"][number];
export type Platform = PlatformsAnswer["platforms"][number];
export type Source = SourcesAnswer["sources"][number];
type ChainParameter = { readonly chainID: number };

/** Amounts are bigints of smallest units; slippage and fees of the parameters count in thousandths (10 = 1 %). */
export type Braid = {
  platforms(options?: CallOptions): Promise<readonly Platform[]>;
  tokens(parameters: ChainTokensParameters, options?: CallOptions): Promise<readonly Token[]>;
  sources(options?: CallOptions): Promise<readonly Source[]>;
  /** In GWEI, as decimal texts: `parseAmount(text, 9)` is WEI. */
  gasPrices(parameters: GasPricesParameters, options?: CallOptions): Promise<GasPricesAnswer>;
  health(options?: CallOptions): Promise<HealthAnswer>;
  price(parameters: PriceParameters, options?: CallOptions): Promise<PriceAnswer>;
  /** Up to 64 offers at one block. */
  prices(parameters: PricesParameters, options?: CallOptions): Promise<PricesAnswer>;
  /**
   * An offer with its transaction, held to what was asked for: see `checkQuote`. Without `deadline` it is 20 minutes
   * from now by this machine's clock.
   *
   * @throws BraidError the service's failure, or QUOTE_MISMATCH
   */
  quote(parameters: QuoteParameters, options?: CallOptions & Limits): Promise<QuoteAnswer>;
  allowance(parameters: AllowanceParameters, options?: CallOptions): Promise<AllowanceAnswer>;
  approve(parameters: ApproveParameters, options?: CallOptions): Promise<ApproveAnswer>;
  /** The price after each block, for as long as the loop asks. */
  watch(parameters: PriceParameters, options?: WatchOptions): AsyncGenerator<PriceAnswer, void, undefined>;
  /** Quote, check, approve or sign where needed, send, wait: see `SwapRequest`. */
  swap(request: SwapRequest): Promise<SwapResult>;
  /** From now on no price or quote of the chain is from before this block: for transactions sent without `swap`. */
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
    platforms: async (more) => (await ask<PlatformsAnswer>(transport, "platforms", {}, more)).platforms,
    tokens: async (of, more) => (await ask<ChainTokensAnswer>(transport, "chainTokens", of, more)).tokens,
    sources: async (more) => (await ask<SourcesAnswer>(transport, "sources", {}, more)).sources,
    gasPrices: (of, more) => ask(transport, "gasPrices", of, more),
    health: (more) => ask(transport, "health", {}, more),
    price: (of, more) => ask(transport, "price", fresh(of), more),
    prices: (of, more) => ask(transport, "prices", of, more),
    allowance: (of, more) => ask(transport, "allowance", of, more),
    approve: (of, more) => ask(transport, "approve", of, more),
    quote: async (of, { signal, ...limits } = {}) => {
      const deadline = of.deadline ?? Math.floor(Date.now() / 1000) + DEADLINE_SECONDS;
      const asked: Asked = { ...fresh(of), deadline };
      const quote = await ask<QuoteAnswer>(transport, "quote", asked, { signal });
      checkQuote(asked, quote, limits);
      return quote;
    },
    watch: (of, more) => watchPrice((each, inner) => braid.price(each, inner), of, more),
    swap: (request) => runSwap(braid, request, transport.signal),
    sawBlock: (chainID, block) => void seen.set(chainID, Math.max(seen.get(chainID) ?? 0, block)),
  };
  return braid;
}

function transportOf(options: BraidOptions): Transport {
  const { url, signal, apiKey, retries = RETRIES } = options;
  const base = new URL(url);
  return {
    url: `${base.origin}${base.pathname}`.replace(/\/+$/, ""),
    // A browser's fetch only works as a function of its window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    signal,
    retries,
    headers: apiKey === undefined ? {} : { "x-api-key": apiKey },
  };
}
