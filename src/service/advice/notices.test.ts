import { expect, test } from "vitest";
import type { BareOffer } from "../pricing/offer.ts";
import { noticesOf } from "./notices.ts";

const facts = { slippagePpm: 5_000, suggestedSlippagePpm: 5_000, ageMs: 0, limitMs: 30_000 };
const listed = { isListed: true };

test("an offer without a proven bound carries a notice with the reason, last in severity; an offer with a bound does not", () => {
  const offer = (optimality: object, impact = 0) =>
    ({ priceImpactBps: impact, tokenIn: listed, tokenOut: listed, optimality }) as unknown as BareOffer;
  const unproven = { upperBound: null, reason: "time" };
  expect(noticesOf(offer(unproven), facts)).toEqual([
    {
      code: "UNPROVEN_OPTIMUM",
      severity: "info",
      message: "Nothing proves how close this route is to the best: time.",
      details: { reason: "time" },
    },
  ]);
  const codes = noticesOf(offer(unproven, 600), facts).map(({ code }) => code);
  expect(codes).toEqual(["HIGH_PRICE_IMPACT", "UNPROVEN_OPTIMUM"]);
  expect(noticesOf(offer({ upperBound: 5n }), facts)).toEqual([]);
});
