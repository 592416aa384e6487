import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiFailure, failureOf, fetchOffer, fetchTokens, type Offer, pricePath, soldIn } from "./api.ts";

const request = {
  chainId: 31337,
  tokenIn: "0xaa",
  tokenOut: "0xbb",
  amount: 10n ** 21n,
  slippage: "2.5",
  withGas: false,
  side: "SELL",
  fees: undefined,
} as const;

afterEach(() => vi.unstubAllGlobals());

function answering(response: Response | Error) {
  const asked = vi.fn(async (_path: string, _init: RequestInit) => {
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

async function failure(promise: Promise<unknown>): Promise<ApiFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiFailure) return error;
  throw new Error(`expected an ApiFailure, got ${String(error)}`);
}

test("a price request carries the amount in full and gas only when asked", () => {
  expect(pricePath(request)).toBe(
    "/v1/31337/price?fromTokenAddress=0xaa&toTokenAddress=0xbb&amount=1000000000000000000000&slippage=2.5",
  );
  expect(pricePath({ ...request, withGas: true })).toMatch(/&withGas=true$/);
  expect(pricePath({ ...request, side: "BUY" })).toMatch(/&side=BUY$/);
});

test("fees carry their recipient, and a fee of nothing is not asked for", () => {
  const asked = (buy: string, sell: string) =>
    pricePath({ ...request, fees: { recipient: "0xf", buy, sell } }).split("slippage=2.5")[1];
  expect(asked("10", "0")).toBe("&feeRecipient=0xf&buyTokenPercentageFee=10");
  expect(asked("10", "5")).toBe("&feeRecipient=0xf&buyTokenPercentageFee=10&sellTokenPercentageFee=5");
});

test("what is sold: the amount asked for, or the answer where the other one was", () => {
  const offer = { amount_in: "77" } as Offer;
  expect(soldIn(offer, request)).toBe(10n ** 21n);
  expect(soldIn(offer, { ...request, side: "BUY" })).toBe(77n);
});

test("tokens are asked for as one page, and their addresses lower-cased", async () => {
  const token = { chainId: 1, address: `0x${"aB".repeat(20)}`, name: "", symbol: "A", decimals: 18 };
  const asked = answering(Response.json({ tokens: [token] }));
  const address = `0x${"ab".repeat(20)}`;
  expect(await fetchTokens(1, { symbols: ["A"], is_active: false })).toMatchObject([{ address }]);
  expect(JSON.parse(asked.mock.calls[0]![1].body as string)).toEqual({
    filter: { chain_ids: [1], symbols: ["A"], is_active: false },
    paging: { page: 1, page_size: 0 },
  });
});

describe("failures", () => {
  const signal = new AbortController().signal;

  test("the largest amount that would do is kept", () => {
    const of = (details: unknown) =>
      failureOf(new Response(null, { status: 400 }), { details }).largestAmount;
    expect(of([{ field: "amount" }, { field: "amount", largest_amount: "1234567890123456789012" }])).toBe(
      1234567890123456789012n,
    );
    for (const none of [undefined, "x", [], [null], [{ largest_amount: "1e3" }]])
      expect(of(none)).toBeUndefined();
  });

  test("the API's words are kept", async () => {
    const body = {
      error: "No liquidity joins",
      message: "No liquidity joins",
      code: 2000,
      reason: "NO_ROUTE",
    };
    answering(Response.json(body, { status: 400 }));
    expect(await failure(fetchOffer(request, signal))).toMatchObject({
      message: "No liquidity joins",
      reason: "NO_ROUTE",
      passing: false,
    });
  });

  test("a busy service says when to come back", () => {
    const response = new Response(null, { status: 503, headers: { "retry-after": "2" } });
    expect(failureOf(response, { message: "busy", reason: "OVERLOADED" })).toMatchObject({
      passing: true,
      retryAfterSeconds: 2,
    });
  });

  test.each(["Infinity", "1e400", "9".repeat(400), "0.0001", "-5", "0", "soon", ""])(
    "a Retry-After of %j is none",
    (text) => {
      const response = new Response(null, { status: 429, headers: { "retry-after": text } });
      expect(failureOf(response, {}).retryAfterSeconds).toBeUndefined();
    },
  );

  test("an answer that is no JSON is no offer, whatever its status", async () => {
    answering(new Response("<html>", { status: 200 }));
    const message = "This page cannot read the answer of the service. Reload the page.";
    expect(await failure(fetchOffer(request, signal))).toMatchObject({ reason: "UNREADABLE", message });
  });

  test("JSON that is no offer is a failure, and nothing that breaks the page", async () => {
    answering(Response.json({ amount_out_total: null }));
    expect(await failure(fetchOffer(request, signal))).toMatchObject({ reason: "UNREADABLE" });
  });

  test("nothing answering is said in words", async () => {
    answering(new TypeError("fetch failed"));
    expect(await failure(fetchOffer(request, signal))).toMatchObject({
      reason: "UNREACHABLE",
      passing: true,
    });
  });

  test("an aborted request is not a failure of the service", async () => {
    const control = new AbortController();
    control.abort();
    answering(new DOMException("aborted", "AbortError"));
    await expect(fetchOffer(request, control.signal)).rejects.not.toBeInstanceOf(ApiFailure);
  });
});
