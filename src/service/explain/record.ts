import { isMakerPool } from "../../core/rfq.ts";
import type { SearchAccount } from "../../core/routing/types.ts";
import type { Proof, Unproved } from "../accounts/proof.ts";
import type { Deps } from "../deps.ts";
import type {
  Asker,
  QuoteRecord,
  RecordedAmounts,
  RecordedCandidate,
  RecordedPool,
  RecordedRequest,
  RecordedSearch,
  RecordedStep,
  RecordedTransaction,
} from "../ports/ports-quotes.ts";
import { tokensOf } from "../pricing/flow.ts";
import type { Priced, PriceRequest } from "../pricing/price.ts";
import type { Quote, QuoteRequest } from "../quoting/quote.ts";

/** Records how a price came about. @returns the id of the record; undefined where none are kept */
export function keepPrice(deps: Deps, priced: Priced, asker: Asker): string | undefined {
  deps.accuracy?.offered(priced.offer, priced.prepared.request.fees.buyPermille, asker.caller);
  return keep(deps, priced, asker, {
    kind: "price",
    redacted: [],
    encodeMs: null,
    simulateMs: null,
    transaction: null,
    simulation: null,
  });
}

/** The facts of a quote's record beyond those of its price. */
type QuoteFacts = {
  readonly request: QuoteRequest;
  readonly proof: Proof | Unproved;
  /** Milliseconds from the request to the answer. */
  readonly totalMs: number;
};

/** Records how a quote came about. @returns the id of the record; undefined where none are kept */
export function keepQuote(deps: Deps, made: Quote, asker: Asker, facts: QuoteFacts): string | undefined {
  const { priced, offer, encodeMs } = made;
  const { proof, totalMs, request } = facts;
  const { chainId, fees } = request;
  deps.accuracy?.offered(priced.offer, fees.buyPermille, asker.caller);
  const { calldataHash } = made.hashes;
  const { amountOut, head } = offer;
  deps.accuracy?.quoted({ chainId, calldataHash, amountOut, head, at: priced.at, taker: request.taker });
  if (proof.status !== "none") deps.accuracy?.proved(offer, proof);
  const { search, settle } = searchStages(priced);
  const spent = priced.waitMs + search + settle + encodeMs;
  return keep(deps, { ...priced, offer }, asker, {
    kind: "quote",
    redacted: redactedOf(request),
    encodeMs,
    simulateMs: Math.max(0, totalMs - spent),
    transaction: transactionOf(made),
    simulation: proof.status === "none" ? null : simulationOf(proof),
  });
}

type Kept = Pick<QuoteRecord, "kind" | "redacted" | "transaction" | "simulation"> & {
  readonly encodeMs: number | null;
  readonly simulateMs: number | null;
};

function keep(deps: Deps, priced: Priced, asker: Asker, facts: Kept): string | undefined {
  const { quotes, unixSeconds, settings } = deps;
  if (quotes === undefined) return undefined;
  const { offer, found, prepared, view } = priced;
  const { encodeMs, simulateMs, ...rest } = facts;
  const { number, hash, timestamp } = offer.head;
  const { maxHops, maxLegs } = settings;
  const record: QuoteRecord = {
    ...rest,
    madeAt: unixSeconds(),
    request: requestOf(prepared.request),
    block: { number, hash, timestamp },
    limits: { maxHops, maxLegs, timeoutMs: settings.searchTimeoutMs },
    gasPriceWei: offer.gasPriceWei.toString(),
    amounts: amountsOf(priced),
    steps: stepsOf(priced),
    searches: searchesOf(priced),
    ...accountOf(found.account),
    refused: priced.refused,
    stages: { wait: priced.waitMs, ...searchStages(priced), encode: encodeMs, simulate: simulateMs },
  };
  const ids = [...new Set(offer.route.steps.flatMap(({ pool }) => (isMakerPool(pool) ? [] : pool.stateIds)))];
  return quotes.keep(record, asker, { view, ids });
}

