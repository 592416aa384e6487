import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ROUTER } from "../../packages/sdk/src/generated/router.ts";
import type { Hex } from "../../packages/sdk/src/hex.ts";
import { withMinimum } from "../../packages/sdk/src/quote/calldata.ts";
import { approve } from "../support/chain-moves.ts";
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

type SentQuote = {
  readonly amount_out_total: string;
  readonly min_amount_out: string;
  readonly calldata: Hex;
  readonly calls?: undefined;
};

/** Changes every quote that the page gets from now on. */
function changeQuotes(
  page: Page,
  change: (quote: SentQuote, slippagePermille: number) => Partial<SentQuote>,
  which = /\/quote\?/,
): Promise<unknown> {
  return page.route(which, async (route) => {
    const response = await route.fetch();
    const quote = (await response.json()) as SentQuote;
    const slippage = Number(new URL(route.request().url()).searchParams.get("slippage"));
    await route.fulfill({ response, json: { ...quote, ...change(quote, slippage) } });
  });
}

/** An honest quote of a hundredth less: by a swap of another trader the price falls only where all of its pools are met. */
const lowered = loweredTo(990_000n);

/** An honest quote of so many millionths of the amount. */
function loweredTo(ppm: bigint) {
  return ({ amount_out_total, calldata }: SentQuote, slippagePermille: number): Partial<SentQuote> => {
    const total = (BigInt(amount_out_total) * ppm) / 1_000_000n;
    const minimum = (total * BigInt(1e6 - slippagePermille * 1000)) / 1_000_000n;
    return {
      amount_out_total: String(total),
      min_amount_out: String(minimum),
      calldata: withMinimum(calldata, minimum),
      calls: undefined,
    };
  };
}

