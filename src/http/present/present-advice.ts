import { randomUUID } from "node:crypto";
import { type Values, valuesOf } from "../../service/advice/values.ts";
import type { Offer } from "../../service/pricing/offer.ts";

/** The fields of an answer beside the offer itself: US dollar values, advice and the quote id. */

/** An id for an answer without a stored record. Node caches random data for randomUUID, unlike for randomBytes. */
const newId = (): string => randomUUID().replaceAll("-", "");

/** @param quoteId id of the offer's stored record; undefined where none is stored */
export function presentAdvice(offer: Offer, quoteId: string | undefined) {
  const { prices, suggestedSlippagePpm, notices } = offer.advice;
  const values = valuesOf(prices, offer);
  return {
    ...presentValues(values),
    price_impact: offer.priceImpactBps === undefined ? null : offer.priceImpactBps / 10,
    suggested_slippage: suggestedSlippagePpm / 1_000,
    notices: notices.map((notice) => ({ ...notice, details: { ...notice.details } })),
    state: offer.isPreconfirmed ? "preconfirmed" : "sealed",
    quote_id: quoteId ?? newId(),
  };
}

function presentValues({ amountInUsd, amountOutUsd, minimumOutUsd, gasUsd, netOut }: Values) {
  return {
    amount_in_usd: dollarText(amountInUsd),
    amount_out_usd: dollarText(amountOutUsd),
    min_amount_out_usd: dollarText(minimumOutUsd),
    gas_usd: dollarText(gasUsd),
    net_out: netOut?.toString() ?? null,
  };
}

/** Largest plausible value in US dollars; a larger one comes from a wrong price and is shown as null. */
const MOST_USD = 1e15;

/** Decimal text with two fraction digits, or six below one dollar; null for unknown, negative or implausible values. */
export function dollarText(usd: number | undefined): string | null {
  if (usd === undefined || !(usd >= 0 && usd <= MOST_USD)) return null;
  return usd.toFixed(usd >= 1 ? 2 : 6);
}
