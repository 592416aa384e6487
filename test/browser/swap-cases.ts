import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Case, eventually } from "./harness.ts";
import { assertFits, assertNamed, assertReadable } from "./looks.ts";
import { type InjectedWallet, injectWallet } from "./wallet.ts";

const ETH = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const FEES = "0x000000000000000000000000000000000000fee5";
/** The second of the devnet's unlocked accounts; the page's own test account is the first. */
const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

const link = (sell: string, buy: string, amount: string, more = "") =>
  `/#chain=31337&sell=${sell}&buy=${buy}&amount=${amount}${more}`;

/** Whole swaps in the page on the devnet: by its test account and by a wallet of another maker. */
export function swapCases(url: string, rpc: string): readonly Case[] {
  const other = async (page: Page, path: string): Promise<InjectedWallet> => {
    const wallet = await injectWallet(page, rpc, OTHER);
    await page.goto(url + path);
    await page.click("#wallet");
    await page.getByRole("button", { name: "Other Wallet" }).click();
    await canSwap(page);
    return wallet;
  };
  return [
    {
      name: "swap: the devnet's test account sells ether in five clicks, and gets to the unit what was quoted",
      run: async (page) => {
        await page.goto(url + link(ETH, USDC, "1"));
        await page.click("#act");
        await page.getByRole("button", { name: /test account/ }).click();
        await canSwap(page);
        await page.click("#act");
        await page.locator("#confirm").waitFor();
        await assertReadable(page);
        await assertNamed(page);
        await page.click("#confirm");
        await swapped(page);
        await page.getByRole("button", { name: "Done" }).click();
        await page.locator('.history-row[data-state="done"]').waitFor();
        await page.reload();
        await page.locator('.history-row[data-state="done"]').waitFor();
        await canSwap(page);
        await page.click("#clear-history");
        assert.equal(await page.locator(".history-row").count(), 0);
      },
    },
    {
      name: "swap: tokens by a signature, without an approval",
      run: async (page) => {
        const wallet = await other(page, link(USDC, ETH, "50"));
        await review(page);
        await page.getByLabel(/Sign for exactly this amount/).check();
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4", "eth_sendTransaction"]);
      },
    },
    {
      name: "swap: tokens by an exact approval, after which nothing is left approved",
      run: async (page) => {
        const wallet = await other(page, link(USDC, ETH, "50"));
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_sendTransaction", "eth_sendTransaction"]);
        const query = `tokenAddress=${USDC}&walletAddress=${OTHER}`;
        const allowance = await page.request.get(`${url}/v1/31337/transaction/allowance?${query}`);
        assert.equal((await allowance.json()).remaining, "0");
      },
    },
    {
      name: "swap: approval and swap as one where the wallet can",
      run: async (page) => {
        const wallet = await other(page, link(USDT, ETH, "50"));
        wallet.mood = { batches: true };
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["wallet_sendCalls"]);
        const [{ atomicRequired, calls }] = wallet.asked.find(({ method }) => method === "wallet_sendCalls")!
          .params as [{ atomicRequired: boolean; calls: unknown[] }];
        assert.deepEqual([atomicRequired, calls.length], [true, 2]);
      },
    },
    {
      name: "swap: an exact amount bought, with a fee for somebody else",
      run: async (page) => {
        await other(page, link(ETH, USDC, "100", "&side=BUY"));
        await page.getByText("Fees for a third party").click();
        await page.fill("#buyFee", "1");
        await page.fill("#feeRecipient", FEES);
        await canSwap(page);
        await review(page);
        await page.click("#confirm");
        await swapped(page);
        assert.match(await page.locator('[data-fact="Received"] dd').innerText(), /100 USDC/);
      },
    },
    {
      name: "swap: what the user rejects is said, and can be tried again",
      run: async (page) => {
        const wallet = await other(page, link(ETH, USDC, "1"));
        wallet.mood = { rejects: ["eth_sendTransaction"] };
        await review(page);
        await page.click("#confirm");
        await page.locator('[data-end="refused"]', { hasText: "You rejected this" }).waitFor();
        await assertReadable(page);
        wallet.mood = {};
        await page.click("#again");
        await page.locator("#confirm").click();
        await swapped(page);
      },
    },
    {
      name: "swap: a swap that reverts is explained, with the slippage that would have done",
      run: async (page) => {
        const wallet = await other(page, link(ETH, USDC, "1"));
        const hash = `0x${"ab".repeat(32)}`;
        wallet.mood = {
          answers: {
            eth_sendTransaction: hash,
            eth_getTransactionReceipt: {
              transactionHash: hash,
              blockNumber: "0x1",
              status: "0x0",
              gasUsed: "0x1",
              logs: [],
            },
          },
        };
        await review(page);
        await page.click("#confirm");
        await page.locator('[data-end="reverted"]', { hasText: "min return" }).waitFor();
        await page.getByRole("button", { name: "Close" }).click();
        await page.locator('.history-row[data-state="reverted"]').waitFor();
      },
    },
    {
      name: "swap: a transaction that was replaced, and one that the network forgot",
      run: async (page) => {
        const wallet = await other(page, link(ETH, USDC, "1"));
        const hash = `0x${"cd".repeat(32)}`;
        const lost = { eth_sendTransaction: hash, eth_getTransactionReceipt: null };
        wallet.mood = { answers: { ...lost, eth_getTransactionByHash: { nonce: "0x0" } } };
        await review(page);
        await page.click("#confirm");
        await page.getByText("The swap is being mined").waitFor();
        await eventually(
          async () => wallet.asked.some(({ method }) => method === "eth_getTransactionByHash"),
          (seen) => assert.ok(seen),
        );
        wallet.mood = {
          answers: { ...lost, eth_getTransactionByHash: null, eth_getTransactionCount: "0x1" },
        };
        await page.locator('[data-end="replaced"]').waitFor();
      },
    },
    {
      name: "swap: more than the wallet has is said before the click, Max keeps gas, another chain is switched",
      run: async (page) => {
        await other(page, link(ETH, USDC, "1"));
        await page.fill("#amount", "9999999");
        const act = page.locator("#act");
        await eventually(
          () => act.innerText(),
          (text) => assert.equal(text, "Not enough ETH"),
        );
        assert.ok(await act.isDisabled());
        await page.click("#max");
        const most = Number(await page.inputValue("#amount"));
        assert.ok(most > 100 && most < 200_000, String(most));
      },
    },
    {
      name: "swap: a phone in the dark, and nothing sticks out of the review",
      options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "dark" },
      run: async (page) => {
        await other(page, link(USDC, ETH, "50"));
        await assertFits(page);
        await review(page);
        await assertFits(page);
        await assertReadable(page);
      },
    },
  ];
}

async function canSwap(page: Page): Promise<void> {
  await page.locator('#act[data-action="swap"]').waitFor();
}

async function review(page: Page): Promise<void> {
  await page.click("#act");
  await page.locator("#confirm").waitFor();
}

/** Waits for the receipt, which must say that exactly the quoted amount arrived. */
async function swapped(page: Page): Promise<void> {
  await page.locator('[data-end="mined"]').waitFor({ timeout: 20_000 });
  assert.equal(await page.locator('[data-fact="Quoted"] dd').innerText(), "exactly this");
}

function sentBy({ asked }: InjectedWallet): string[] {
  const sending = /^(eth_sendTransaction|eth_signTypedData_v4|wallet_sendCalls)$/;
  return asked.map(({ method }) => method).filter((method) => sending.test(method));
}
