import { revertOf } from "../../../packages/sdk/src/swap/run.ts";
import { dollars } from "../offer/amount.ts";
import type { Way } from "./pay.ts";
import type { Quote } from "./quote.ts";

/** How a swap's risk is presented to the user who confirms it. */
export type Risk =
  | { readonly kind: "none" }
  /** A warning beside the offer. */
  | { readonly kind: "said"; readonly text: string }
  /** The user must type a word first. */
  | { readonly kind: "typed"; readonly text: string; readonly word: string }
  /** The swap cannot be confirmed. */
  | { readonly kind: "barred"; readonly text: string };

/** Price impact in percent from which there is a warning, and from which a word must be typed. */
const SAID = 5;
const TYPED = 15;
/** Slippage in percent from which there is a warning, and from which a word must be typed. */
const SLIPPAGE_SAID = 5;
const SLIPPAGE_TYPED = 30;
/** A word that was typed for the price is none for a swap that has come to revert since. */
const WORD = "accept";
const REVERT_WORD = "revert";

const REVERTS =
  "This swap reverts when it is run now, as said above. If you send it all the same, you most likely pay gas for nothing.";
const BARRED =
  "This swap reverts when it is run now, as said above, so it is not sent: you would approve or sign for nothing. It is tried again with each new quote.";

/**
 * Rates what a swap may cost its user beyond the market price.
 *
 * @param slippagePercent slippage that the user allows
 * @param way how the router gets the tokens. A swap behind an approval or a signature is not sent where it reverts, so
 *   that there is nothing to approve or sign.
 */
export function riskOf(offer: Quote, slippagePercent: number, way: Way = "none"): Risk {
  if (revertOf(offer.terms) !== undefined)
    return way === "none"
      ? { kind: "typed", text: REVERTS, word: REVERT_WORD }
      : { kind: "barred", text: BARRED };
  const impact = (offer.price_impact_bps ?? 0) / 100;
  const texts = [impactText(impact), slippageText(offer, slippagePercent)].filter((text) => text !== "");
  if (texts.length === 0) return { kind: "none" };
  const text = texts.join(" ");
  const isTyped = impact >= TYPED || slippagePercent >= SLIPPAGE_TYPED;
  return isTyped ? { kind: "typed", text, word: WORD } : { kind: "said", text };
}

function impactText(percent: number): string {
  return percent < SAID ? "" : `This swap moves the price against you by ${percent.toFixed(1)} %.`;
}

function slippageText({ min_amount_out_usd: least }: Quote, percent: number): string {
  if (percent < SLIPPAGE_SAID) return "";
  const others = percent < SLIPPAGE_TYPED ? ": others can take that from you" : "";
  const worst = typeof least === "string" ? ` In the worst case you get ${dollars(least)}.` : "";
  return `You allow the price to be ${percent} % worse than shown${others}.${worst}`;
}
