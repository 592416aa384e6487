import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiFailure, type Offer, type PriceRequest } from "../api.ts";
import { createFeed, type FeedState, stateFor } from "./offer-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ask = (amount: bigint): PriceRequest => ({
  chainId: 1,
  tokenIn: "0xa",
  tokenOut: "0xb",
  amount,
  slippage: "5",
  withGas: false,
  side: "SELL",
  fees: undefined,
});
const offer = (amount: string) => ({ amount_out_total: amount }) as Offer;

/** A feed whose requests the test answers by hand. */
function bench(asleep: () => boolean = () => false) {
  const asked: {
    request: PriceRequest;
    signal: AbortSignal;
    answer: (o: Offer) => void;
    fail: (e: unknown) => void;
  }[] = [];
  const shown: FeedState[] = [];
  const feed = createFeed({
    load: (request, signal) =>
      new Promise((answer, fail) => {
        asked.push({ request, signal, answer, fail });
      }),
    show: (state) => void shown.push(state),
    refreshMs: () => 4000,
    asleep,
  });
  return { asked, shown, feed, last: () => shown.at(-1)! };
}

test("typing asks once, after the pause", async () => {
  const { feed, asked, last } = bench();
  feed.follow(ask(1n), 250);
  await vi.advanceTimersByTimeAsync(200);
  feed.follow(ask(12n), 250);
  await vi.advanceTimersByTimeAsync(249);
  expect(asked).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.map((a) => a.request.amount)).toEqual([12n]);
  expect(last().kind).toBe("loading");
});

test("an answer to an older question is dropped, however late", async () => {
  const { feed, asked, last } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  feed.follow(ask(2n), 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked[0]!.signal.aborted).toBe(true);
  asked[1]!.answer(offer("20"));
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(0);
  expect(last()).toMatchObject({ kind: "offer", offer: { amount_out_total: "20" }, request: { amount: 2n } });
});

test("an offer is refreshed without passing through loading", async () => {
  const { feed, asked, shown } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(4000);
  asked[1]!.answer(offer("11"));
  await vi.advanceTimersByTimeAsync(0);
  expect(shown.map((s) => s.kind)).toEqual(["loading", "offer", "offer"]);
});

test("a passing failure keeps the last offer of the same request and honours Retry-After", async () => {
  const { feed, asked, last } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(4000);
  asked[1]!.fail(new ApiFailure("busy", { reason: "OVERLOADED", passing: true, retryAfterSeconds: 7 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(last()).toMatchObject({ kind: "failed", last: { offer: { amount_out_total: "10" } } });
  await vi.advanceTimersByTimeAsync(6999);
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(3);
});

test("a Retry-After of years is kept for an hour, and not taken for none by the timer", async () => {
  const { feed, asked } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.fail(new ApiFailure("busy", { reason: "OVERLOADED", passing: true, retryAfterSeconds: 3e6 }));
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(2);
});

test("a refusal, or a failure of another request, shows no old offer", async () => {
  const { feed, asked, last } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(0);
  feed.follow(ask(2n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[1]!.fail(new ApiFailure("down", { reason: "UNREACHABLE", passing: true }));
  await vi.advanceTimersByTimeAsync(0);
  expect(last()).toMatchObject({ kind: "failed", last: undefined });

  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[2]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(4000);
  asked[3]!.fail(new ApiFailure("No liquidity", { reason: "NO_ROUTE", passing: false }));
  await vi.advanceTimersByTimeAsync(0);
  expect(last()).toMatchObject({ kind: "failed", last: undefined });
});

test("nobody looking: refreshes wait until the page is seen again", async () => {
  let hidden = false;
  const { feed, asked } = bench(() => hidden);
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  asked[0]!.answer(offer("10"));
  hidden = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
  hidden = false;
  feed.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(2);
});

test("nothing to ask shows nothing and asks nothing", async () => {
  const { feed, asked, last } = bench();
  feed.follow(ask(1n), 0);
  feed.follow(undefined, 0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(0);
  expect(last()).toEqual({ kind: "idle" });
});

test("stopped for good", async () => {
  const { feed, asked, shown } = bench();
  feed.follow(ask(1n), 0);
  await vi.advanceTimersByTimeAsync(0);
  feed.stop();
  asked[0]!.answer(offer("10"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(1);
  expect(shown.map((s) => s.kind)).toEqual(["loading"]);
});

test("a state never answers another question, and keeps an old offer only for the same two tokens", () => {
  const told: FeedState = { kind: "offer", request: ask(1n), offer: offer("10") };
  expect(stateFor(told, ask(1n))).toBe(told);
  expect(stateFor(told, undefined)).toEqual({ kind: "idle" });
  expect(stateFor(told, ask(2n))).toMatchObject({ kind: "loading", last: { request: { amount: 1n } } });
  expect(stateFor(told, { ...ask(1n), tokenOut: "0xc" })).toMatchObject({ kind: "loading", last: undefined });
});
