import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { get, post } from "./ask.ts";
import { createWorld, LONELY, starting, USDC, WETH } from "./world.ts";

/** What /metrics and the log tell of requests. */

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };

test("stages, gaps and ends of searches are counted by chain", async () => {
  const api = await createWorld();
  await get(api, "/v1/1/quote", { ...pair, slippage: "10" });
  await get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY });
  await get(api, "/v1/1/price", { ...pair, min_block: "999" });
  const { text } = await get(api, "/metrics");
  const value = (series: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")[1],
    );
  const searches = value('braid_stage_seconds_count{chain="1",stage="search"}');
  expect(searches).toBeGreaterThan(1);
  // Each search may have waited for its turn, and one request waited for a block.
  expect(value('braid_stage_seconds_count{chain="1",stage="wait"}')).toBe(searches + 1);
  // So is settling; the clock of this world's searches stands still.
  expect(value('braid_stage_seconds_count{chain="1",stage="settle"}')).toBe(searches);
  expect(value('braid_stage_seconds_sum{chain="1",stage="wait"}')).toBeGreaterThan(0.005);
  expect(value('braid_stage_seconds_count{chain="1",stage="encode"}')).toBe(1);
  expect(value('braid_stage_seconds_count{chain="1",stage="simulate"}')).toBe(1);
  const ends = ["complete", "no_route"].map((end) => value(`braid_searches_total{chain="1",end="${end}"}`));
  expect(ends[0]! + ends[1]!).toBe(searches);
  expect(Math.min(...ends)).toBeGreaterThan(0);
  expect(value('braid_optimality_gap_bps_count{chain="1"}')).toBe(ends[0]);
  expect(value('braid_optimality_gap_bps_sum{chain="1"}')).toBeLessThan(1);
});

test("blocks that the service awaits on its own account are no stage of a request", async () => {
  const api = await createWorld();
  api.measure();
  for (let block = 0; block < 3; block++) {
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    api.world.nextBlock();
  }
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect((await get(api, "/metrics")).text).not.toContain('stage="wait"');
  await api.app.close();
});

test("a chain whose state is built again has no block and no age", async () => {
  const api = await createWorld();
  expect((await get(api, "/metrics")).text).toMatch(/^braid_chain_age_seconds\{chain="1"\} 0\.1$/m);
  api.world.status = starting;
  const { text } = await get(api, "/metrics");
  expect(text).not.toMatch(/^braid_chain_(age_seconds|block)\{/m);
  expect(text).toMatch(/^braid_chain_fit\{chain="1"\} 0$/m);
});

test("the endpoints of a chain are told by their place, with what failed", async () => {
  const plain = await createWorld();
  const [served] = [...plain.deps.chains.values()];
  const unknown = { abilities: undefined, batchSize: 100, doubt: undefined };
  const endpoints = () => [
    { ...unknown, usable: true, trouble: undefined, failures: {}, medianMs: 4, p95Ms: 9, behindBlocks: 0 },
    {
      ...unknown,
      usable: false,
      trouble: "is of another chain: another genesis",
      failures: { transport: 3, "rate-limit": 2 },
      medianMs: undefined,
      p95Ms: undefined,
      behindBlocks: 7,
      doubt: "logs of another block",
    },
  ];
  const api = await createWorld({ chains: new Map([[1, { ...served!, endpoints }]]) });
  for (let turn = 0; turn < 2; turn++) {
    const { text } = await get(api, "/metrics");
    expect(text).toContain('braid_node_failures_total{chain="1",endpoint="1",kind="transport"} 3');
    expect(text).toContain('braid_node_failures_total{chain="1",endpoint="1",kind="rate-limit"} 2');
    expect(text).toContain('braid_node_usable{chain="1",endpoint="0"} 1');
    expect(text).toContain('braid_node_usable{chain="1",endpoint="1"} 0');
    const health = JSON.parse((await get(api, "/health")).text) as {
      chains: { doubted_endpoints: unknown }[];
    };
    expect(health.chains[0]!.doubted_endpoints).toEqual([{ endpoint: 1, why: "logs of another block" }]);
  }
});

test("every log line about a request holds the id that its caller was given", async () => {
  const api = await createWorld();
  const headers = { "x-request-id": "asked-4711" };
  const requests = [
    () => get(api, "/v1/1/quote", { ...pair, slippage: "10" }, headers),
    () => get(api, "/v1/1/quote", { ...pair, slippage: "x" }, headers),
    () => get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY }, headers),
    () => get(api, "/v1/2/price", pair, headers),
    () => get(api, "/v1/%zz/price", {}, headers),
    () => get(api, `/v1/1/price?x=${"y".repeat(9_000)}`, {}, headers),
    () => post(api, "/v1/1/prices", "{", headers),
  ];
  for (const ask of requests) expect((await ask()).headers["x-request-id"]).toBe("asked-4711");
  api.world.searchFails = new Error("a search that fails");
  expect((await get(api, "/v1/1/price", pair, headers)).status).toBe(500);
  expect(api.world.log.length).toBeGreaterThan(4);
  expect(api.world.log.filter((line) => !line.includes('"request":"asked-4711"'))).toEqual([]);
});
