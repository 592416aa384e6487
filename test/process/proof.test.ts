import { afterAll, beforeAll, expect, test } from "vitest";
import type { Head, Hex } from "../../src/core/types.ts";
import { NodeFailure } from "../../src/edge/node/transport/failure.ts";
import type { Rpc } from "../../src/edge/node/transport/rpc.ts";
import { createProofPort } from "../../src/edge/proof/proof-port.ts";
import { rpcOf } from "../sdk/wallets.ts";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";

/** Quotes of the devnet are run by wallets that have nothing, in each way that a node may offer. */

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";
const RICH = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const POOR = "0x00000000000000000000000000000000000b4a1d";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ ...ONE_THREAD, DEVNET_TRAFFIC: "false" });
});
afterAll(() => stack.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
async function quote(query: Record<string, string>): Promise<any> {
  const steady = { slippage: "10", includeAggregator: "Uniswap_V2,Uniswap_V3" };
  const answer = await fetch(`${stack.url}/v1/31337/quote?${new URLSearchParams({ ...steady, ...query })}`);
  const json = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return json;
}

const pairs = [
  [NATIVE, USDC, "1000000000000000000"],
  [WETH, USDT, "1000000000000000000"],
  [USDC, NATIVE, "1000000000"],
  [USDT, WETH, "1000000000"],
  [DAI, USDC, "1000000000000000000000"],
] as const;

test.each(pairs)(
  "%s → %s pays what is quoted, by a stand-in and by a wallet without funds",
  async (from, to, amount) => {
    for (const takerAddress of ["", POOR]) {
      const json = await quote({ fromTokenAddress: from, toTokenAddress: to, amount, takerAddress });
      expect(json.simulated).toBe(false);
      expect(json.simulation).toMatchObject({
        status: "exact",
        amount_out: json.amount_out_total,
        block: json.block_number,
        method: "eth_simulateV1",
        funds: "overridden",
      });
      expect(Number(json.simulation.gas_used)).toBeLessThanOrEqual(Number(json.estimate_gas_total));
    }
  },
);

test("a wallet with funds runs it as it is", async () => {
  const terms = { fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: "1000000000000000" };
  const { simulation } = await quote({ ...terms, takerAddress: RICH });
  expect(simulation).toMatchObject({ status: "exact", funds: "wallet", method: "eth_simulateV1" });
});

test("a wallet whose allowance of USDT must be reset before another is no wallet whose swap reverts", async () => {
  const router = (await quote({ fromTokenAddress: USDT, toTokenAddress: WETH, amount: "1000000000" })).to;
  const [spender, seven] = [router.slice(2), "7"].map((word) => word.padStart(64, "0"));
  const approval = { from: RICH, to: USDT, data: `0x095ea7b3${spender}${seven}` };
  const rpc = rpcOf(stack.rpc);
  const hash = await rpc("eth_sendTransaction", [approval]);
  await expect.poll(() => rpc("eth_getTransactionReceipt", [hash]), { timeout: 20_000 }).not.toBeNull();
  const block = String(Number(await rpc("eth_blockNumber")));
  const terms = { fromTokenAddress: USDT, toTokenAddress: WETH, amount: "1000000000", min_block: block };
  const { simulation, notices } = await quote({ ...terms, takerAddress: RICH });
  expect(simulation).toMatchObject({ status: "exact", funds: "overridden" });
  expect(notices.map(({ code }: { code: string }) => code)).not.toContain("REVERTS");
});

/** The devnet's node without some of its abilities. */
function nodeWithout(lacks: (method: string, params: readonly unknown[]) => boolean): Rpc {
  const ask = async (method: string, params: readonly unknown[]) => {
    if (lacks(method, params))
      return { ok: false as const, failure: new NodeFailure("unsupported", "not here") };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(stack.rpc, { method: "POST", headers, body });
    const { result, error } = (await answer.json()) as {
      result: unknown;
      error?: { message: string; data?: Hex };
    };
    if (error === undefined) return { ok: true as const, result };
    return {
      ok: false as const,
      failure: new NodeFailure("reverted", error.message, { data: error.data ?? "0x" }),
    };
  };
  return {
    batch: (requests) => Promise.all(requests.map(({ method, params }) => ask(method, params))),
    request: () => Promise.reject(new Error("not asked")),
  };
}

const requestOf = async (from: string, to: string, amount: string, taker: Hex) => {
  const json = await quote({ fromTokenAddress: from, toTokenAddress: to, amount });
  const head: Head = { number: json.block_number, hash: json.block_hash, parentHash: "0x", timestamp: 0 };
  const swap = { to: json.to, data: json.calldata, value: BigInt(json.value) };
  const terms = { token: from as Hex, amountIn: BigInt(amount), isSigned: false, isAble: true };
  return { expected: BigInt(json.amount_out_total), request: { swap, from: taker, head, ...terms } };
};

test("without eth_simulateV1: one call, with the balance and the allowance overridden", async () => {
  const rpc = nodeWithout((method) => method === "eth_simulateV1");
  const port = createProofPort(rpc, { blockTimeMs: 1_000 });
  for (const [from, to, amount] of pairs) {
    const { expected, request } = await requestOf(from, to, amount, POOR);
    const run = await port.run(request);
    expect([run?.method, run?.ok, BigInt(run?.data ?? "0x0")], from).toEqual([
      "eth_call with overrides",
      true,
      expected,
    ]);
  }
});

test("without overrides: as it is, for a wallet that may pay; for a stand-in not at all", async () => {
  const rpc = nodeWithout((method, params) => method === "eth_simulateV1" || params.length > 2);
  const port = createProofPort(rpc, { blockTimeMs: 1_000 });
  const { request } = await requestOf(USDC, WETH, "1000000", RICH);
  expect(await port.run(request)).toMatchObject({ method: "eth_call", ok: false });
  expect(await port.run({ ...request, isAble: false })).toBeUndefined();
});
