import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PERMIT2_ADDRESS } from "../../src/core/encoding/index.ts";
import { expectFailure, get, unnamed } from "./ask.ts";
import { ALICE, BOB, createWorld, ROUTER, USDC, WETH } from "./world.ts";

/** A chain whose router is not there. */

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  api.world.routerTrouble = `no code lies at ${ROUTER}`;
});

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: `${10n ** 18n}`, slippage: "10" };
const path = (name: string) => `/v1/1/${name}`;

test("quote, and what is approved or allowed to the router, answer 4003 and say what to do; price goes on", async () => {
  const questions = [
    ["quote", pair],
    ["quote", { ...pair, takerAddress: ALICE, skipValidation: "false" }],
    ["transaction/approve", { tokenAddress: WETH }],
    ["transaction/approve", { tokenAddress: WETH, contractAddress: ROUTER }],
    ["transaction/allowance", { tokenAddress: WETH, walletAddress: ALICE }],
  ] as const;
  for (const [name, query] of questions) {
    const got = await get(api, path(name), query);
    const body = expectFailure(got, 503, "ROUTER_UNAVAILABLE");
    expect(body.code).toBe(4003);
    expect(body.error).toContain("npm run deploy");
    expect(body.details).toEqual([
      { field: "chainID", reason: `no code lies at ${ROUTER}`, value: 1, router: ROUTER },
    ]);
    expect(Number(got.headers["retry-after"])).toBeGreaterThan(0);
  }
  const offered = (await get(api, path("price"), pair)).json;
  api.world.routerTrouble = undefined;
  expect((await get(api, path("price"), pair)).json).toEqual(unnamed(offered));
  expect((await get(api, path("quote"), pair)).status).toBe(200);
});

test("approvals of other contracts go on, with a warning unless it is Permit2", async () => {
  const approve = (contractAddress: string, amount = "5") =>
    get(api, path("transaction/approve"), { tokenAddress: WETH, contractAddress, amount });
  const stranger = await approve(BOB);
  expect(stranger.json.warnings).toHaveLength(1);
  expect(stranger.json.warnings[0]).toContain(BOB);
  expect((await approve(PERMIT2_ADDRESS)).json.warnings).toEqual([]);
  expect((await approve(BOB, "0")).json.warnings).toEqual([]);
  api.world.routerTrouble = undefined;
  expect((await approve(ROUTER)).json.warnings).toEqual([]);
});

test("health is degraded and names it; the chain is ready to price", async () => {
  const health = (await get(api, "/health")).json;
  expect(health.status).toBe("degraded");
  expect(health.chains[0]).toMatchObject({ trouble: null, router_trouble: `no code lies at ${ROUTER}` });
  expect((await get(api, "/readyz")).status).toBe(200);
  expect((await get(api, "/metrics")).text).toContain('braid_chain_router{chain="1"} 0');
  api.world.routerTrouble = undefined;
  expect((await get(api, "/health")).json).toMatchObject({
    status: "ok",
    chains: [{ router_trouble: null }],
  });
});
