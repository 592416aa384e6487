import { expect, test } from "vitest";
import type { BareOffer } from "../pricing/offer.ts";
import { noticesOf } from "./notices.ts";

const facts = {
  slippagePpm: 5_000,
  suggestedSlippagePpm: 5_000,
  unvetted: [],
  unknownSources: [],
  ageMs: 0,
  limitMs: 30_000,
  headAgeMs: 0,
  blockTimeMs: 12_000,
};
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

test("an offer whose route crosses unvetted tokens carries a warning that names them", () => {
  const offer = { tokenIn: listed, tokenOut: listed, optimality: { upperBound: 5n } } as unknown as BareOffer;
  const [one, two] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as const;
  expect(noticesOf(offer, { ...facts, unvetted: [one] })).toEqual([
    {
      code: "UNVETTED_TOKEN",
      severity: "warning",
      message: `The route crosses the token ${one}, whose code is not vetted: it may make the swap pay only the minimum, or revert.`,
      details: { tokens: one },
    },
  ]);
  const [notice] = noticesOf(offer, { ...facts, unvetted: [one, two] });
  expect(notice?.message).toContain(`the tokens ${one}, ${two},`);
  expect(notice?.details).toEqual({ tokens: `${one},${two}` });
});

test("a price of nodes that confirm one block for ten block times says so", () => {
  const offer = { tokenIn: listed, tokenOut: listed, optimality: { upperBound: 5n } } as unknown as BareOffer;
  expect(noticesOf(offer, { ...facts, headAgeMs: 119_000 })).toEqual([]);
  expect(noticesOf(offer, { ...facts, headAgeMs: 120_000 })).toMatchObject([
    { code: "NO_NEW_BLOCK", severity: "warning", details: { head_age_ms: 120_000 } },
  ]);
});
