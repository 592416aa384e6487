import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { rpcAt } from "../support/chain-moves.ts";
import { type Case, eventually } from "./harness.ts";
import { assertFits, assertNamed, assertReadable } from "./looks.ts";
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

/** Whole swaps in the page on the devnet: by its test account and by a wallet of another maker. */
export function swapCases(url: string, rpc: string): readonly Case[] {
  const node = rpcAt(rpc);
  const other = (page: Page, path: string) => connectOther(page, { url, rpc, path });
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
        await page.getByRole("button", { name: "Done" }).click();
        await page.locator('.history-row[data-state="done"]').waitFor();
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
      name: "swap: more than the wallet has is said before the click, and Max keeps the gas for its own swap",
      run: async (page) => {
        const rich = await node("eth_getBalance", OTHER, "latest");
        await node("anvil_setBalance", OTHER, `0x${(2n * 10n ** 18n).toString(16)}`);
        const wallet = await other(page, link(ETH, USDC, "1"));
        await page.fill("#amount", "250000");
        const act = page.locator("#act");
        await eventually(
          () => act.innerText(),
          (text) => assert.equal(text, "Not enough ETH"),
        );
        assert.ok(await act.isDisabled());
        await page.click("#max");
        await canSwap(page);
        const most = Number(await page.inputValue("#amount"));
        assert.ok(most > 1.9 && most < 2, String(most));
        await review(page);
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_sendTransaction"]);
        await node("anvil_setBalance", OTHER, rich);
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
