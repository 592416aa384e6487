import { randomUUID } from "node:crypto";
import { type Values, valuesOf } from "../../service/advice/values.ts";
import type { Offer } from "../../service/pricing/offer.ts";

/** What is told beside an offer: values, advice, and what names it. */

/** An id of which no record is kept. The runtime draws randomness for many of these at a time, for bytes at each call. */
const newId = (): string => randomUUID().replaceAll("-", "");

/** @param quoteId of the record that is kept of it; undefined where none is */
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

/** No token is worth so much: what is priced above it is priced wrong. */
const MOST_USD = 1e15;

/** Plain decimal text: cents, and six digits below a dollar. */
export function dollarText(usd: number | undefined): string | null {
  if (usd === undefined || !(usd >= 0 && usd <= MOST_USD)) return null;
  return usd.toFixed(usd >= 1 ? 2 : 6);
}
