import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type InjectedWallet, injectWallet, watchTestAccount } from "./wallet.ts";

/** The steps that whole swaps in the page have in common. */

export const ETH = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
export const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";
export const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
export const FEES = "0x000000000000000000000000000000000000fee5";
/** The second of the devnet's unlocked accounts; the page's own test account is the first. */
export const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

/** The third of the devnet's unlocked accounts, which trades against the others. */
export const TRADER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
/** The page's own test account. */
export const OWN = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

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

/** Opens the page with the devnet's test account, connected. */
export async function connectOwn(page: Page, { url, path }: Connecting): Promise<InjectedWallet> {
  const wallet = await watchTestAccount(page);
  await page.goto(url + path);
  await page.click("#wallet");
  await page.getByRole("button", { name: /test account/ }).click();
  await canSwap(page);
  return wallet;
}

/** The two wallets by which everything that can happen to a swap is tried. */
export const WALLETS = [
  { by: "a wallet of another maker", account: OTHER, connect: connectOther },
  { by: "the devnet's test account", account: OWN, connect: connectOwn },
] as const;

export async function canSwap(page: Page): Promise<void> {
  await page.locator('#act[data-action="swap"]').waitFor();
}

export async function review(page: Page): Promise<void> {
  await page.click("#act");
  await page.locator("#confirm").waitFor();
}

/** Waits for the receipt, which must say that exactly the quoted amount arrived. */
export async function swapped(page: Page): Promise<void> {
  const end = page.locator("[data-end]");
  await end.waitFor({ timeout: 60_000 });
  assert.equal(await end.getAttribute("data-end"), "mined", await end.innerText());
  assert.equal(await page.locator('[data-fact="Quoted"] dd').innerText(), "exactly this");
}

export function sentBy({ asked }: InjectedWallet): string[] {
  const sending = /^(eth_sendTransaction|eth_signTypedData_v4|wallet_sendCalls)$/;
  return asked.map(({ method }) => method).filter((method) => sending.test(method));
}
