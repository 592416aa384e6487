import { afterAll, beforeAll, expect, test } from "vitest";
import { withMinimum } from "../../src/core/encoding/index.ts";
import type { Hex } from "../../src/core/types.ts";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";

/** Balances, a token and real transactions on the devnet, asked over HTTP as a client asks. */

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const PAYER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const FEES = "0x000000000000000000000000000000000000fee5";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ ...ONE_THREAD, DEVNET_TRAFFIC: "false" });
});
afterAll(() => stack.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without types
async function ask(path: string, query: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(`${stack.url}/v1/31337/${path}?${new URLSearchParams(query)}`);
  const json = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return json;
}

async function rpc<T = string>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(stack.rpc, { method: "POST", headers, body });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

type Sent = { readonly calldata: Hex; readonly to: Hex; readonly value: string };

/** Sends with plenty of gas, so that a revert is mined and not refused. */
async function send({ to, calldata, value }: Sent): Promise<Hex> {
  const gas = "0x2dc6c0";
  const hash = await rpc<Hex>("eth_sendTransaction", {
    from: PAYER,
    to,
    data: calldata,
    value: `0x${BigInt(value).toString(16)}`,
    gas,
  });
  await expect.poll(() => rpc("eth_getTransactionReceipt", hash), { timeout: 20_000 }).not.toBeNull();
  return hash;
}

/** Pools whose price the clock does not move. */
const steady = { slippage: "10", includeAggregator: "Uniswap_V2,Uniswap_V3" };
const outcome = (hash: Hex) => ask("transaction/outcome", { hash });
/** The newest block of the node: what is asked from it on sees every receipt so far. */
const newest = async () => ({ min_block: String(Number(await rpc("eth_blockNumber"))) });
const balanceOf = async (token: string) => {
  const query = { walletAddress: PAYER, tokenAddress: token, ...(await newest()) };
  return BigInt((await ask("balances", query)).balances[0].balance);
};

test("coins sold for a token: what arrived is what was quoted, each fee to the unit, and what the balance grew by", async () => {
  const before = await balanceOf(USDC);
  const quote = await ask("quote", {
    ...steady,
    fromTokenAddress: NATIVE,
    toTokenAddress: USDC,
    amount: "1000000000000000000",
    takerAddress: PAYER,
    feeRecipient: FEES,
    buyTokenPercentageFee: "7",
    sellTokenPercentageFee: "3",
  });
  const found = await outcome(await send(quote));
  expect(found).toMatchObject({ status: "succeeded", from: PAYER, to: quote.to, revert: null });
  expect(found.swap).toMatchObject({
    token_in: NATIVE,
    token_out: USDC,
    amount_in: "1000000000000000000",
    amount_out: quote.amount_out_total,
    measured_by: "transfers",
    sell_fee_amount: quote.sell_fee_amount,
    fee_recipient_amount: quote.fee_recipient_amount,
    min_amount_out: quote.min_amount_out,
  });
  expect((await balanceOf(USDC)) - before).toBe(BigInt(quote.amount_out_total));
});

test("a token sold for coins, approved in one call: the coins are told by a trace", async () => {
  const query = { ...steady, fromTokenAddress: USDC, toTokenAddress: NATIVE, amount: "1000000000" };
  const approval = await ask("transaction/approve", { tokenAddress: USDC, amount: "1000000000" });
  await send({ ...approval, value: "0" });
  const quote = await ask("quote", { ...query, takerAddress: PAYER, ...(await newest()) });
  expect(quote.calls).toHaveLength(1);
  const found = await outcome(await send(quote));
  expect(found.swap).toMatchObject({ amount_out: quote.amount_out_total, measured_by: "trace" });
  const asked = { walletAddress: PAYER, tokenAddress: `${USDC},${NATIVE}` };
  const wallet = await ask("balances", { ...asked, ...(await newest()) });
  expect(wallet.balances[0].allowance).toBe("0");
  expect(Number(wallet.balances[1].balance_usd)).toBeGreaterThan(0);
});

test("a minimum that is out of reach: reverted in words, with what it would have paid", async () => {
  const query = { ...steady, fromTokenAddress: NATIVE, toTokenAddress: USDT, amount: "1000000000000000000" };
  const quote = await ask("quote", { ...query, takerAddress: PAYER, ...(await newest()) });
  const greedy = withMinimum(quote.calldata, 2n * BigInt(quote.amount_out_total));
  const found = await outcome(await send({ ...quote, calldata: greedy }));
  expect(found).toMatchObject({ status: "reverted", revert: { text: "min return not reached" } });
  expect(found.revert.would_have_paid).toBe(quote.amount_out_total);
  expect(found.swap.amount_out).toBeNull();
});

test("a transaction that nobody knows, and a token that no list has", async () => {
  expect((await outcome(`0x${"ab".repeat(32)}`)).status).toBe("unknown");
  const fee = await ask("tokens/0x00000000000000000000000000000000000fee01");
  expect(fee).toMatchObject({ symbol: "FEE", decimals: 18, is_listed: false, is_traded: false });
});
