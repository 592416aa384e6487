import { expect, test } from "vitest";
import { SWAP_SELECTOR } from "../../../packages/sdk/src/generated/router.ts";
import type { Hex } from "../../../packages/sdk/src/hex.ts";
import type { PriceRequest } from "../api.ts";
import { isAsGood, keptPromise } from "./promise.ts";
import type { Quote } from "./quote.ts";
import { type Review, refreshed } from "./use-swap.ts";

const TOKENS = { tokenIn: "0xa", tokenOut: "0xb" };
/** Slippage 0.5 %, of which a fifth is 0.1 %. */
const request: PriceRequest = {
  ...{ ...TOKENS, chainId: 1, side: "SELL", amount: 100n },
  ...{ slippage: "5", withGas: true, fees: undefined },
};
const buying: PriceRequest = { ...request, side: "BUY", amount: 1_000_000n };
const word = (value: bigint) => value.toString(16).padStart(64, "0");

/** A quote as the service makes it: its minimum is that of its own amount. */
function quoteOf(total: bigint, sold = 100n): Quote {
  const least = (total * 995n) / 1000n;
  const calldata: Hex = `0x${SWAP_SELECTOR.slice(2)}${word(sold)}${word(least)}${word(7n)}`;
  const terms = { amount_out_total: total, amount_in: sold, min_amount_out: least, calldata };
  return {
    ...{ amount_out_total: String(total), amount_in: String(sold), min_amount_out: String(least) },
    ...{ estimate_gas_total: "1", gas_price: "1", token_in: "0xa", token_out: "0xb", routes: [] },
    terms: terms as unknown as Quote["terms"],
  };
}

const minimumSent = ({ terms }: Quote) => BigInt(`0x${terms.calldata.slice(74, 138)}`);
const accepted = quoteOf(1_000_000n);

test("a lower quote within a fifth of the slippage is sent with the minimum of the accepted one", () => {
  const next = keptPromise({ accepted, request }, quoteOf(999_000n))!;
  expect(next.amount_out_total).toBe("999000");
  expect([minimumSent(next), next.terms.min_amount_out, next.min_amount_out]).toEqual([
    995_000n,
    995_000n,
    "995000",
  ]);
  expect(next.terms.calldata.slice(0, 74)).toBe(accepted.terms.calldata.slice(0, 74));
  expect(next.terms.calldata.slice(138)).toBe(accepted.terms.calldata.slice(138));
});

test("beyond the fifth, and without slippage by one unit, the user is asked", () => {
  expect(keptPromise({ accepted, request }, quoteOf(998_999n))).toBeUndefined();
  const none = { accepted, request: { ...request, slippage: "0" } };
  expect(keptPromise(none, quoteOf(999_999n))).toBeUndefined();
  expect(keptPromise(none, quoteOf(1_000_000n))).toBeDefined();
});

test("where an exact amount is bought, no more than accepted is ever sold, and the surplus does not count", () => {
  const promised = { accepted: quoteOf(1_000_400n), request: buying };
  expect(keptPromise(promised, quoteOf(1_000_400n, 101n))).toBeUndefined();
  const exact = keptPromise(promised, quoteOf(999_000n))!;
  expect(minimumSent(exact)).toBe((1_000_400n * 995n) / 1000n);
  expect(isAsGood(promised, quoteOf(1_000_000n, 99n))).toBe(true);
  expect(isAsGood(promised, quoteOf(1_000_000n, 101n))).toBe(false);
});

test("in a review small moves are shown and do not add up; a better quote is the new measure", () => {
  const review: Review = {
    ...{ kind: "review", request, accepted, shown: accepted, worse: undefined },
    ...{ ways: ["none"], way: "none", trouble: undefined },
  };
  const less = refreshed(review, quoteOf(999_400n));
  expect(less).toMatchObject({ accepted, shown: { amount_out_total: "999400" }, worse: undefined });
  expect(minimumSent(less.shown)).toBe(995_000n);
  const least = refreshed(less, quoteOf(998_800n));
  expect(least).toMatchObject({ shown: less.shown, worse: { amount_out_total: "998800" } });
  expect(refreshed(least, quoteOf(999_400n)).worse).toBeUndefined();
  const more = refreshed(less, quoteOf(1_000_600n));
  expect(more).toMatchObject({ accepted: { amount_out_total: "1000600" }, worse: undefined });
  expect(refreshed(more, quoteOf(999_500n)).worse).toBeDefined();
  expect(refreshed(review, "No liquidity.").trouble).toBe("No liquidity.");
});
