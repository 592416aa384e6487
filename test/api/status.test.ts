import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prefersHtml } from "../../src/http/routes/operation/status.ts";
import { bucketsOf, quantileBound } from "../../src/http/status-page/histograms.ts";
import { indexSamples } from "../../src/http/status-page/samples.ts";
import { get } from "./ask.ts";
import { createWorld, UNI_WETH_USDC, USDC, WETH } from "./world.ts";

const FORMULAS = "levels: 1 of 2 directions are priced by formulas, which are not supported";
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  const plain = await createWorld();
  const served = plain.deps.chains.get(1)!;
  const unknown = { abilities: undefined, batchSize: 100, doubt: undefined };
  const endpoints = () => [
    { ...unknown, usable: true, trouble: undefined, failures: {}, medianMs: 4, p95Ms: 900, behindBlocks: 0 },
    {
      ...unknown,
      usable: false,
      trouble: "is of another chain: another genesis",
      failures: { transport: 3 },
      medianMs: undefined,
      p95Ms: undefined,
      behindBlocks: 7,
    },
  ];
  const makers = {
    firm: async () => undefined,
    broke: () => undefined,
    prices: () => false,
    health: () => [
      {
        ...{
          name: "<b>Maker</b>",
          phase: "blocked" as const,
          pairs: 3,
          fadeRate: 0.125,
          blockedForMs: 61_000,
        },
        ...{
          orders: {
            given: 7,
            refused: 1,
            late: 0,
            worse: 0,
            invalid: 0,
            failed: 0,
            unchecked: 0,
            reverted: 0,
          },
          trouble: FORMULAS,
        },
      } as const,
    ],
  };
  api = await createWorld({ chains: new Map([[1, { ...served, endpoints, makers }]]) });
  plain.world.quarantined.push(
    { id: UNI_WETH_USDC, protocol: "uniswap-v2", reason: "it paid less than quoted", untilBlock: 133 },
    { id: "0xbad", protocol: "curve", reason: "<script>alert(1)</script>", untilBlock: undefined },
  );
  const pair = { fromTokenAddress: WETH, toTokenAddress: USDC };
  for (const amount of ["1", "1000000000000000000", "2000000000000000000000"])
    await get(api, "/v1/1/price", { ...pair, amount });
});
afterAll(() => api.app.close());

describe("GET /status", () => {
  test("is a page for whoever asks for HTML, and JSON for programs", async () => {
    const page = await get(api, "/status", {}, BROWSER);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(page.headers.vary).toContain("Accept");
    const data = await get(api, "/status");
    expect(data.headers["content-type"]).toMatch(/^application\/json/);
    expect(data.json.chains).toHaveLength(1);
    expect(data.json.chains[0].endpoints).toMatchObject([
      { usable: true, trouble: null },
      { usable: false, trouble: "is of another chain: another genesis" },
    ]);
    expect(page.text).toContain("no: is of another chain: another genesis");
    expect(data.json.chains[0].makers).toMatchObject([
      { name: "<b>Maker</b>", phase: "blocked", fade_rate: 0.125, trouble: FORMULAS },
    ]);
    for (const path of ["/status/style.css", "/status/refresh.js"])
      expect((await get(api, path)).status).toBe(200);
  });

  test.each([
    [BROWSER.accept, true],
    ["text/html", true],
    ["application/json, text/html;q=0.9", false],
    ["text/html;q=0, */*", false],
    ["*/*", false],
    [undefined, false],
  ])("accept %s: a page is %s", (accept, wanted) => {
    expect(prefersHtml(accept)).toBe(wanted);
  });

  test("every number on it is the one that /metrics has", async () => {
    const { text: page } = await get(api, "/status", {}, BROWSER);
    const { text: metrics } = await get(api, "/metrics");
    const lines = metrics.split("\n");
    const shown = [...page.matchAll(/<data value="([^"]+)" data-series="([^"]+)">/g)];
    const named = shown.map(([, value, series]) => [series!.replaceAll("&quot;", '"'), value] as const);
    for (const [series, value] of named) {
      const line = lines.find((one) => one.startsWith(`${series} `));
      expect([series, line?.split(" ").at(-1) ?? "0"]).toEqual([series, value]);
    }
    const names = new Set(named.map(([series]) => series.split("{")[0]));
    for (const name of [
      ...["braid_chain_block", "braid_chain_age_seconds", "braid_chain_pools", "braid_chain_quarantined"],
      ...["braid_pools_by_design", "braid_node_usable", "braid_node_latency_seconds"],
      ...["braid_node_behind_blocks", "braid_node_failures_total", "braid_searches_running"],
    ])
      expect(names).toContain(name);
  });

  test("it names quarantined pools with their reasons and makers with their fades, all as text", async () => {
    const { text } = await get(api, "/status", {}, BROWSER);
    expect(text).toContain(`<code>${UNI_WETH_USDC}</code>`);
    expect(text).toContain("it paid less than quoted");
    expect(text).toContain("block 133");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toContain("&lt;b&gt;Maker&lt;/b&gt;");
    expect(text).toContain("blocked, for 61.0 s");
    expect(text).toContain("12.5 %");
    expect(text).not.toMatch(/<(script|b)>/);
    expect(text).toContain("given 7, refused 1");
    expect(text).toContain(FORMULAS);
  });
});

test("buckets are told apart, and a share of the observations lies under a bound", () => {
  const bucket = (chain: string, le: string, value: number) => ({
    name: "t_bucket",
    labels: { chain, le },
    value,
  });
  const samples = indexSamples([
    ...[bucket("1", "1", 2), bucket("1", "5", 2), bucket("1", "+Inf", 10)],
    ...[bucket("2", "1", 1), bucket("2", "5", 3), bucket("2", "+Inf", 3)],
  ]);
  const [one, both] = [{ chain: "1" }, {}].map((labels) => bucketsOf(samples, "t", labels));
  expect(one!.map(({ count }) => count)).toEqual([2, 0, 8]);
  expect(both!.map(({ count }) => count)).toEqual([3, 2, 8]);
  expect([0.2, 0.5].map((share) => quantileBound(one!, share))).toEqual([1, Number.POSITIVE_INFINITY]);
  expect(quantileBound([], 0.5)).toBeUndefined();
});
