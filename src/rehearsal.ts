import { NATIVE } from "./core/types.ts";
import type { App } from "./http/app-types.ts";
import type { Deps } from "./service/deps.ts";
import { type Exchange, plainRequest, price } from "./service/pricing/price.ts";

/** Listed tokens that are exchanged for each other and for the native coin. */
const TOKENS = 4;
/** Worth of the amounts, in wei of the native coin: routes of one leg and of many. */
const WORTHS_WEI = [10 ** 17, 10 ** 19, 10 ** 21];
/** Endpoints whose serializers are compiled when they first answer. */
const ENDPOINTS = ["price", "quote"];
/** Nobody's address: the requests take nothing of what a client may ask in a minute. */
const CALLER = "0.0.0.0";

/** How many searches were made, and how long the first and the last of them took. */
export type Rehearsal = { readonly searches: number; readonly firstMs: number; readonly lastMs: number };

/**
 * Prices exchanges of the chain's first tokens until a budget is spent, then asks each endpoint once, so that code is
 * compiled and the curves of the deepest pools are built before the first user asks. Answers are thrown away.
 *
 * @param budgetMs no search begins after this; each ends within the service's own limit for one
 */
export async function rehearse(
  { deps, app }: { readonly deps: Deps; readonly app: App },
  chainId: number,
  budgetMs: number,
): Promise<Rehearsal> {
  const start = deps.monotonicMs();
  const exchanges = exchangesOf(deps, chainId);
  const times: number[] = [];
  for (let k = 0; exchanges.length > 0 && deps.monotonicMs() - start < budgetMs; k++) {
    const begun = deps.monotonicMs();
    // A pair without a route is as good a rehearsal as any, and a chain that is not fresh is said elsewhere.
    await price(deps, plainRequest(exchanges[k % exchanges.length]!)).catch(() => undefined);
    times.push(deps.monotonicMs() - begun);
    await deps.pause();
  }
  for (const exchange of exchanges.slice(0, 1)) {
    for (const endpoint of ENDPOINTS) await app.inject(requestTo(endpoint, exchange));
  }
  const [firstMs = 0, lastMs = 0] = [times[0], times.at(-1)].map((ms) => Math.round((ms ?? 0) * 100) / 100);
  return { searches: times.length, firstMs, lastMs };
}

function exchangesOf(deps: Deps, chainId: number): Exchange[] {
  const market = deps.chains.get(chainId)?.market;
  if (market === undefined) return [];
  const listed = deps.tokens.all(chainId).map(({ address }) => address);
  const tokens = [NATIVE, ...listed.filter((token) => token !== NATIVE).slice(0, TOKENS)];
  return WORTHS_WEI.flatMap((worth) =>
    tokens.flatMap((tokenIn) => {
      const unitWei = tokenIn === NATIVE ? 1 : market.nativePer(tokenIn);
      if (unitWei === undefined || !(unitWei > 0)) return [];
      const amount = BigInt(Math.ceil(worth / unitWei));
      return tokens.flatMap((tokenOut) =>
        tokenIn === tokenOut ? [] : [{ chainId, tokenIn, tokenOut, amount }],
      );
    }),
  );
}

function requestTo(endpoint: string, { chainId, tokenIn, tokenOut, amount }: Exchange) {
  const query = {
    fromTokenAddress: tokenIn,
    toTokenAddress: tokenOut,
    amount: String(amount),
    slippage: "10",
  };
  return {
    url: `/v1/${chainId}/${endpoint}`,
    query,
    headers: { "x-request-id": "rehearsal" },
    remoteAddress: CALLER,
  };
}
