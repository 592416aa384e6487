import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { get, post } from "./ask.ts";
import { createWorld, DAI, DUST, USDC, WETH } from "./world.ts";

type TestWorld = Awaited<ReturnType<typeof createWorld>>;
type TokenOut = { address: string; symbol: string; chainId: number; is_active: boolean; priority: number };

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());

async function list(body?: unknown, headers = {}) {
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  const got = await post(api, "/v2/tokens/list", text, headers);
  expect(got.status, got.text).toBe(200);
  return got.json as { tokens: TokenOut[]; total: number; paging: unknown };
}

const symbols = async (filter: unknown) => (await list({ filter })).tokens.map(({ symbol }) => symbol);
const ALL = ["ETH", "WETH", "DAI", "USDC", "USDT", "LONE", "LTWIN"];

describe("the tokens of a chain", () => {
  test("all active ones with every field, the native coin first", async () => {
    const { json } = await get(api, "/v1/1/tokens", { anything: "1" });
    expect(json.tokens.map(({ symbol }: TokenOut) => symbol)).toEqual(ALL);
    expect(json.tokens[0]).toEqual({
      chainId: 1,
      address: NATIVE,
      name: "Ether",
      symbol: "ETH",
      decimals: 18,
      logoURI: "",
      is_active: true,
      priority: 1,
      is_rfq_mode: false,
      is_listed: true,
      has_logo: false,
    });
  });
});

describe("the token list", () => {
  test.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["nulls in every place", { filter: null, paging: null }],
    ["nulls inside", { filter: { is_active: null, names: null, chain_ids: null } }],
    ["empty lists", { filter: { addresses: [], chain_ids: [], names: [], symbols: [] } }],
    ["a byte order mark", "\uFEFF{}"],
    ["spaces", " \n "],
    ["fields that nobody knows", { sort: "up", filter: { colour: "red" } }],
  ])("%s selects all active tokens", async (_name, body) => {
    expect((await list(body)).tokens.map(({ symbol }) => symbol)).toEqual(ALL);
  });

  test.each([
    ["application/json"],
    ["text/plain;charset=UTF-8"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data"],
    ["nonsense"],
    [""],
  ])("a body of type %j is JSON all the same", async (type) => {
    const { tokens } = await list({ filter: { symbols: ["dai"] } }, { "content-type": type });
    expect(tokens.map(({ address }) => address)).toEqual([DAI]);
  });

  test("text is compared without case, fields join by AND, elements by OR", async () => {
    expect(await symbols({ symbols: ["wEtH", "dai"] })).toEqual(["WETH", "DAI"]);
    expect(await symbols({ names: ["usd coin"] })).toEqual(["USDC"]);
    expect(await symbols({ addresses: [`0X${USDC.slice(2).toUpperCase()}`, WETH] })).toEqual([
      "WETH",
      "USDC",
    ]);
    expect(await symbols({ names: ["usd coin"], symbols: ["WETH"] })).toEqual([]);
    expect(await symbols({ chain_ids: [1, 10], names: ["USD Coin"] })).toEqual(["USDC"]);
  });

  test("a chain that is not served selects nothing", async () => {
    expect(await symbols({ chain_ids: [10] })).toEqual([]);
    expect(await symbols({ chain_ids: [-1, 424242] })).toEqual([]);
  });

  test("is_active: false selects the rarely used only, true and null the active only", async () => {
    const { tokens } = await list({ filter: { is_active: false } });
    expect(tokens.map(({ address, is_active }) => [address, is_active])).toEqual([[DUST, false]]);
    expect(await symbols({ is_active: true })).toEqual(ALL);
    expect(await symbols({ addresses: [DUST] })).toEqual([]);
  });

  test("pages: size 0 or absent is all, a page past the end is empty, totals are told", async () => {
    const page = (paging: unknown) => list({ paging });
    const two = await page({ page: 2, page_size: 3 });
    expect(two.tokens.map(({ symbol }) => symbol)).toEqual(ALL.slice(3, 6));
    expect([two.total, two.paging]).toEqual([7, { page: 2, page_size: 3, total: 7, pages: 3 }]);
    expect((await page({ page: 4, page_size: 3 })).tokens).toEqual([]);
    expect((await page({ page: 1 })).tokens.length).toBe(7);
    expect((await page({ page: 1, page_size: 0 })).tokens.length).toBe(7);
    expect((await page({ page: 2, page_size: 0 })).tokens).toEqual([]);
    expect((await page({ page: 1, page_size: 100 })).tokens.length).toBe(7);
  });
});

describe("chains and sources", () => {
  test("platforms", async () => {
    const { json } = await get(api, "/v1/platforms");
    expect(json).toEqual({
      platforms: [
        {
          chainId: 1,
          name: "Ethereum",
          shortname: "eth",
          native_symbol: "ETH",
          gas_unit: "GWEI",
          block_time_ms: 12_000,
        },
      ],
    });
  });

  test("gas prices are plain GWEI texts, low ≤ medium ≤ high", async () => {
    const { json } = await get(api, "/v1/1/gasprices");
    expect(Object.keys(json)).toEqual([
      "baseFee",
      "low",
      "medium",
      "high",
      "lowInfo",
      "mediumInfo",
      "highInfo",
    ]);
    expect([json.baseFee, json.low, json.medium, json.high]).toEqual(["13.257", "13.5", "14", "14.257"]);
    expect(json.highInfo).toEqual({ price: "14.257", maxPriorityFeePerGas: "1", maxFeePerGas: "28.514" });
  });

  test("sources name what include and exclude accept, with a logo that asks no host", async () => {
    const { json } = await get(api, "/v1/sources");
    expect(json.sources.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      ["sushiswap", "SushiSwap"],
      ["uniswap-v2", "Uniswap_V2"],
    ]);
    for (const { logo } of json.sources) expect(logo).toMatch(/^data:image\/svg\+xml,/);
  });
});
