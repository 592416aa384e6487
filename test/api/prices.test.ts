import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BraidError } from "../../src/core/errors.ts";
import { NATIVE } from "../../src/core/types.ts";
import { readBatch } from "../../src/http/present/batch.ts";
import { noRoute, type Unrouted } from "../../src/service/pricing/no-route.ts";
import { expectFailure, type Got, get, post, unnamed } from "./ask.ts";
import { createWorld, DAI, DUST, LONELY, live, ROUTER, starting, USDC, WETH } from "./world.ts";

/** POST /v1/{chainID}/prices: many prices in one call. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const ONE = 10n ** 18n;
const pair = { fromTokenAddress: WETH, toTokenAddress: USDC };
const amount = ONE.toString();

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  api.world.status = live;
  api.world.onSearch = undefined;
  api.world.searchFails = undefined;
});

const ask = (body: unknown, service: TestWorld = api) => post(service, "/v1/1/prices", JSON.stringify(body));
const named = (got: Got) =>
  got.json.details.map(({ field, value }: { field: string; value: unknown }) => [field, value]);

describe("prices", () => {
  test("a body that is nested deeper than the parser is quick with is refused", async () => {
    const got = await post(api, "/v1/1/prices", `{"requests":${"[".repeat(70)}${"]".repeat(70)}}`);
    expect([got.status, got.json.details]).toEqual([
      400,
      [{ field: "body", reason: "is nested too deeply" }],
    ]);
  });

  test("each entry is what price answers", async () => {
    const requests: Record<string, string | boolean | number | string[]>[] = [
      { ...pair, amount },
      { ...pair, amount: "25000000000", side: "BUY" },
      { fromTokenAddress: DAI, toTokenAddress: NATIVE, amount, slippage: 25, withGas: true },
      { ...pair, amount, includeAggregator: ["SushiSwap"], gasPrice: "7" },
    ];
    const { status, json, text } = await ask({ requests });
    expect(status, text).toBe(200);
    expect([json.block_number, json.block_hash]).toEqual([100, api.world.head.hash]);
    expect(json.prices).toHaveLength(requests.length);
    for (const [index, request] of requests.entries()) {
      expect(json.prices[index]).toEqual({
        offer: unnamed((await get(api, "/v1/1/price", request)).json),
      });
    }
  });

  test("a price curve: terms beside the list are of all entries, an entry's own come first", async () => {
    const requests = [1n, 10n, 100n].map((count) => ({ amount: (count * ONE).toString() }));
    const { json } = await ask({
      ...pair,
      slippage: 20,
      requests: [...requests, { amount, slippage: "10" }],
    });
    const offers = json.prices.map(({ offer }: { offer: Record<string, string> }) => offer);
    const worth = offers.map((offer: Record<string, string>) => BigInt(offer.amount_out_total!));
    expect(worth[1]).toBeLessThan(worth[0] * 10n);
    expect(worth[2]).toBeLessThan(worth[1] * 10n);
    expect(BigInt(offers[0].min_amount_out)).toBe((worth[0] * 980n) / 1000n);
    expect(BigInt(offers[3].min_amount_out)).toBe((worth[0] * 990n) / 1000n);
  });

  test("an entry without an offer says why and costs the others nothing", async () => {
    const requests = [
      { ...pair, amount },
      { ...pair, amount, toTokenAddress: LONELY },
      { ...pair, amount, toTokenAddress: `0x${"7".repeat(40)}` },
      { ...pair, amount, toTokenAddress: WETH },
      { ...pair, amount: (2n ** 256n - 1n).toString() },
      { ...pair, amount, includeAggregator: "nobody" },
      { ...pair, amount, feeRecipient: ROUTER },
      { ...pair, amount, toTokenAddress: DUST },
    ];
    const { status, json } = await ask({ requests });
    expect(status).toBe(200);
    const reasons = json.prices.map((one: { error?: { reason: string } }) => one.error?.reason);
    const [none, same] = ["NO_ROUTE", "SAME_TOKEN"];
    expect(reasons).toEqual([undefined, none, "UNKNOWN_TOKEN", same, none, "VALIDATION", "VALIDATION", none]);
    for (const [index, request] of requests.entries()) {
      if (index === 0) continue;
      const alone = (await get(api, "/v1/1/price", request)).json;
      expect(alone).toMatchObject(json.prices[index].error);
    }
    expect(json.prices[4].error.details[0].largest_amount).toMatch(/^[1-9][0-9]*$/);
  });

  test("an entry whose search runs out of time costs the others nothing, unlike a service that is busy", async () => {
    const requests = [1n, 2n, 3n].map((times) => ({ amount: (times * ONE).toString() }));
    const asked = { tokenIn: {}, tokenOut: {}, fees: {} } as Unrouted;
    const late = noRoute("out-of-time", asked, { largest: undefined, isTraded: () => true });
    const failingAtSecond = (failure: Error) => {
      let searches = 0;
      api.world.onSearch = () => {
        if (++searches === 2) throw failure;
      };
      return ask({ ...pair, requests });
    };
    const { status, json } = await failingAtSecond(late);
    expect(status).toBe(200);
    expect(json.prices[1].error).toMatchObject({ reason: "OVERLOADED", status: 503 });
    expect([json.prices[0].offer, json.prices[2].offer]).not.toContain(undefined);
    expectFailure(await failingAtSecond(new BraidError("OVERLOADED", "Too many wait.")), 503, "OVERLOADED");
  });

  test("equal entries are searched for once", async () => {
    let searches = 0;
    api.world.onSearch = () => void searches++;
    const { json } = await ask({ ...pair, requests: Array.from({ length: 64 }, () => ({ amount })) });
    expect([json.prices.length, searches]).toEqual([64, 1]);
  });

  test("all at one block: where another comes in between, all are searched for again", async () => {
    let searches = 0;
    const next = { ...api.world.head, number: 101, hash: `0x${"cd".repeat(32)}` } as const;
    api.world.onSearch = () => {
      searches++;
      if (searches === 2) api.world.status = { phase: "live", ageMs: 0, head: next };
    };
    const requests = [1n, 2n, 3n].map((count) => ({ amount: (count * ONE).toString() }));
    const { json } = await ask({ ...pair, requests });
    expect([json.block_number, json.block_hash, searches]).toEqual([101, next.hash, 5]);
    for (const { offer } of json.prices) expect(offer.block_hash).toBe(next.hash);
  });

  test("blocks that never stop coming end in prices of one block, and not in a mixture", async () => {
    let number = 100;
    api.world.onSearch = () => {
      number++;
      const head = { ...api.world.head, number, hash: `0x${number}` } as const;
      api.world.status = { phase: "live", ageMs: 0, head };
    };
    const { json } = await ask({ ...pair, requests: [{ amount }, { amount: String(2n * ONE) }] });
    expect(number).toBeGreaterThan(103);
    for (const { offer } of json.prices) expect(offer.block_hash).toBe(json.block_hash);
    expect(json.prices).toHaveLength(2);
  });

  test("a long batch shares a budget: no search may take more than its part of what is left", async () => {
    const limits: number[] = [];
    api.world.onSearch = (timeoutMs) => void limits.push(timeoutMs);
    const requests = Array.from({ length: 64 }, (_, index) => ({
      amount: String(10n ** 15n + BigInt(index)),
    }));
    await ask({ ...pair, requests });
    expect(limits).toHaveLength(64);
    expect(limits[0]).toBeLessThanOrEqual((8 * api.deps.settings.searchTimeoutMs) / 64);
    for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(1);
    limits.length = 0;
    await ask({ ...pair, requests: requests.slice(0, 2) });
    expect(limits).toEqual([api.deps.settings.searchTimeoutMs, api.deps.settings.searchTimeoutMs]);
  });
});

describe("a bad batch", () => {
  test("every fault is named by its place, at once; one beside the list is named once", async () => {
    const requests = [
      { amount },
      { amount: "1.5", toTokenAddress: "0x12" },
      "nonsense",
      { amount: 2 ** 60, slippage: 0.5 },
      {},
      { amount, gasPrice: ["1"], buyTokenPercentageFee: 10, min_block: "y" },
    ];
    const got = await ask({ ...pair, withGas: "perhaps", min_block: "x", requests });
    expectFailure(got, 400, "VALIDATION");
    expect(named(got)).toEqual([
      ["withGas", "perhaps"],
      ["min_block", "x"],
      ["requests[1].toTokenAddress", "0x12"],
      ["requests[1].amount", "1.5"],
      ["requests[2]", undefined],
      ["requests[3].amount", 2 ** 60],
      ["requests[3].slippage", "0.5"],
      ["requests[4].amount", undefined],
      ["requests[5].gasPrice", '["1"]'],
      ["requests[5].min_block", "y"],
      ["requests[5].feeRecipient", undefined],
    ]);
    expect(got.json.error).toContain("requests[1].amount must be a whole decimal number");
  });

  test.each([
    [{}, "requests", undefined],
    [{ requests: [] }, "requests", 0],
    [{ requests: Array.from({ length: 65 }, () => ({ ...pair, amount })) }, "requests", 65],
    [{ requests: { 0: { amount } } }, "requests", undefined],
    [[], "body", undefined],
    ["text", "body", undefined],
  ])("%j", async (body, field, value) => {
    const got = await ask(body);
    expectFailure(got, 400, "VALIDATION");
    expect(named(got)).toEqual([[field, value]]);
  });

  test("fields that the body does not have as parameters are not read, however many entries there are", async () => {
    const body = { ...pair, requests: Array.from({ length: 64 }, () => ({ amount })) };
    let reads = 0;
    Object.defineProperty(body, "unknown", { enumerable: true, get: () => ++reads });
    expect(readBatch("1", body).requests).toHaveLength(64);
    expect(reads).toBe(0);
  });

  test("a list of sources is bounded, and named back in short by the entries that it fails", async () => {
    const requests = Array.from({ length: 64 }, () => ({ amount }));
    const many = Array.from({ length: 257 }, () => "a").join(",");
    const refused = expectFailure(
      await ask({ ...pair, excludeAggregator: many, requests }),
      400,
      "VALIDATION",
    );
    expect(refused.details).toEqual([
      { field: "excludeAggregator", reason: "must have at most 256 values", value: expect.any(String) },
    ]);
    const includeAggregator = Array.from({ length: 256 }, (_, k) => `${k}`.padStart(100, "x"));
    const { text, json } = await ask({ ...pair, includeAggregator, requests });
    expect(json.prices.map(({ error }: { error: { reason: string } }) => error.reason)).toEqual(
      requests.map(() => "VALIDATION"),
    );
    expect(text.length).toBeLessThan(64 * 2_000);
  });

  test("no JSON, too much of it, and a path or method that is none", async () => {
    expectFailure(await post(api, "/v1/1/prices", "{"), 400, "VALIDATION");
    const huge = JSON.stringify({ ...pair, requests: [{ amount }], note: "x".repeat(262_144) });
    expectFailure(await post(api, "/v1/1/prices", huge), 413, "TOO_LARGE");
    expectFailure(await post(api, "/v1/abc/prices", "{}"), 400, "VALIDATION");
    expectFailure(await get(api, "/v1/1/prices"), 405, "METHOD_NOT_ALLOWED");
  });

  test("what concerns the chain is the whole batch's failure", async () => {
    const body = { ...pair, requests: [{ amount }] };
    expectFailure(await post(api, "/v1/10/prices", JSON.stringify(body)), 400, "UNSUPPORTED_CHAIN");
    expectFailure(await ask({ ...body, min_block: 101 }), 503, "STALE_STATE");
    const later = [{ amount, min_block: 100 }, { amount, min_block: 101 }, { amount }];
    expectFailure(await ask({ ...pair, requests: later }), 503, "STALE_STATE");
    expect((await ask({ ...pair, requests: later.slice(0, 1) })).status).toBe(200);
    api.world.searchFails = new Error("a bug");
    expectFailure(await ask(body), 500, "INTERNAL");
    api.world.status = starting;
    expectFailure(await ask(body), 503, "STALE_STATE");
  });

  test("nulls are no values, whatever the content type", async () => {
    const body = JSON.stringify({
      ...pair,
      slippage: null,
      requests: [{ amount, side: null, gasPrice: null }],
    });
    const got = await post(api, "/v1/1/prices", body, { "content-type": "text/plain" });
    expect(got.json.prices[0].offer.side).toBe("SELL");
  });
});

test("a batch counts as as many requests against the rate limit, and never as more than the whole", async () => {
  const small = await createWorld({ http: { rateLimitPerMinute: 10 } });
  const of = (count: number) => ({ ...pair, requests: Array.from({ length: count }, () => ({ amount })) });
  const first = await ask(of(7), small);
  expect([first.status, first.headers["ratelimit-remaining"]]).toEqual([200, "3"]);
  const second = await ask(of(4), small);
  expectFailure(second, 429, "RATE_LIMITED");
  expect(Number(second.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect((await ask(of(2), small)).status).toBe(200);
  await small.app.close();
  const whole = await createWorld({ http: { rateLimitPerMinute: 10 } });
  expect((await ask(of(64), whole)).status).toBe(200);
  expectFailure(await get(whole, "/v1/platforms"), 429, "RATE_LIMITED");
  await whole.app.close();
});
