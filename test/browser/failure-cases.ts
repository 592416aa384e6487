import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { type Case, eventually } from "./harness.ts";
import {
  canSwap,
  connectOther,
  ETH,
  link,
  OTHER,
  review,
  sentBy,
  swapped,
  USDC,
  USDT,
} from "./swap-steps.ts";
import { injectWallet } from "./wallet.ts";

const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

type Answer = { result?: unknown; error?: { message: string } };

/** Lets quotes promise a hundredth less: by a swap of another trader the price falls only where all of its pools are met. */
function lowerQuotes(page: Page): Promise<unknown> {
  return page.route(/\/quote\?/, async (route) => {
    const response = await route.fetch();
    const quote = (await response.json()) as { amount_out_total: string };
    const amount_out_total = String((BigInt(quote.amount_out_total) * 99n) / 100n);
    await route.fulfill({ response, json: { ...quote, amount_out_total } });
  });
}

/** What can go wrong on the way of a swap, and the rarer ways to pay for one, on the devnet. */
export function failureCases(url: string, rpc: string): readonly Case[] {
  const open = (page: Page, path: string) => connectOther(page, { url, rpc, path });
  const node = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const { result, error } = (await (await fetch(rpc, { method: "POST", headers, body })).json()) as Answer;
    assert.equal(error, undefined, error?.message);
    return result;
  };
  const send = async (from: string, call: { to: string; data: string; value?: string }) => {
    const hash = await node("eth_sendTransaction", { from, gas: "0xe4e1c0", ...call });
    const receipt = await eventually(() => node("eth_getTransactionReceipt", hash), assert.ok);
    assert.equal((receipt as { status: string }).status, "0x1");
  };
  const approve = (token: string, spender: string, amount: bigint) =>
    send(OTHER, { to: token, data: `0x095ea7b3${word(spender)}${word(amount.toString(16))}` });
  return [
    {
      name: "swap: tokens by a signature through Permit2, which was approved once before",
      run: async (page) => {
        await approve(USDT, PERMIT2, 2n ** 200n);
        const wallet = await open(page, link(USDT, ETH, "50"));
        await review(page);
        await page.getByLabel(/Sign through Permit2/).check();
        await assertAccessible(page);
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4", "eth_sendTransaction"]);
        await approve(USDT, PERMIT2, 0n);
      },
    },
    {
      name: "swap: a token that wants a reset first: reset, approval and swap in order",
      run: async (page) => {
        const wallet = await open(page, link(USDT, ETH, "50"));
        const { to } = await quoteOf(url);
        await approve(USDT, to, 1n);
        await page.reload();
        await canSwap(page);
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        await page.click("#confirm");
        await swapped(page);
        const sent = wallet.asked.filter(({ method }) => method === "eth_sendTransaction");
        const amounts = sent.map(({ params }) => (params[0] as { data: string }).data.slice(74, 138));
        assert.deepEqual(
          amounts.slice(0, 2).map((text) => BigInt(`0x${text}`)),
          [0n, 50_000_000n],
        );
        assert.equal(sent.length, 3);
      },
    },
    {
      name: "swap: a wallet on another chain is switched; one that refuses is quoted",
      run: async (page) => {
        const wallet = await injectWallet(page, rpc, OTHER);
        wallet.mood = { chainId: "0x1", rejects: ["wallet_switchEthereumChain"] };
        await page.goto(url + link(ETH, USDC, "1"));
        await page.click("#wallet");
        await page.getByRole("button", { name: "Other Wallet" }).click();
        const act = page.getByRole("button", { name: /Switch your wallet to/ });
        await act.click();
        await page.getByRole("alert").filter({ hasText: "You rejected this" }).waitFor();
        await assertAccessible(page);
        wallet.mood = { chainId: "0x1" };
        await act.click();
        await canSwap(page);
      },
    },
    {
      name: "swap: a connection that the user rejects is said in the dialog",
      run: async (page) => {
        const wallet = await injectWallet(page, rpc, OTHER);
        wallet.mood = { rejects: ["eth_requestAccounts"] };
        await page.goto(url + link(ETH, USDC, "1"));
        await page.click("#act");
        await page.getByRole("button", { name: "Other Wallet" }).click();
        await page.getByRole("alert").filter({ hasText: "You rejected this" }).waitFor();
        await assertAccessible(page);
      },
    },
    {
      name: "swap: a price that got worse during the review waits until it is accepted",
      run: async (page) => {
        await open(page, link(ETH, USDC, "1"));
        await review(page);
        await lowerQuotes(page);
        await page.getByRole("alert").filter({ hasText: "The price moved against you" }).waitFor();
        assert.ok(await page.locator("#confirm").isDisabled());
        await assertAccessible(page);
        await page.click("#accept");
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.click("#confirm");
        await page.locator('[data-end="mined"]').waitFor({ timeout: 20_000 });
      },
    },
    {
      name: "swap: half of everything lost to the price is confirmed by typing",
      run: async (page) => {
        await open(page, link(ETH, USDC, "1", "&slippage=40"));
        await review(page);
        assert.ok(await page.locator("#confirm").isDisabled());
        await assertAccessible(page);
        await page.fill("#danger", "accept");
        await page.click("#confirm");
        await swapped(page);
      },
    },
  ];
}

const word = (hex: string): string => hex.replace(/^0x/, "").padStart(64, "0");

async function quoteOf(url: string): Promise<{ to: string }> {
  const query = `fromTokenAddress=${USDT}&toTokenAddress=${ETH}&amount=50000000&slippage=10`;
  return (await (await fetch(`${url}/v1/31337/quote?${query}`)).json()) as { to: string };
}
