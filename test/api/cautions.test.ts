import { afterEach, beforeEach, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { protocols } from "../../src/protocols/index.ts";
import { get } from "./ask.ts";
import { ALICE, BOB, createWorld, LONELY, LONELY_TWIN, USDC, WETH } from "./world.ts";

/** What a quote says of its recipient, its tokens and its pools. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;
let api: TestWorld;
beforeEach(async () => {
  api = await createWorld();
});
afterEach(() => api.app.close());

type Told = { code: string; severity: string; details: Record<string, unknown> };

async function noticesOf(query: Record<string, string>): Promise<Map<string, Told>> {
  const base = {
    fromTokenAddress: WETH,
    toTokenAddress: USDC,
    amount: "1000000000000000000",
    slippage: "10",
  };
  const { json, status } = await get(api, "/v1/1/quote", { ...base, ...query });
  expect(status).toBe(200);
  return new Map(json.notices.map((notice: Told) => [notice.code, notice]));
}

test("a recipient that is a contract is told of, the graver where it is paid coins", async () => {
  api.world.coded.add(BOB);
  const tokens = await noticesOf({ recipientAddress: BOB });
  expect(tokens.get("RECIPIENT_IS_CONTRACT")).toMatchObject({
    severity: "info",
    details: { recipient: BOB },
  });
  const coins = { fromTokenAddress: USDC, toTokenAddress: NATIVE, amount: "1000000000" };
  const paid = await noticesOf({ ...coins, recipientAddress: BOB });
  expect(paid.get("RECIPIENT_IS_CONTRACT")?.severity).toBe("warning");
  expect((await noticesOf({ recipientAddress: ALICE })).has("RECIPIENT_IS_CONTRACT")).toBe(false);
});

test("a token that keeps a part of a transfer is told of, unless it is vetted", async () => {
  const chains = new Map([
    [1, { ...api.deps.chains.get(1)!, isVetted: (token: string) => token !== LONELY }],
  ]);
  const { world } = api;
  await api.app.close();
  api = await createWorld({ chains });
  world.transferFees.set(LONELY, 250).set(LONELY_TWIN, 250);
  const notices = await noticesOf({ fromTokenAddress: LONELY, toTokenAddress: LONELY_TWIN });
  expect(notices.get("FEE_ON_TRANSFER")).toMatchObject({
    severity: "warning",
    details: { field: "token_in", token: LONELY, fee_bps: 250 },
  });
  world.transferFees.clear();
  const plain = await noticesOf({ fromTokenAddress: LONELY, toTokenAddress: LONELY_TWIN });
  expect(plain.has("FEE_ON_TRANSFER")).toBe(false);
});

test("a pool that pays something else a minute later is told of", async () => {
  expect((await noticesOf({})).has("TIME_DEPENDENT_POOL")).toBe(false);
  const still = protocols.get("uniswap-v2")!;
  /** Pays a little less each second. */
  const melting: typeof still = {
    ...still,
    quote: (...asked) => {
      const fill = still.quote(...asked);
      const [, , , , , , at] = asked;
      return fill && { ...fill, amountOut: fill.amountOut - BigInt(at.timestamp % 1_000_000) };
    },
  };
  await api.app.close();
  api = await createWorld({ deps: { registry: new Map([...protocols, ["uniswap-v2", melting]]) } });
  const notices = await noticesOf({});
  expect(notices.get("TIME_DEPENDENT_POOL")?.details.pools).toMatch(/^0x[0-9a-f]{40}/);
});

test("every token of a route says whether a public list names it", async () => {
  const query = { fromTokenAddress: LONELY, toTokenAddress: LONELY_TWIN, amount: "1000000000000000000" };
  const { json } = await get(api, "/v1/1/price", query);
  const listed = json.route_graph.tokens.map(({ address, is_listed }: Record<string, unknown>) => [
    address,
    is_listed,
  ]);
  expect(listed).toEqual([
    [LONELY, false],
    [LONELY_TWIN, true],
  ]);
});
