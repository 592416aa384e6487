import { afterAll, beforeAll, expect, test } from "vitest";
import { get } from "./ask.ts";
import { holding } from "./ledger.ts";
import { ALICE, createWorld, UNI_WETH_USDC, USDC, WETH } from "./world.ts";

/** Offers made of a block that is being built. */

const MOST = 2n ** 255n;
const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: `${10n ** 18n}`, slippage: "10" };

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld();
  const { ledger } = api.world;
  ledger.balances.set(holding(WETH, ALICE), MOST);
  ledger.allowances.set(holding(WETH, ALICE), MOST);
  api.world.simulatedOn = api.world.head.hash;
});
afterAll(() => api.app.close());

test("a price says of which kind of block it is, and names the sealed one", async () => {
  for (const isPreconfirmed of [false, true]) {
    api.world.isPreconfirmed = isPreconfirmed;
    const { json } = await get(api, "/v1/1/price", pair);
    expect(json.state).toBe(isPreconfirmed ? "preconfirmed" : "sealed");
    expect(json.block_hash).toBe(api.world.head.hash);
  }
});

test("a run on the sealed block that pays something else is evidence against a pool only where that block was priced", async () => {
  api.world.ledger.lies.set(UNI_WETH_USDC, 990n);
  for (const [isPreconfirmed, reported] of [
    [true, []],
    [false, [UNI_WETH_USDC]],
  ] as const) {
    api.world.isPreconfirmed = isPreconfirmed;
    const { status } = await get(api, "/v1/1/quote", { ...pair, takerAddress: ALICE });
    expect(status).toBe(200);
    expect(api.world.reported).toEqual(reported);
  }
});
