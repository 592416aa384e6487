import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type InjectedWallet, injectWallet } from "./wallet.ts";

/** The steps that whole swaps in the page have in common. */

export const ETH = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
export const FEES = "0x000000000000000000000000000000000000fee5";
/** The second of the devnet's unlocked accounts; the page's own test account is the first. */
export const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

export const link = (sell: string, buy: string, amount: string, more = "") =>
  `/#chain=31337&sell=${sell}&buy=${buy}&amount=${amount}${more}`;

type Connecting = { readonly url: string; readonly rpc: string; readonly path: string };

/** Opens the page with a wallet of another maker, connected. */
export async function connectOther(page: Page, { url, rpc, path }: Connecting): Promise<InjectedWallet> {
  const wallet = await injectWallet(page, rpc, OTHER);
  await page.goto(url + path);
  await page.click("#wallet");
  await page.getByRole("button", { name: "Other Wallet" }).click();
  await canSwap(page);
  return wallet;
}

export async function canSwap(page: Page): Promise<void> {
  await page.locator('#act[data-action="swap"]').waitFor();
}

export async function review(page: Page): Promise<void> {
  await page.click("#act");
  await page.locator("#confirm").waitFor();
}

/** Waits for the receipt, which must say that exactly the quoted amount arrived. */
export async function swapped(page: Page): Promise<void> {
  await page.locator('[data-end="mined"]').waitFor({ timeout: 20_000 });
  assert.equal(await page.locator('[data-fact="Quoted"] dd').innerText(), "exactly this");
}

export function sentBy({ asked }: InjectedWallet): string[] {
  const sending = /^(eth_sendTransaction|eth_signTypedData_v4|wallet_sendCalls)$/;
  return asked.map(({ method }) => method).filter((method) => sending.test(method));
}
