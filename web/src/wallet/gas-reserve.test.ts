import { expect, test } from "vitest";
import { NATIVE, type Offer, type PriceRequest } from "../api.ts";
import type { FeedState } from "../offer/offer-feed.ts";
import { gasNeed, needsMoreGas, sellable } from "./gas-reserve.ts";
import { highFeeIn } from "./use-high-fee.ts";

const GWEI = 10n ** 9n;
const request: PriceRequest = {
  chainId: 1,
  tokenIn: NATIVE,
  tokenOut: "0xa",
  side: "SELL",
  amount: 100n,
  slippage: "5",
  withGas: true,
  fees: undefined,
};
const offerOf = (gas: number): Offer => ({
  amount_out_total: "1",
  estimate_gas_total: String(gas),
  token_in: NATIVE,
  token_out: "0xa",
  gas_price: String(30n * GWEI),
  routes: [],
});
const feedOf = (gas: number, part: Partial<PriceRequest> = {}): FeedState => ({
  kind: "offer",
  request: { ...request, ...part },
  offer: offerOf(gas),
});
const idle: FeedState = { kind: "idle" };

test("of a token all can be sold; of the native coin, what the swap's own gas leaves at the highest fee", () => {
  const most = (gas: number, balance: bigint) => sellable(NATIVE, balance, gasNeed(feedOf(gas), 40n * GWEI));
  expect(sellable("0xa", 5n, gasNeed(idle, GWEI))).toBe(5n);
  expect(most(2_800_000, 10n ** 18n)).toBe(10n ** 18n - 3_500_000n * 40n * GWEI);
  expect(most(130_000, 10n ** 16n)).toBe(10n ** 16n - 162_500n * 40n * GWEI);
  expect(most(130_000, 10n)).toBe(0n);
});

test("without an offer 300,000 gas are reserved, without a fee twice the offer's gas price or a hundredth", () => {
  expect(gasNeed(idle, GWEI)).toEqual({ gas: 300_000n, feeWei: GWEI });
  expect(gasNeed(feedOf(130_000), undefined)).toEqual({ gas: 130_000n, feeWei: 60n * GWEI });
  const last = { request, offer: offerOf(7) };
  expect(gasNeed({ kind: "loading", request, last }, GWEI).gas).toBe(7n);
  expect(sellable(NATIVE, 1000n, gasNeed(idle, undefined))).toBe(990n);
});

test("a press of Max is corrected by the offer for its own amount only, and only where that needs more gas", () => {
  const pressed = { token: NATIVE, amount: 100n, gas: 300_000n };
  expect(needsMoreGas(pressed, { kind: "loading", request, last: undefined })).toBeUndefined();
  expect(needsMoreGas(pressed, feedOf(300_001))).toBe(true);
  expect(needsMoreGas(pressed, feedOf(300_000))).toBe(false);
  expect(needsMoreGas(pressed, feedOf(300_001, { amount: 99n }))).toBe(false);
  expect(needsMoreGas(pressed, feedOf(300_001, { side: "BUY" }))).toBe(false);
});

test("the highest fee is read in wei, and an answer without it is none", () => {
  expect(highFeeIn({ highInfo: { maxFeePerGas: "42.5" } })).toBe(42_500_000_000n);
  expect([highFeeIn(undefined), highFeeIn({}), highFeeIn({ highInfo: { maxFeePerGas: 1e-12 } })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
