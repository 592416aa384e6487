import { revertOf } from "../../../packages/sdk/src/swap/run.ts";
import { dollars } from "../offer/amount.ts";
import type { Quote } from "./quote.ts";

/** How a swap's risk is presented to the user who confirms it. */
export type Risk =
  | { readonly kind: "none" }
  /** A warning beside the offer. */
  | { readonly kind: "said"; readonly text: string }
  /** The user must type a word first. */
  | { readonly kind: "typed"; readonly text: string; readonly word: string };

/** Price impact in percent from which there is a warning, and from which a word must be typed. */
const SAID = 5;
const TYPED = 15;
/** Slippage in percent from which there is a warning, and from which a word must be typed. */
const SLIPPAGE_SAID = 5;
const SLIPPAGE_TYPED = 30;
const WORD = "accept";

const REVERTS =
  "This swap reverts when it is run now, as said above. If you send it all the same, you most likely pay gas for nothing.";

/**
 * Rates what a swap may cost its user beyond the market price.
 *
 * @param slippagePercent slippage that the user allows
 */
export function riskOf(offer: Quote, slippagePercent: number): Risk {
  if (revertOf(offer.terms) !== undefined) return typed(REVERTS);
  const impact = (offer.price_impact_bps ?? 0) / 100;
  const least = offer.min_amount_out_usd ?? undefined;
  const worst = least === undefined ? "" : ` In the worst case you get ${dollars(least)}.`;
  if (impact >= TYPED) return typed(`This swap moves the price against you by ${impact.toFixed(1)} %.`);
  if (slippagePercent >= SLIPPAGE_TYPED)
    return typed(`You allow the price to be ${slippagePercent} % worse than shown.${worst}`);
  if (impact >= SAID)
    return { kind: "said", text: `This swap moves the price against you by ${impact.toFixed(1)} %.` };
  if (slippagePercent >= SLIPPAGE_SAID)
    return {
      kind: "said",
      text: `You allow the price to be ${slippagePercent} % worse than shown: others can take that from you.${worst}`,
    };
  return { kind: "none" };
}

function typed(text: string): Risk {
  return { kind: "typed", text, word: WORD };
}
