import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { expectFailure, get, post } from "./ask.ts";
import { createWorld, DAI, LONELY, live, USDC, WETH } from "./world.ts";

/** What an answer tells beside the offer: values in dollars, advice, notices, and the limit on price impact. */

type Notice = { code: string; severity: string; message: string; details: Record<string, unknown> };

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  api.world.status = live;
});

const ONE = 10n ** 18n;
const pair = { fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: ONE.toString(), slippage: "10" };
const price = async (query = {}) => (await get(api, "/v1/1/price", { ...pair, ...query })).json;
const codes = (json: { notices: Notice[] }) => json.notices.map(({ code }) => code);

describe("values", () => {
  test("amounts and gas in dollars, and what is left of the amount after gas", async () => {
    const json = await price({ gasPrice: "10000000000" });
    expect(Number(json.amount_in_usd)).toBeCloseTo(2_000, 0);
    expect(Number(json.amount_out_usd)).toBeCloseTo(Number(json.amount_out_total) / 1e6, 0);
    expect(Number(json.min_amount_out_usd)).toBeLessThan(Number(json.amount_out_usd));
    const gasUsd = (Number(json.estimate_gas_total) * 10 * 2_000) / 1e9;
    expect(Number(json.gas_usd)).toBeCloseTo(gasUsd, 1);
    const cost = Number(BigInt(json.amount_out_total) - BigInt(json.net_out)) / 1e6;
    expect(cost).toBeCloseTo(gasUsd, 1);
    for (const field of ["amount_in_usd", "amount_out_usd", "gas_usd"]) {
      expect(json[field]).toMatch(/^[0-9]+\.[0-9]{2,6}$/);
    }
  });

  test("a token that nothing joins to the native coin has no value: null and not 0", async () => {
    const twin = LONELY.replace("1023", "1024");
    const json = await price({ fromTokenAddress: LONELY, toTokenAddress: twin, amount: "1000000" });
    expect([json.amount_in_usd, json.amount_out_usd, json.net_out]).toEqual([null, null, null]);
    expect(Number(json.gas_usd)).toBeGreaterThan(0);
    expect(json.suggested_slippage).toBeGreaterThanOrEqual(30);
  });

  test("gas of a quote is that of its own transaction", async () => {
    const { json } = await get(api, "/v1/1/quote", { ...pair, gasPrice: "10000000000" });
    expect(Number(json.gas_usd)).toBeCloseTo((Number(json.estimate_gas_total) * 10 * 2_000) / 1e9, 1);
  });

  test("each offer of a batch has them too, and an id of its own", async () => {
    const body = { ...pair, requests: [{}, { amount: "2000000000", side: "BUY" }] };
    const { json } = await post(api, "/v1/1/prices", JSON.stringify(body));
    const ids = json.prices.map(({ offer }: { offer: { quote_id: string } }) => offer.quote_id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const { offer } of json.prices) {
      expect(Number(offer.amount_out_usd)).toBeGreaterThan(1_900);
      expect(offer.valid_until).toBe(1_700_000_000 + 1_200);
      expect(offer.state).toBe("sealed");
    }
  });
});

describe("the slippage suggested", () => {
  test("is less between dollar tokens than against them, and more for a large amount", async () => {
    const pegged = await price({ fromTokenAddress: USDC, toTokenAddress: DAI, amount: "1000000" });
    const small = await price();
    const large = await price({ amount: (500n * ONE).toString() });
    expect(pegged.suggested_slippage).toBe(2);
    expect(small.suggested_slippage).toBeGreaterThanOrEqual(5);
    expect(large.suggested_slippage).toBeGreaterThan(small.suggested_slippage);
    expect(large.price_impact).toBe(large.price_impact_bps / 10);
    expect((await price({ toTokenAddress: WETH })).suggested_slippage).toBe(1);
  });

  test("can be sent back as it is", async () => {
    const { suggested_slippage } = await price({ amount: (50n * ONE).toString() });
    expect(codes(await price({ amount: (50n * ONE).toString(), slippage: suggested_slippage }))).toEqual([]);
  });
});

