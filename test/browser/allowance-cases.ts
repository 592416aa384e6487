import assert from "node:assert/strict";
import { allowanceOf, approve } from "../support/chain-moves.ts";
import { type Case, eventually } from "./harness.ts";
import { connectOther, DAI, ETH, link, OTHER, PERMIT2, review, sentBy, swapped, USDC } from "./swap-steps.ts";
import type { InjectedWallet } from "./wallet.ts";

const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca";
const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";

/** Each way by which the router gets tokens, with what is approved or signed for it. */
const KINDS = [
  { token: LINK, sold: "3", way: /Approve exactly/, exact: 3n * 10n ** 18n },
  { token: USDC, sold: "50", way: /Sign for exactly/, exact: 50_000_000n },
  { token: WBTC, sold: "0.01", way: /through Permit2/, exact: 1_000_000n },
  { token: DAI, sold: "50", way: /DAI's permit/, exact: true },
] as const;

/** The amount of an approval or a permit; true for DAI's, which has none. */
function allowedBy({ asked }: InjectedWallet): unknown {
  for (const { method, params } of asked) {
    const { data = "" } = Object(params[0]) as { data?: string };
    if (method === "eth_sendTransaction" && data.startsWith("0x095ea7b3"))
      return BigInt(`0x${data.slice(74, 138)}`);
    if (method !== "eth_signTypedData_v4") continue;
    const { value, permitted, allowed } = JSON.parse(params[1] as string).message;
    return allowed ?? BigInt(value ?? permitted.amount);
  }
}

/** What the router may take before and after a swap, for each kind of token. */
export function allowanceCases(url: string, rpc: string): readonly Case[] {
  return KINDS.map(({ token, sold, way, exact }) => ({
    name: `allowance: ${way.source}: rejected, tried again, exact, and nothing stays that is not told`,
    run: async (page) => {
      const isPermit2 = token === WBTC;
      if (isPermit2) await approve(rpc, { owner: OTHER, token, spender: PERMIT2, amount: 1n << 200n });
      const wallet = await connectOther(page, { url, rpc, path: link(token, ETH, sold) });
      assert.equal(await allowanceOf(rpc, OTHER, token), 0n);
      wallet.mood = { rejects: ["eth_sendTransaction", "eth_signTypedData_v4"] };
      await review(page);
      await page.getByLabel(way).check();
      await page.click("#confirm");
      await page.locator('[data-end="refused"]', { hasText: "You rejected this" }).waitFor();
      assert.equal(await page.locator("#leftover").count(), 0);
      wallet.mood = {};
      wallet.asked.length = 0;
      await page.click("#again");
      await page.getByLabel(way).check();
      await page.click("#confirm");
      await swapped(page);
      assert.equal(allowedBy(wallet), exact);
      assert.equal(sentBy(wallet).length, 2);
      assert.equal(await page.locator("#leftover").count(), exact === true ? 1 : 0);
      if (exact === true) {
        assert.match(await page.locator("#leftover").innerText(), /may still take any amount of your DAI/);
        await page.click("#revoke");
        await page.getByText("Revoked: the router may take no DAI").waitFor();
      }
      await eventually(
        () => allowanceOf(rpc, OTHER, token),
        (left) => assert.equal(left, 0n),
      );
      if (isPermit2) await approve(rpc, { owner: OTHER, token, spender: PERMIT2, amount: 0n });
    },
  }));
}
