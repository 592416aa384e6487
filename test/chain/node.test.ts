import { afterEach, expect, test } from "vitest";
import type { Hex } from "../../src/core/types.ts";
import { createChain } from "./blocks/chain.ts";
import { pairOutput } from "./blocks/traffic.ts";
import { S } from "./contracts/selectors.ts";
import { type Offered, wrongIn } from "./exact.ts";
import { words } from "./model/hash.ts";
import { isPair } from "./model/states.ts";
import { createBackend } from "./node/backend.ts";
import { type FakeNode, startFakeNode } from "./node/fake-node.ts";
import { type Profile, profileOf } from "./node/profiles.ts";

const chain = createChain({ seed: 4, sizes: { v2: 300, v3: 100, v4: 50 }, built: 10, busyHistory: false });
const PAIR: Hex = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const open: FakeNode[] = [];

afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

async function start(profile: Profile): Promise<FakeNode> {
  const node = await startFakeNode(createBackend(chain, profile), { profile });
  open.push(node);
  return node;
}

async function post(
  node: FakeNode,
  items: number,
): Promise<{ status: number; retryAfter: string | null; body: string }> {
  const one = (id: number) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] });
  const body = items === 1 ? one(1) : Array.from({ length: items }, (_, id) => one(id));
  const response = await fetch(node.url, { method: "POST", body: JSON.stringify(body) });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.text(),
  };
}

test("a limit counts the items of a batch, and says when to come again", async () => {
  const node = await start({ ...profileOf("public"), perSecond: 1, burst: 10, latencyMs: 0 });
  expect((await post(node, 8)).status).toBe(200);
  const refused = await post(node, 8);
  expect(refused.status).toBe(429);
  expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(4);
  expect((await post(node, 1)).status).toBe(200);
  expect(node.traffic).toMatchObject({ requests: 3, items: 17, limited: 8 });
});

test.each([
  ["drpc", 4, /Batch of more than 3/],
  ["slow", 2, /batch too large/],
] as const)("%s refuses a batch of %i", async (name, items, text) => {
  const node = await start({ ...profileOf(name), latencyMs: 0 });
  expect((await post(node, items)).body).toMatch(text);
});

const refusal = (name: string, method: string, params: readonly unknown[]): unknown => {
  try {
    createBackend(chain, profileOf(name)).answer(method, params);
    return undefined;
  } catch (error) {
    return (error as { message: string }).message;
  }
};
const range = (first: number, last: number) => [
  { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` },
];
const head = chain.head().number;

test("logs beyond an endpoint's limits are refused with its words", () => {
  expect(refusal("alchemy-free", "eth_getLogs", range(head - 20, head))).toMatch(
    /up to a 10 block range.*\[0x/,
  );
  expect(refusal("quicknode", "eth_getLogs", range(1, 20_000))).toMatch(/limited to a 10,000 range/);
  expect(refusal("bsc-dataseed", "eth_getLogs", range(head, head))).toBe("limit exceeded");
  expect(refusal("no-block-hash", "eth_getLogs", [{ blockHash: chain.head().hash }])).toMatch(
    /not supported/,
  );
  expect(refusal("local", "eth_getLogs", range(1, 20_000))).toBeUndefined();
});

test("states that are not kept, overrides that are not taken and gas that does not suffice are refused", () => {
  const call = { to: PAIR, data: S.getReserves };
  const old = `0x${(head - 128).toString(16)}`;
  expect(refusal("pruned", "eth_call", [call, old])).toMatch(/missing trie node/);
  expect(refusal("local", "eth_call", [call, old])).toBeUndefined();
  const code = { [PAIR]: { code: "0x5b600056" } };
  expect(refusal("no-overrides", "eth_call", [call, "latest", code])).toMatch(/too many arguments/);
  expect(refusal("small-gas", "eth_call", [{ ...call, gas: "0x10000" }, "latest", code])).toBe("out of gas");
});

test("a lie changes what logs say, and nothing else", async () => {
  const node = await start(profileOf("local"));
  const ask = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return ((await (await fetch(node.url, { method: "POST", body })).json()) as { result: unknown }).result;
  };
  const filter = [{ blockHash: chain.head().hash }];
  const right = (await ask("eth_getLogs", filter)) as { data: string }[];
  node.fault = "forged-logs";
  const forged = (await ask("eth_getLogs", filter)) as { data: string }[];
  expect(forged.length).toBe(right.length);
  expect(forged.map(({ data }) => data)).not.toEqual(right.map(({ data }) => data));
  node.fault = "dropped-logs";
  expect(((await ask("eth_getLogs", filter)) as unknown[]).length).toBeLessThan(right.length);
  expect(await ask("eth_call", [{ to: PAIR, data: S.token0 }, "latest"])).toBe(words(USDC));
});

test("an offer is exact where its steps pay what it says, and one unit more is seen", () => {
  const pool = chain.universe.byKey(PAIR) as number;
  const state = chain.state(pool, chain.head());
  if (state === undefined || !isPair(state)) throw new Error("no pair");
  const amountIn = 10n ** 18n;
  const out = pairOutput(amountIn, state.reserves[1], state.reserves[0], 3000);
  const offer = (paid: bigint): Offered => ({
    amount_out_total: String(paid),
    amount_in: String(amountIn),
    sell_fee_amount: "0",
    fee_recipient_amount: "0",
    block_number: head,
    block_hash: chain.head().hash,
    token_in: WETH,
    token_out: USDC,
    route_graph: {
      steps: [
        {
          pool: PAIR,
          token_in: WETH,
          token_out: USDC,
          amount_in: String(amountIn),
          amount_out: String(paid),
        },
      ],
    },
  });
  expect(wrongIn(chain, offer(out))).toBeUndefined();
  expect(wrongIn(chain, offer(out + 1n))).toMatch(/pays/);
  expect(wrongIn(chain, { ...offer(out), amount_out_total: String(out + 1n) })).toMatch(/the offer says/);
  expect(wrongIn(chain, { ...offer(out), block_hash: `0x${"12".repeat(32)}` })).toMatch(/no block/);
});
