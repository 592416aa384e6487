import { isMakerPool } from "./core/rfq.ts";
import { NATIVE } from "./core/types.ts";
import type { App } from "./http/app-types.ts";
import type { Deps } from "./service/deps.ts";
import { type Exchange, plainRequest, price } from "./service/pricing/price.ts";

/** Number of listed tokens that are priced against each other and the native coin. */
const TOKENS = 4;
/** Values of the amounts in wei of the native coin, so that routes have one leg and many. */
const WORTHS_WEI = [10 ** 17, 10 ** 19, 10 ** 21];
/** Endpoints that are called once, so that the code of their answers is compiled before the first request. */
const ENDPOINTS = ["price", "quote"];
/** Address that no client has, so that these requests do not count against any client's rate limit. */
const CALLER = "0.0.0.0";

/** Number of warm-up searches, and the time of the first and the last of them. */
export type Rehearsal = { readonly searches: number; readonly firstMs: number; readonly lastMs: number };

/**
 * Warms a chain up: prices exchanges of its first tokens until a time budget is spent, then calls each endpoint once,
 * so that code is compiled and the curves of the deepest pools are built before the first request. Results are
 * discarded.
 *
 * @param budgetMs no search begins after this time; each ends within the service's search timeout
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
    // Failures are ignored: a search without a route also warms up, and a stale chain is reported by /health.
    await price(deps, plainRequest(exchanges[k % exchanges.length]!)).catch(() => undefined);
    times.push(deps.monotonicMs() - begun);
    await deps.pause();
  }
  for (const exchange of exchanges.slice(0, 1)) {
    const makers = makersOf(deps, chainId);
    for (const endpoint of ENDPOINTS) await app.inject(requestTo(endpoint, exchange, makers));
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

/** Ids of a chain's makers: none of them is asked to sign an order that nobody wants, or fades because code is cold. */
function makersOf({ chains }: Deps, chainId: number): readonly string[] {
  const { deployments } = chains.get(chainId)!.chain;
  return deployments.filter(isMakerPool).map(({ id }) => id);
}

function requestTo(
  endpoint: string,
  { chainId, tokenIn, tokenOut, amount }: Exchange,
  excluded: readonly string[],
) {
  const query = {
    fromTokenAddress: tokenIn,
    toTokenAddress: tokenOut,
    amount: String(amount),
    slippage: "10",
    ...(excluded.length === 0 ? {} : { excludeAggregator: excluded.join(",") }),
  };
  return {
    url: `/v1/${chainId}/${endpoint}`,
    query,
    headers: { "x-request-id": "rehearsal" },
    remoteAddress: CALLER,
  };
}