/** What can go wrong before a swap is sent, on the devnet. */
export function failureCases(url: string, rpc: string): readonly Case[] {
  const open = (page: Page, path: string) => connectOther(page, { url, rpc, path });
  return [
    {
      name: "swap: a token that wants a reset first: reset, approval and swap in order",
      run: async (page) => {
        const wallet = await open(page, link(USDT, ETH, "50"));
        await approve(rpc, { owner: OTHER, token: USDT, spender: ROUTER, amount: 1n });
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
        await changeQuotes(page, lowered);
        await page.getByRole("alert").filter({ hasText: "The price moved against you" }).waitFor();
        assert.ok(await page.locator("#confirm").isDisabled());
        await assertAccessible(page);
        await page.click("#accept");
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.click("#confirm");
        await page.locator('[data-end="mined"]').waitFor({ timeout: 60_000 });
      },
    },
    {
      name: "swap: a small move needs no click, before and after an approval, and never lowers the minimum",
      run: async (page) => {
        const wallet = await open(page, link(USDC, ETH, "50"));
        const first = page.waitForResponse(/\/quote\?/);
        await review(page);
        const { min_amount_out: least } = (await (await first).json()) as SentQuote;
        const shown = page.locator("#review-buy strong");
        const before = await shown.getAttribute("title");
        await changeQuotes(page, loweredTo(999_500n));
        await eventually(
          () => shown.getAttribute("title"),
          (title) => assert.notEqual(title, before),
        );
        await page.getByLabel(/Approve exactly/).check();
        await page.click("#confirm");
        await page.locator('[data-end="mined"]').waitFor({ timeout: 60_000 });
        await page.unrouteAll({ behavior: "ignoreErrors" });
        const sent = wallet.asked.filter(({ method }) => method === "eth_sendTransaction").at(-1)!;
        const minimum = BigInt(`0x${(sent.params[0] as { data: string }).data.slice(74, 138)}`);
        assert.ok(minimum >= BigInt(least), `${minimum} < ${least}`);
      },
    },
    {
      name: "swap: what arrives is compared with the quote that was confirmed, not with the one after the signature",
      run: async (page) => {
        await open(page, link(USDC, ETH, "50"));
        await changeQuotes(page, loweredTo(999_500n), /\/quote\?.*permit_kind=/);
        await review(page);
        await page.getByLabel(/Sign for exactly this amount/).check();
        await page.click("#confirm");
        await swapped(page);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
    },
    {
      name: "swap: a quote whose calldata asks for less than it promises is refused before anything is signed",
      run: async (page) => {
        const wallet = await open(page, link(ETH, USDC, "1"));
        await changeQuotes(page, ({ calldata }) => ({ calldata: withMinimum(calldata, 1n) }));
        await page.click("#act");
        await page.getByRole("alert").filter({ hasText: "calldata minimum is 1, not" }).waitFor();
        await assertAccessible(page);
        assert.deepEqual(sentBy(wallet), []);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
    },
    {
      name: "swap: answers that are no quotes are said in the review, which shows an older one",
      run: async (page) => {
        await open(page, link(ETH, USDC, "1"));
        await review(page);
        await page.route(/\/quote\?/, (route) => route.fulfill({ json: null }));
        await page
          .getByRole("alert")
          .filter({ hasText: /cannot read the answer .* Trying again\./ })
          .waitFor();
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
    },
    {
      name: "swap: a signature that the token does not accept is paid for with no transaction that reverts",
      run: async (page) => {
        const wallet = await open(page, link(USDC, ETH, "50"));
        wallet.mood = {
          answers: { eth_signTypedData_v4: `0x${"12".repeat(64)}1b` },
          beforeSending: async () => {},
        };
        await review(page);
        await page.getByLabel(/Sign for exactly this amount/).check();
        await page.click("#confirm");
        const end = page.locator("[data-end]");
        await end.waitFor({ timeout: 60_000 });
        assert.match(await end.innerText(), /reverts when it is run now: .* Nothing was swapped\./);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4"]);
      },
    },
    {
      name: "swap: a quote that reverts when the service runs it is confirmed by a word of its own, and not before an approval",
      run: async (page) => {
        await page.route(/\/quote\?/, async (route) => {
          const response = await route.fetch();
          const notices = [{ code: "REVERTS", message: "The transaction reverts.", details: {} }];
          await route.fulfill({ response, json: { ...(await response.json()), notices } });
        });
        await open(page, link(ETH, USDC, "1"));
        await review(page);
        assert.ok(await page.locator("#confirm").isDisabled());
        assert.match(await page.locator(".review").innerText(), /This swap reverts when it is run now/);
        await page.fill("#danger", "accept");
        assert.ok(await page.locator("#confirm").isDisabled());
        await page.fill("#danger", "revert");
        assert.ok(await page.locator("#confirm").isEnabled());
        await page.keyboard.press("Escape");
        await page.goto(`${url}${link(USDC, ETH, "50")}`);
        await canSwap(page);
        await review(page);
        for (const way of await page.locator(".way").all()) {
          await way.click();
          assert.ok(await page.locator("#confirm").isDisabled());
          assert.match(await page.locator(".review").innerText(), /so it is not sent/);
        }
        assert.equal(await page.locator("#danger").count(), 0);
        await assertAccessible(page);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
    },
    {
      name: "swap: the review says again that a token only looks like a listed one, and names its address",
      run: async (page) => {
        await page.route("**/v2/tokens/list", async (route) => {
          const response = await route.fetch();
          const { tokens, ...rest } = (await response.json()) as { tokens: { symbol: string }[] };
          const renamed = tokens.map((token) =>
            token.symbol === "wUSDC" ? { ...token, symbol: "USD\u0421" } : token,
          );
          await route.fulfill({ response, json: { ...rest, tokens: renamed } });
        });
        await open(page, link(ETH, "USD\u0421", "1"));
        await page.locator(".field .doubt", { hasText: "Looks like the listed token USDC" }).waitFor();
        await review(page);
        const doubt = page.locator("dialog [data-doubt]");
        assert.match(
          await doubt.innerText(),
          /at 0x[0-9a-f]{40}: Looks like the listed token USDC and is not it\./,
        );
        await assertAccessible(page);
        await page.unrouteAll({ behavior: "ignoreErrors" });
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
