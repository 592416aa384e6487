import { BraidError } from "../../core/errors.ts";
import { stateAgeLimitMs } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ServedChain } from "../ports/ports.ts";
import { unvettedBetween } from "../pricing/intermediates.ts";
import type { BareOffer } from "../pricing/offer.ts";
import { type SourceWish, unknownSources } from "../pricing/sources.ts";
import { noticesOf } from "./notices.ts";
import { pairClass, suggestedSlippagePpm } from "./slippage.ts";
import type { Advice } from "./types.ts";
import { pricesOf } from "./values.ts";

/** What of a request its notices speak of. */
type Wish = { readonly slippagePpm: number; readonly sources: SourceWish };

/** Prices, a suggested slippage and notices for an offer, from the newest state in memory. */
export function advise(deps: Deps, served: ServedChain, offer: BareOffer, wish: Wish): Advice {
  const { chain, market } = served;
  const [tokenIn, tokenOut] = [offer.tokenIn.address, offer.tokenOut.address];
  const prices = pricesOf({ chain, market, tokens: deps.tokens }, tokenIn, tokenOut);
  const kind = pairClass(chain, tokenIn, tokenOut, prices);
  const driftPpm = deps.accuracy?.driftPpm(chain.id, tokenIn, tokenOut);
  const suggested = suggestedSlippagePpm(kind, driftPpm, offer.priceImpactBps);
  const status = market.status();
  const notices = noticesOf(offer, {
    slippagePpm: wish.slippagePpm,
    suggestedSlippagePpm: suggested,
    unknownSources: unknownSources(chain, wish.sources),
    unvetted: unvettedBetween(offer.route, served.isVetted),
    ageMs: status.phase === "live" ? status.ageMs : 0,
    headAgeMs: (status.phase === "live" ? status.headAgeMs : undefined) ?? 0,
    blockTimeMs: chain.blockTimeMs,
    limitMs: stateAgeLimitMs(chain, deps.settings.maxStateAgeMs),
  });
  return { prices, pairClass: kind, suggestedSlippagePpm: suggested, notices };
}

const BPS_PPM = 100;

/**
 * Refuses an offer whose price impact is above the caller's limit, or is unknown where the caller sets a limit.
 *
 * @param mostPpm highest price impact, parts per million; undefined = no limit
 * @throws BraidError IMPACT_TOO_HIGH
 */
export function refuseImpact({ priceImpactBps: bps }: BareOffer, mostPpm: number | undefined): void {
  if (mostPpm === undefined || (bps !== undefined && bps * BPS_PPM <= mostPpm)) return;
  const most = mostPpm / 1_000;
  const is = bps === undefined ? "is not known" : `is ${bps / 100} %`;
  const reason = `the price impact ${is}, at most ${mostPpm / 10_000} % is allowed`;
  const impact = bps === undefined ? {} : { price_impact: bps / 10 };
  throw new BraidError("IMPACT_TOO_HIGH", `Too high a price impact: ${reason.slice(4)}.`, {
    details: [{ field: "max_price_impact", reason, value: most, ...impact }],
  });
}