describe("notices", () => {
  test("none for a plain offer", async () => {
    expect((await price()).notices).toEqual([]);
  });

  test("a high price impact, the gravest first, with its figure", async () => {
    const json = await price({ amount: (8_000n * ONE).toString(), slippage: "60" });
    expect(json.notices[0]).toMatchObject({
      code: "HIGH_PRICE_IMPACT",
      severity: "critical",
      details: { price_impact_bps: json.price_impact_bps },
    });
    expect(codes(json)).toContain("HIGH_SLIPPAGE");
    expect(json.notices.find(({ code }: Notice) => code === "HIGH_SLIPPAGE").severity).toBe("warning");
  });

  test("a slippage that is much more or much less than the pair needs", async () => {
    expect(codes(await price({ slippage: "300" }))).toEqual(["HIGH_SLIPPAGE"]);
    expect(codes(await price({ slippage: "1" }))).toEqual(["LOW_SLIPPAGE"]);
  });

  test("a token that no list names", async () => {
    const twin = LONELY.replace("1023", "1024");
    const query = { fromTokenAddress: LONELY, toTokenAddress: twin, amount: "1000000", slippage: "40" };
    const notice = (await price(query)).notices.find(({ code }: Notice) => code === "UNLISTED_TOKEN");
    expect(notice).toMatchObject({ severity: "warning", details: { field: "token_in", token: LONELY } });
  });

  test("a token between the two that is not vetted, and nothing of it where every token is", async () => {
    const query = { fromTokenAddress: DAI, toTokenAddress: NATIVE, amount: (10n * ONE).toString() };
    expect(codes(await price(query))).toEqual([]);
    const served = api.deps.chains.get(1)!;
    const unvetted = { ...served, isVetted: (token: string) => token !== USDC };
    const other = await createWorld({ deps: { chains: new Map([[1, unvetted]]) } });
    const { json } = await get(other, "/v1/1/price", { ...pair, ...query });
    expect(json.notices).toMatchObject([
      { code: "UNVETTED_TOKEN", severity: "warning", details: { tokens: USDC } },
    ]);
    await other.app.close();
  });

  test("a name that is no source of the chain, beside one that is", async () => {
    const { notices } = await price({ excludeAggregator: "SushiSwap,Sushi_Swapp" });
    expect(notices).toMatchObject([
      { code: "UNKNOWN_SOURCE", severity: "warning", details: { names: "sushi_swapp" } },
    ]);
    expect(codes(await price({ excludeAggregator: "SushiSwap" }))).toEqual([]);
  });

  test("a head that is soon too old to price", async () => {
    api.world.status = { ...live, ageMs: 20_000 } as typeof live;
    expect(codes(await price())).toEqual(["STALE_SOON"]);
    api.world.status = { ...live, headAgeMs: 3_600_000 } as typeof live;
    expect(codes(await price())).toEqual(["NO_NEW_BLOCK"]);
  });
});

describe("max_price_impact", () => {
  const amount = (500n * ONE).toString();

  test("refuses a higher impact with 2001 and the figure, and lets a lower one pass", async () => {
    const impact = (await price({ amount })).price_impact;
    expect(impact).toBeGreaterThan(0);
    const query = { ...pair, amount, max_price_impact: String(impact - 0.1) };
    for (const path of ["/v1/1/price", "/v1/1/quote"]) {
      const { error, details } = expectFailure(await get(api, path, query), 400, "IMPACT_TOO_HIGH");
      expect(error).toMatch(/^Too high a price impact: /);
      expect(details[0]).toMatchObject({ field: "max_price_impact", price_impact: impact });
      expect((await get(api, path, { ...query, max_price_impact: String(impact) })).status).toBe(200);
    }
  });

  test("is an entry's own failure in a batch", async () => {
    const body = { ...pair, requests: [{ max_price_impact: 1000 }, { amount, max_price_impact: 0 }] };
    const { json } = await post(api, "/v1/1/prices", JSON.stringify(body));
    expect(json.prices[0].offer).toBeDefined();
    expect(json.prices[1].error).toMatchObject({ code: 2001, reason: "IMPACT_TOO_HIGH", status: 400 });
  });

  test.each(["-1", "1001", "x", "1e2"])("%s is no limit", async (max_price_impact) => {
    const got = await get(api, "/v1/1/price", { ...pair, max_price_impact });
    expect(expectFailure(got, 400, "VALIDATION").details[0]!.field).toBe("max_price_impact");
  });
});
