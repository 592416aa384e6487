import { encodeFunctionData, parseAbi, parseSignature } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeSwap } from "../../src/core/encoding/index.ts";
import type { Address, Hex } from "../../src/core/types.ts";
import type { ServedChain } from "../../src/service/ports/ports.ts";
import type { Offer } from "../../src/service/pricing/offer.ts";
import { permitFacts } from "../../src/service/quoting/permit-tokens.ts";
import { permitOffers } from "../../src/service/quoting/permits.ts";
import { type Stack, startStack } from "../support/stack.ts";

/** The whole service on its devnet, asked over HTTP as a client asks it. */

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const PAYER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const RECIPIENT = "0x00000000000000000000000000000000000b4a1d";
const FEES = "0x000000000000000000000000000000000000fee5";

const permitAbi = parseAbi([
  "function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "function allowance(address,address) view returns (uint256)",
]);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
type Answer = { status: number; json: any };

async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const answer = await fetch(`${stack.url}/v1/31337/${path}`, init);
  return { status: answer.status, json: await answer.json() };
}

const query = (more: Record<string, string>) =>
  String(new URLSearchParams({ fromTokenAddress: NATIVE, toTokenAddress: USDC, slippage: "10", ...more }));

async function rpc(method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(stack.rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { result, error } = (await answer.json()) as { result: string; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

const usdcOf = async (account: string) =>
  BigInt(
    await rpc("eth_call", { to: USDC, data: `0x70a08231${account.slice(2).padStart(64, "0")}` }, "latest"),
  );

test("an amount that is bought arrives, paid with amount_in and no more, each fee to the unit", async () => {
  const wanted = 12_345_678_901n;
  const { status, json } = await ask(
    `quote?${query({
      amount: String(wanted),
      side: "BUY",
      // Pools whose price the clock does not move: the block that executes comes whenever it comes.
      includeAggregator: "Uniswap_V2,Uniswap_V3",
      takerAddress: PAYER,
      recipientAddress: RECIPIENT,
      feeRecipient: FEES,
      buyTokenPercentageFee: "7",
      sellTokenPercentageFee: "3",
    })}`,
  );
  expect(status, JSON.stringify(json)).toBe(200);
  expect([json.simulated, json.value, json.side]).toEqual([true, json.amount_in, "BUY"]);
  expect(decodeSwap(json.calldata).amountIn).toBe(BigInt(json.amount_in));
  expect(BigInt(json.amount_out_total)).toBeGreaterThanOrEqual(wanted);
  expect(BigInt(json.amount_out_total) - wanted).toBeLessThan(wanted / 1_000_000n);

  const hash = await rpc("eth_sendTransaction", {
    from: PAYER,
    to: json.to,
    data: json.calldata,
    value: `0x${BigInt(json.value).toString(16)}`,
    gas: `0x${BigInt(json.estimate_gas_total).toString(16)}`,
  });
  await expect
    .poll(() => rpc("eth_getTransactionReceipt", hash), { timeout: 20_000 })
    .toMatchObject({ status: "0x1" });
  expect(await usdcOf(RECIPIENT)).toBe(BigInt(json.amount_out_total));
  expect(await usdcOf(FEES)).toBe(BigInt(json.fee_recipient_amount));
  expect(BigInt(await rpc("eth_getBalance", FEES, "latest"))).toBe(BigInt(json.sell_fee_amount));
});

test("the typed data of a permit is what the real contract of a token verifies", async () => {
  const sources = { includeAggregator: "Uniswap_V2", amount: "1000000000000000000" };
  const { json } = await ask(`price?${query(sources)}`);
  // A pair's own share is a token with EIP-2612, in the bytecode that it has everywhere.
  const share = json.route_graph.steps.at(-1).pool as Address;
  const payer = mnemonicToAccount("test test test test test test test test test test test junk");
  // What reverts is answered with nothing, as the edge's own port does.
  const node = {
    call: (to: Address, data: Hex) => rpc("eth_call", { to, data }, "latest").catch(() => "0x"),
  };
  const served = { chain: { id: 31_337 }, node } as unknown as ServedChain;
  const facts = await permitFacts(served, share, PAYER);
  expect(facts.token).toMatchObject({
    kind: "eip2612",
    nonce: 0n,
    domain: { name: "Uniswap V2", version: "1" },
  });

  const offer = { chain: { id: 31_337 }, tokenIn: { address: share }, amountIn: 77n } as unknown as Offer;
  const terms = { owner: PAYER, spender: RECIPIENT, deadline: 2_000_000_000 } as const;
  const [permit] = permitOffers({ ...facts, permit2: undefined }, { ...terms, offer });
  const signature = await payer.signTypedData(permit!.typedData as never);
  const { r, s, v } = parseSignature(signature);
  const args = [PAYER, RECIPIENT, 77n, 2_000_000_000n, Number(v), r, s] as const;
  const data = encodeFunctionData({ abi: permitAbi, functionName: "permit", args });
  const hash = await rpc("eth_sendTransaction", { from: PAYER, to: share, data });
  await expect
    .poll(() => rpc("eth_getTransactionReceipt", hash), { timeout: 20_000 })
    .toMatchObject({ status: "0x1" });
  const allowance = encodeFunctionData({
    abi: permitAbi,
    functionName: "allowance",
    args: [PAYER, RECIPIENT],
  });
  expect(BigInt(await rpc("eth_call", { to: share, data: allowance }, "latest"))).toBe(77n);
  expect((await permitFacts(served, share, PAYER)).token?.nonce).toBe(1n);
});

test("64 prices are of one block, and never better than their bounds", async () => {
  const requests = Array.from({ length: 64 }, (_, index) => ({
    amount: String(BigInt(index + 1) * 10n ** 17n),
  }));
  const body = JSON.stringify({ fromTokenAddress: NATIVE, toTokenAddress: USDC, requests });
  const { status, json } = await ask("prices", { method: "POST", body });
  expect(status).toBe(200);
  expect(json.prices).toHaveLength(64);
  for (const { offer } of json.prices) {
    expect([offer.block_number, offer.block_hash]).toEqual([json.block_number, json.block_hash]);
    const { upper_bound, reason } = offer.optimality;
    if (upper_bound === null) expect(reason).not.toBe("");
    else expect(BigInt(upper_bound)).toBeGreaterThanOrEqual(BigInt(offer.amount_out_total));
  }
});

test("more than there is: the largest amount named can be bought", async () => {
  const buy = (amount: string) => ask(`price?${query({ amount, side: "BUY" })}`);
  const buyLargest = async () => {
    const { status, json } = await buy(String(10n ** 24n));
    expect([status, json.reason]).toEqual([400, "NO_ROUTE"]);
    return (await buy(json.details[0].largest_amount)).status;
  };
  // Between the two the trader may have moved the market, and a busy machine may have no time for either.
  await expect.poll(buyLargest, { timeout: 40_000 }).toBe(200);
});
