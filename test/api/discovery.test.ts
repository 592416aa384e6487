import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ServedChain } from "../../src/service/ports/ports.ts";
import type { Coverage } from "../../src/service/ports/ports-discovery.ts";
import type { ChainStatus } from "../../src/service/ports/ports-status.ts";
import { expectFailure, get } from "./ask.ts";
import { createWorld, USDC, WETH } from "./world.ts";

/** Chains whose pools are discovered while they are served. */

let api: Awaited<ReturnType<typeof createWorld>>;
let status: ChainStatus;
let coverage: Coverage;
let reading: string | undefined;

beforeAll(async () => {
  const plain = await createWorld();
  const first = plain.deps.chains.get(1)!;
  await plain.app.close();
  const second = { ...first, chain: { ...first.chain, id: 10, name: "Optimism" } };
  const chains = new Map<number, ServedChain>([
    [1, { ...first, discovery: { coverage: () => coverage, cover: async () => reading } }],
    [10, { ...second, market: { ...first.market, status: () => status } }],
  ]);
  api = await createWorld({ chains });
});
afterAll(() => api.app.close());
beforeEach(() => {
  status = { phase: "starting", reason: "no node has answered yet" };
  reading = undefined;
  const counts = { pools: 1518, tokens: 39, requests: 62, perSecond: 24.96 };
  coverage = { ...counts, phase: "discovering", step: "reading 400 pools", done: 100, total: 400 };
});

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: `${10n ** 18n}` };

test("a chain whose nodes never answered leaves the others in service, and is not ready by itself", async () => {
  expect((await get(api, "/readyz", {})).status).toBe(200);
  expect((await get(api, "/readyz", { chain: 1 })).status).toBe(200);
  const alone = expectFailure(await get(api, "/readyz", { chain: 10 }), 503, "STALE_STATE");
  expect(alone.details).toMatchObject([{ value: 10, reason: expect.stringContaining("no node") }]);
  const unserved = expectFailure(await get(api, "/readyz", { chain: 77 }), 400, "UNSUPPORTED_CHAIN");
  expect(unserved.details.map(({ field }) => field)).toEqual(["chain"]);
});

test("a chain that was ready once and cannot be priced now takes the service out", async () => {
  status = { phase: "starting", reason: "pools are being read", wasLive: true };
  const failure = expectFailure(await get(api, "/readyz", {}), 503, "STALE_STATE");
  expect(failure.error).toContain("chain 10");
});

test("/status says how much of every chain is known, what is being read and at which pace", async () => {
  const { json } = await get(api, "/status", {});
  expect(json.chains).toMatchObject([
    {
      ...{ chainId: 1, ready: true, phase: "discovering", step: "reading 400 pools", percent: 25 },
      ...{ pools_known: 1518, tokens: 39, requests: 62, requests_per_second: 25 },
    },
    { chainId: 10, ready: false, phase: "connecting", percent: null },
  ]);
});

test("an answer says how much was known while pools are still being discovered", async () => {
  const { json } = await get(api, "/v1/1/price", pair);
  expect(json.coverage).toEqual({ tokens: 39, pools: 1518, phase: "discovering", complete: false });
  coverage = { ...coverage, phase: "complete" };
  expect((await get(api, "/v1/1/price", pair)).json).not.toHaveProperty("coverage");
});

test("a token whose pools are being read is answered by when to come again, and what is read", async () => {
  reading = `the pools of ${WETH} and ${USDC} are being read`;
  const got = await get(api, "/v1/1/price", pair);
  expect(expectFailure(got, 503, "STALE_STATE").error).toContain(reading);
  expect(got.headers["retry-after"]).toBe("1");
});
