import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Case } from "./harness.ts";
import { connectOther, ETH, link, OWN, review, sentBy, USDC } from "./swap-steps.ts";
import { tellPage } from "./wallet.ts";

/** What may happen between the review of a swap and its end: in the wallet, in the page, or in another tab. */
export function interruptionCases(url: string, rpc: string): readonly Case[] {
  const other = (page: Page, path: string) => connectOther(page, { url, rpc, path });
  return [
    ...(["none", "signature"] as const).map((way) => ({
      name: `swap: a wallet that left the chain is asked for nothing (${way})`,
      run: async (page: Page) => {
        const wallet = await other(page, way === "none" ? link(ETH, USDC, "1") : link(USDC, ETH, "50"));
        await review(page);
        wallet.mood = { answers: { eth_chainId: "0x1" } };
        await page.click("#confirm");
        await page.locator('[data-end="refused"]', { hasText: "on another chain" }).waitFor();
        assert.deepEqual(sentBy(wallet), []);
      },
    })),
    {
      name: "swap: a review ends when the wallet changes its account or its chain",
      run: async (page) => {
        await other(page, link(ETH, USDC, "1"));
        await review(page);
        await tellPage(page, "accountsChanged", [OWN]);
        await page.locator("#confirm").waitFor({ state: "detached" });
        await review(page);
        await tellPage(page, "chainChanged", "0x1");
        await page.locator("#confirm").waitFor({ state: "detached" });
        await page.locator('#act[data-action="switch"]').waitFor();
      },
    },
  ];
}
