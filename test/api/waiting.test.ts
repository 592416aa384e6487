import { expect, test } from "vitest";
import { defaultServiceSettings } from "../../src/service/deps.ts";
import { expectFailure, get, post } from "./ask.ts";
import { createWorld, USDC, WETH, waiting } from "./world.ts";

/** Requests that wait for a block or for pools take nobody's place. */

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };
const settings = { ...defaultServiceSettings, minBlockWaitMs: 600_000 };

type Api = Awaited<ReturnType<typeof createWorld>>;
const later = { min_block: "101" };
const ways: [string, (api: Api) => Promise<{ status: number }>][] = [
  ["price", (api) => get(api, "/v1/1/price", { ...pair, ...later })],
  ["quote", (api) => get(api, "/v1/1/quote", { ...pair, ...later, slippage: "10" })],
  ["prices", (api) => post(api, "/v1/1/prices", JSON.stringify({ ...pair, ...later, requests: [{}] }))],
];

test.each(ways)("%s with a min_block of the future leaves the only place to others", async (_name, ask) => {
  const api = await createWorld({ http: { maxConcurrent: 1 }, deps: { settings } });
  const answer = ask(api);
  await expect.poll(() => waiting.get(api.world)?.size).toBe(1);
  expect((await get(api, "/health")).json.searches_running).toBe(0);
  const others = ["10.0.0.8", "10.0.0.9"].map((remoteAddress) =>
    api.app.inject({ url: "/v1/1/price", query: pair, remoteAddress }),
  );
  expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  api.world.nextBlock();
  expect((await answer).status).toBe(200);
  await api.app.close();
});

test("waited_ms includes the wait for a block, and a bad request does not wait for it", async () => {
  let nowMs = 0;
  const api = await createWorld({ deps: { settings, monotonicMs: () => nowMs } });
  const answer = get(api, "/v1/1/price", { ...pair, ...later });
  await expect.poll(() => waiting.get(api.world)?.size).toBe(1);
  nowMs = 700;
  api.world.nextBlock();
  expect((await answer).json.search.waited_ms).toBe(700);
  const unknown = { ...pair, min_block: "999", toTokenAddress: `0x${"12".repeat(20)}` };
  expectFailure(await get(api, "/v1/1/price", unknown), 400, "UNKNOWN_TOKEN");
  await api.app.close();
});
