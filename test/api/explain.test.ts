import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import { expectFailure, get } from "./ask.ts";
import { ALICE, BOB, createWorld, SUSHI_WETH_USDC, UNI_WETH_USDC, USDC, WETH } from "./world.ts";

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: String(10n ** 20n) };

test("a price tells how it came about: route, searches, marginal prices, and each pool's part", async () => {
  const service = await createWorld();
  const { json: offer } = await get(service, "/v1/1/price", { ...pair, slippage: 10 });
  const { status, json } = await get(service, `/v1/1/quotes/${offer.quote_id}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    quote_id: offer.quote_id,
    kind: "price",
    complete: true,
    request: { from_token: WETH, to_token: USDC, amount: pair.amount, side: "SELL", slippage: 10 },
    block_number: offer.block_number,
    block_hash: offer.block_hash,
    amount_out_total: offer.amount_out_total,
    min_amount_out: offer.min_amount_out,
    transaction: null,
    redacted: [],
    cut: false,
  });
  expect(json.steps.map(({ pool }: { pool: string }) => pool)).toEqual(
    offer.route_graph.steps.map(({ pool }: { pool: string }) => pool),
  );
  expect(json.states).toContainEqual({ id: UNI_WETH_USDC, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const verdicts = Object.fromEntries(
    json.pools.map(({ pool, verdict }: { pool: string; verdict: string }) => [pool, verdict]),
  );
  expect(verdicts).toMatchObject({ [UNI_WETH_USDC]: "used", [SUSHI_WETH_USDC]: "used" });
  const priceOf = new Map(
    json.marginal_prices.map(({ token, price }: { token: string; price: number }) => [token, price]),
  );
  expect(priceOf.get(USDC)).toBeCloseTo(1, 6);
  const average = Number(offer.amount_out_total) / 1e20;
  expect(Number(priceOf.get(WETH)) / average).toBeGreaterThan(0.95);
  expect(Number(priceOf.get(WETH))).toBeLessThan(average);
  expect(json.searches.filter(({ chosen }: { chosen: boolean }) => chosen)).toHaveLength(1);
  expect(json.candidates.length).toBeGreaterThan(0);
});

test("a source that was excluded is told as refused", async () => {
  const service = await createWorld();
  const { json: offer } = await get(service, "/v1/1/price", { ...pair, excludeAggregator: "SushiSwap" });
  const { json } = await get(service, `/v1/1/quotes/${offer.quote_id}`);
  expect(json.pools).toContainEqual(expect.objectContaining({ pool: SUSHI_WETH_USDC, verdict: "refused" }));
});

test("a quote tells the hash of its calldata, and neither taker, recipient nor key", async () => {
  const service = await createWorld();
  const wallets = { takerAddress: ALICE, recipientAddress: BOB };
  const { json: offer } = await get(service, "/v1/1/quote", { ...pair, slippage: 10, ...wallets });
  const { json, text } = await get(service, `/v1/1/quotes/${offer.quote_id}`);
  expect(json.transaction).toEqual({
    to: offer.to,
    value: "0",
    valid_until: offer.valid_until,
    calldata_hash: keccak256(offer.calldata),
    unsigned_hash: keccak256(offer.calldata),
  });
  expect(json.redacted).toEqual(["takerAddress", "recipientAddress"]);
  expect(text).not.toContain(ALICE.slice(2));
  expect(text).not.toContain(BOB.slice(2));
});

test("every entry of a batch tells how it came about", async () => {
  const service = await createWorld();
  const body = JSON.stringify({ ...pair, requests: [{}, { amount: "1000000000000000000" }] });
  const { json } = JSON.parse(
    JSON.stringify({
      json: (await service.app.inject({ method: "POST", url: "/v1/1/prices", payload: body })).json(),
    }),
  );
  for (const { offer } of json.prices) {
    const kept = await get(service, `/v1/1/quotes/${offer.quote_id}`);
    expect(kept.json.amount_out_total).toBe(offer.amount_out_total);
  }
});

test("an id that is unknown, of another chain, or no id is refused in words", async () => {
  const service = await createWorld();
  const { json: offer } = await get(service, "/v1/1/price", pair);
  expectFailure(await get(service, `/v1/1/quotes/${"0".repeat(32)}`), 404, "NOT_FOUND");
  expectFailure(await get(service, `/v1/10/quotes/${offer.quote_id}`), 400, "UNSUPPORTED_CHAIN");
  expectFailure(await get(service, "/v1/1/quotes/abc"), 400, "VALIDATION");
});

test("what a key asked is for that key alone", async () => {
  const keyed = (id: string) => ({
    id,
    tier: "test",
    perMinute: 0,
    perDay: 0,
    perAddressPerMinute: 0,
    origins: [],
    fees: undefined,
  });
  const keys = {
    inUse: () => true,
    find: (secret: string) => (secret.startsWith("secret of ") ? keyed(secret.slice(10)) : undefined),
    isValid: () => true,
    usedToday: () => 0,
    count: () => {},
  };
  const service = await createWorld({ keys });
  const mine = { "x-api-key": "secret of alice" };
  const { json: offer } = await get(service, "/v1/1/price", pair, mine);
  const path = `/v1/1/quotes/${offer.quote_id}`;
  expect((await get(service, path, {}, mine)).status).toBe(200);
  expectFailure(await get(service, path, {}, { "x-api-key": "secret of bob" }), 404, "NOT_FOUND");
  expectFailure(await get(service, path), 404, "NOT_FOUND");
});