function requestOf(request: PriceRequest): RecordedRequest {
  const { chainId, tokenIn, tokenOut, amount, side, slippagePpm, fees, sources, withGas } = request;
  const { list, names, rfqOnly } = sources;
  return {
    ...{ chainId, tokenIn, tokenOut, side, slippagePpm, withGas },
    amount: amount.toString(),
    gasPriceWei: textOf(request.gasPriceWei),
    feeRecipient: fees.recipient ?? null,
    buyPermille: fees.buyPermille,
    sellPermille: fees.sellPermille,
    sources: { list, names: [...names], rfqOnly },
    maxImpactPpm: request.maxImpactPpm ?? null,
  };
}

function redactedOf({ taker, recipient, permit }: QuoteRequest): string[] {
  return [
    ...(taker === undefined ? [] : ["takerAddress"]),
    ...(recipient === undefined ? [] : ["recipientAddress"]),
    ...(permit === undefined ? [] : ["permit_signature"]),
  ];
}

function amountsOf({ offer }: Priced): RecordedAmounts {
  const { amountIn, amountOut, minimumOut, buyFee, sellFee, gas } = offer;
  return {
    sold: amountIn.toString(),
    bought: amountOut.toString(),
    minimum: minimumOut.toString(),
    buyFee: buyFee.toString(),
    sellFee: sellFee.toString(),
    gas: gas.toString(),
  };
}

function stepsOf({ offer }: Priced): RecordedStep[] {
  return offer.route.steps.map((step) => {
    const { pool, shareQ32 } = step;
    const [amountIn, amountOut] = [step.amountIn.toString(), step.amountOut.toString()];
    const [tokenIn, tokenOut] = tokensOf(step);
    const { id, protocol, deployment } = pool;
    return { pool: id, protocol, deployment, tokenIn, tokenOut, shareQ32, amountIn, amountOut };
  });
}

/** Total time of an offer's successful searches, milliseconds: searching in doubles, and settling in integers. */
function searchStages({ searches }: Priced): { readonly search: number; readonly settle: number } {
  const found = searches.flatMap(({ result }) => (result.kind === "found" ? [result.search] : []));
  const settle = found.reduce((sum, { settleMs }) => sum + settleMs, 0);
  return { search: found.reduce((sum, { ms }) => sum + ms, 0) - settle, settle };
}

function searchesOf({ searches, found }: Priced): RecordedSearch[] {
  return searches.map(({ allowed, result }) => {
    const asked = { vetted: allowed.vetted, avoided: allowed.avoided.length };
    if (result.kind === "missing")
      return { ...asked, found: null, reason: result.reason, complete: true, ms: 0, chosen: false };
    const { route, gas } = result;
    const { complete, ms } = result.search;
    const { amountIn, amountOut, steps } = route;
    return {
      ...asked,
      found: { amountIn: amountIn.toString(), amountOut: amountOut.toString(), legs: steps.length, gas },
      reason: null,
      ...{ complete, ms },
      // A route over makers' orders comes from this search and is only settled again, so it has the same account
      // object.
      chosen: result.account === found.account,
    };
  });
}

function accountOf(account: SearchAccount | undefined): Pick<QuoteRecord, "candidates" | "prices" | "pools"> {
  if (account === undefined) return { candidates: [], prices: [], pools: [] };
  return {
    candidates: account.candidates.map(({ legs, estimate, settled }): RecordedCandidate => {
      return {
        legs,
        estimate: estimate ?? null,
        amountIn: textOf(settled?.amountIn),
        amountOut: textOf(settled?.amountOut),
        gas: settled?.gas ?? null,
        net: textOf(settled?.net),
      };
    }),
    prices: [...account.prices].map(([token, price]) => ({ token, price })),
    pools: account.pools.map((pool): RecordedPool => ({ ...pool })),
  };
}

function transactionOf({ call, validUntil, hashes }: Quote): RecordedTransaction {
  return { to: call.to, value: call.value.toString(), deadline: validUntil, ...hashes };
}

function simulationOf({ status, amountOut, gasUsed, method }: Proof) {
  return { status, amountOut: textOf(amountOut), gasUsed: textOf(gasUsed), method };
}

const textOf = (amount: bigint | undefined): string | null => amount?.toString() ?? null;
