import { withMinimum } from "../../../packages/sdk/src/quote/calldata.ts";
import { type PriceRequest, soldIn } from "../api.ts";
import { fetchQuote, type Quote, type QuoteWish } from "./quote.ts";

/**
 * What the user is guaranteed once a quote is accepted. It is accepted when it is the first one of a review, when it
 * is better than the accepted one, or when the user accepts it by a click. Until the swap is sent, a newer quote may take
 * its place without a click only if
 *
 *   1. it sells no more than the accepted one;
 *   2. the minimum in its transaction, below which the router reverts, is at least the minimum of the accepted one;
 *   3. the amount that it expects is at most a fifth of the user's slippage below that of the accepted one.
 *
 * The service derives a minimum from the expected amount of each quote, so that a lower quote has a lower minimum. Such
 * a quote therefore never is sent as it is: the page raises the minimum in its calldata to the accepted one. The
 * accepted quote stays the measure for all later ones, so that small moves cannot add up to more than the fifth.
 *
 * Where an exact amount is bought, a newer quote would sell more. The page then takes a quote that sells exactly the
 * accepted amount, under the same three conditions.
 */
export type Promised = { readonly accepted: Quote; readonly request: PriceRequest };

const PPM = 1_000_000n;
/** The part of the slippage that a move may take without a click. */
const TOLERATED = 5n;

/**
 * The newer quote with the minimum that the user accepted; undefined where it breaks the promise, so that the user has
 * to accept it first.
 */
export function keptPromise({ accepted, request }: Promised, next: Quote): Quote | undefined {
  if (soldIn(next, request) > soldIn(accepted, request)) return undefined;
  const ppm = BigInt(Math.round(Number(request.slippage) * 1000));
  if (expected(next, request) * TOLERATED * PPM < expected(accepted, request) * (TOLERATED * PPM - ppm))
    return undefined;
  return withLeast(next, accepted);
}

/** Whether the newer quote sells no more than the accepted one, and is expected to buy no less. */
export function isAsGood({ accepted, request }: Promised, next: Quote): boolean {
  return (
    soldIn(next, request) <= soldIn(accepted, request) &&
    expected(next, request) >= expected(accepted, request)
  );
}

/** The amount bought that the user counts on; more than an exact amount asked for does not count. */
function expected(quote: Quote, { side, amount }: PriceRequest): bigint {
  const { amount_out_total: total } = quote.terms;
  return side === "BUY" && total > amount ? amount : total;
}

/** The quote with at least the minimum of the accepted one, in its transaction and in what the page shows of it. */
function withLeast(next: Quote, accepted: Quote): Quote {
  const least = accepted.terms.min_amount_out;
  if (next.terms.min_amount_out >= least) return next;
  return {
    ...next,
    min_amount_out: String(least),
    min_amount_out_usd: accepted.min_amount_out_usd ?? null,
    terms: { ...next.terms, min_amount_out: least, calldata: withMinimum(next.terms.calldata, least) },
  };
}

/**
 * Requests the newest quote for a swap whose terms were accepted. Where it would sell more than was accepted, this is a
 * quote that sells exactly the accepted amount, if that keeps the promise.
 *
 * @throws as `fetchQuote`
 */
export async function fetchAgain(promised: Promised, wish: QuoteWish, signal: AbortSignal): Promise<Quote> {
  const next = await fetchQuote(wish, signal);
  const amount = soldIn(promised.accepted, promised.request);
  if (soldIn(next, promised.request) <= amount) return next;
  const request: PriceRequest = { ...wish.request, side: "SELL", amount };
  const exact = await fetchQuote({ ...wish, request }, signal);
  return keptPromise(promised, exact) === undefined ? next : exact;
}
