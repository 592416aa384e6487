import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { allowanceOf, whileHeld } from "../support/chain-moves.ts";
import { assertAccessible } from "./axe.ts";
import { type Case, eventually } from "./harness.ts";
import {
  canSwap,
  connectOther,
  ETH,
  link,
  OTHER,
  OWN,
  review,
  sentBy,
  swapped,
  USDC,
  USDT,
} from "./swap-steps.ts";
import { injectWallet, tellPage } from "./wallet.ts";

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
    {
      name: "swap: a review asks for one quote at a time, however long the service takes to answer",
      run: async (page) => {
        await other(page, link(ETH, USDC, "1"));
        await review(page);
        let asked = 0;
        let answer = () => {};
        const answered = new Promise<void>((resolve) => {
          answer = resolve;
        });
        await page.route(/\/quote\?/, async (route) => {
          asked += 1;
          await answered;
          await route.continue();
        });
        await page.waitForRequest(/\/quote\?/);
        // The offer behind the review is refreshed at the same interval.
        for (let offers = 0; offers < 3; offers++) await page.waitForResponse(/\/price\?/);
        assert.equal(asked, 1);
        answer();
        await page.waitForResponse(/\/quote\?/);
        await page.waitForResponse(/\/quote\?/);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
    },
    {
      name: "swap: the way back in the browser takes no warning out of a review",
      run: async (page) => {
        const buys = (symbol: RegExp) =>
          eventually(
            () => page.locator("#pick-buy").innerText(),
            (text) => assert.match(text, symbol),
          );
        await other(page, link(ETH, USDT, "1"));
        await page.evaluate(
          `location.hash = ${JSON.stringify(link(ETH, USDC, "2", "&slippage=40").slice(1))}`,
        );
        await buys(/USDC/);
        await canSwap(page);
        await review(page);
        const warning = page.locator("dialog").getByText(/40 % worse than shown/);
        await warning.waitFor();
        await page.goBack();
        await buys(/USDT/);
        assert.ok(await warning.isVisible());
        assert.ok(await page.locator("#confirm").isDisabled());
      },
    },
    {
      name: "swap: two tabs keep one history",
      run: async (page) => {
        await other(page, link(ETH, USDC, "1"));
        const second = await page.context().newPage();
        await second.goto(url);
        await review(page);
        await page.click("#confirm");
        await page.locator('[data-end="mined"]').waitFor();
        await second.locator('.history-row[data-state="done"]').waitFor();
        await second.click("#clear-history");
        await page.locator(".history-row").waitFor({ state: "detached" });
      },
    },
    {
      name: "swap: a wallet of the last visit that answers late does not take the place of the one chosen meanwhile",
      run: async (page) => {
        await page.addInitScript(LATE_WALLET);
        await other(page, link(ETH, USDC, "1"));
        await page.evaluate("answerLate()");
        assert.match(await page.locator("#wallet").innerText(), /^0x7099/);
        assert.equal(await page.evaluate("localStorage.getItem('braid.wallet')"), '"org.example.other"');
      },
    },
    {
      name: "swap: a rejection after an approval says what the router may still take, and revokes it",
      run: async (page) => {
        const wallet = await other(page, link(USDC, ETH, "50"));
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        // From the approval on, which may be mined before its line can be waited for.
        const beforeSending = async () => {
          wallet.mood = { rejects: ["eth_sendTransaction"] };
        };
        wallet.mood = { beforeSending };
        await page.click("#confirm");
        const end = page.locator('[data-end="refused"]');
        await end.waitFor();
        assert.match(
          await end.innerText(),
          /rejected.* Nothing was swapped\.\s+The router may still take up to 50 of your USDC/,
        );
        await assertAccessible(page);
        await page.click("#revoke");
        await end.getByRole("alert").filter({ hasText: "You rejected this" }).nth(1).waitFor();
        wallet.mood = {};
        await page.click("#revoke");
        await end.getByText("Revoked: the router may take no USDC").waitFor();
        assert.equal(await allowanceOf(rpc, OTHER, USDC), 0n);
      },
    },
    {
      name: "swap: two tabs that sell the same tokens at once pay for one swap, and nothing stays approved",
      run: async (page) => {
        const wallets = [await other(page, link(USDC, ETH, "50"))];
        const second = await page.context().newPage();
        wallets.push(await injectWallet(second, rpc, OTHER));
        await second.goto(url + link(USDC, ETH, "50"));
        await canSwap(second);
        for (const tab of [page, second]) {
          await review(tab);
          await tab.getByLabel(/Approve exactly/).check();
        }
        // The second tab's approval is mined between the first one's approval and its swap.
        let approved = () => {};
        const isApproved = new Promise<void>((resolve) => {
          approved = resolve;
        });
        let swappedFirst = () => {};
        const isSwapped = new Promise<void>((resolve) => {
          swappedFirst = resolve;
        });
        wallets[0]!.mood = {
          beforeSending: ({ data }) => (isApproval(data) ? Promise.resolve() : isApproved),
        };
        await page.click("#confirm");
        await page.getByText("Confirm the swap in your wallet").waitFor();
        await second.route(/\/quote\?.*min_block/, async (route) => {
          approved();
          await isSwapped;
          await route.continue();
        });
        await second.click("#confirm");
        await swapped(page);
        swappedFirst();
        const end = second.locator('[data-end="refused"]');
        await end.waitFor();
        assert.match(
          await end.innerText(),
          /may take less of your tokens than this swap sells.* Nothing was swapped/,
        );
        assert.equal(await second.locator("#leftover").count(), 0);
        assert.deepEqual(sentBy(wallets[1]!), ["eth_sendTransaction"]);
        assert.equal(await allowanceOf(rpc, OTHER, USDC), 0n);
      },
    },
    {
      name: "swap: a wallet whose node cannot be read is named",
      run: async (page) => {
        const wallet = await other(page, link(USDC, ETH, "50"));
        wallet.mood = { answers: { eth_call: "0x" } };
        await page.click("#act");
        await page.locator('[data-end="refused"]', { hasText: "Your wallet" }).waitFor();
      },
    },
    {
      name: "swap: a double click on the confirmation swaps once",
      run: async (page) => {
        const wallet = await other(page, link(USDT, ETH, "50"));
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        await page.locator("#confirm").dblclick();
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_sendTransaction", "eth_sendTransaction"]);
      },
    },
    {
      name: "swap: the end of a swap whose dialog was closed is not shown in place of the next one",
      run: async (page) => {
        const wallet = await other(page, link(ETH, USDC, "1"));
        await review(page);
        let decide = () => {};
        await whileHeld(rpc, async () => {
          await page.click("#confirm");
          await page.getByText("The swap is being mined").waitFor();
          await page.getByRole("button", { name: "Close" }).click();
          await page.fill("#amount", "2");
          await canSwap(page);
          await review(page);
          const decided = new Promise<void>((resolve) => {
            decide = resolve;
          });
          wallet.mood = { beforeSending: () => decided };
          await page.click("#confirm");
          await page.getByText("Confirm the swap in your wallet").waitFor();
        });
        await page.locator('.history-row[data-state="done"]').waitFor();
        assert.match(await page.locator("dialog").innerText(), /Confirm the swap in your wallet/);
        decide();
        // The first swap has moved the price of the second one.
        await page.locator('[data-end="mined"]').waitFor();
      },
    },
  ];
}

const isApproval = (data: string) => data.startsWith("0x095ea7b3");

/** A wallet that was connected last, and answers once `answerLate` is called, with the page's own test account. */
const LATE_WALLET = `(() => {
  localStorage.setItem("braid.wallet", '"org.example.late"');
  let answer;
  const answered = new Promise((resolve) => { answer = resolve; });
  const request = ({ method }) => answered.then(() => (method === "eth_accounts" ? ["${OWN}"] : "0x7a69"));
  window.answerLate = async () => {
    answer();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const info = { uuid: "2", name: "Late Wallet", rdns: "org.example.late", icon: "" };
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider: { request } }) }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
})()`;
