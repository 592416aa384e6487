import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ROUTER } from "../../packages/sdk/src/generated/router.ts";
import { approve, passes, replace, rpcAt, type SentSwap, spoil, whileHeld } from "../support/chain-moves.ts";
import { assertAccessible } from "./axe.ts";
import { type Case, eventually } from "./harness.ts";
import {
  canSwap,
  DAI,
  ETH,
  FEES,
  link,
  PERMIT2,
  review,
  sentBy,
  swapped,
  TRADER,
  USDC,
  USDT,
  WALLETS,
} from "./swap-steps.ts";
import type { InjectedWallet } from "./wallet.ts";

/**
 * Every way to pay for a swap and every end that the network can give it, by each of the two kinds of wallet, on the devnet. Another
 * trader moves prices for the ends, and fees of some pools follow for minutes: these come last.
 */
export function walletCases(url: string, rpc: string): readonly Case[] {
  const cases = (of: typeof payments) => WALLETS.flatMap((wallet) => of(wallet, url, rpc));
  return [...cases(payments), ...cases(ends)];
}

type CaseWallet = (typeof WALLETS)[number];

function payments({ by, account, connect }: CaseWallet, url: string, rpc: string): readonly Case[] {
  const open = (page: Page, path: string) => connect(page, { url, rpc, path });
  return [
    {
      name: `swap by ${by}: tokens by a signature, without an approval`,
      run: async (page) => {
        const wallet = await open(page, link(USDC, ETH, "50"));
        await review(page);
        await page.getByLabel(/Sign for exactly this amount/).check();
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4", "eth_sendTransaction"]);
      },
    },
    {
      name: `swap by ${by}: tokens by an exact approval, after which nothing is left approved`,
      run: async (page) => {
        const wallet = await open(page, link(USDC, ETH, "50"));
        await review(page);
        await page.getByLabel(/Approve exactly/).check();
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_sendTransaction", "eth_sendTransaction"]);
        const query = `tokenAddress=${USDC}&walletAddress=${account}`;
        const allowance = await page.request.get(`${url}/v1/31337/transaction/allowance?${query}`);
        assert.equal((await allowance.json()).remaining, "0");
      },
    },
    {
      name: `swap by ${by}: tokens by a signature through Permit2, which was approved once before`,
      run: async (page) => {
        await approve(rpc, { owner: account, token: USDT, spender: PERMIT2, amount: 2n ** 200n });
        const wallet = await open(page, link(USDT, ETH, "50"));
        await review(page);
        await page.getByLabel(/Sign through Permit2/).check();
        await assertAccessible(page);
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4", "eth_sendTransaction"]);
        await approve(rpc, { owner: account, token: USDT, spender: PERMIT2, amount: 0n });
      },
    },
    {
      name: `swap by ${by}: DAI by its own permit, which goes on until it is revoked`,
      run: async (page) => {
        const wallet = await open(page, link(DAI, ETH, "50"));
        await review(page);
        await page.getByLabel(/Sign DAI's permit/).check();
        await assertAccessible(page);
        await page.click("#confirm");
        await swapped(page);
        assert.deepEqual(sentBy(wallet), ["eth_signTypedData_v4", "eth_sendTransaction"]);
        await approve(rpc, { owner: account, token: DAI, spender: ROUTER, amount: 0n });
      },
    },
    {
      name: `swap by ${by}: an exact amount bought, with a fee for somebody else`,
      run: async (page) => {
        await open(page, link(ETH, USDC, "100", "&side=BUY"));
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
  ];
}

function ends({ by, account, connect }: CaseWallet, url: string, rpc: string): readonly Case[] {
  const open = (page: Page, path: string) => connect(page, { url, rpc, path });
  const node = rpcAt(rpc);
  return [
    {
      name: `swap by ${by}: one that another trader undoes is explained, and goes through with the slippage that is named`,
      run: async (page) => {
        const wallet = await open(page, link(ETH, USDC, "1", "&slippage=0.5"));
        let swap: SentSwap | undefined;
        const beforeSending = (sent: SentSwap) => {
          swap = sent;
          return spoil(rpc, sent, { taker: account, trader: TRADER });
        };
        wallet.mood = { beforeSending };
        await review(page);
        await page.click("#confirm");
        const end = page.locator('[data-end="reverted"]');
        await end.waitFor({ timeout: 60_000 });
        await assertAccessible(page);
        const words = await end.innerText();
        assert.match(
          words,
          /less than your minimum would have arrived \(min return\)\. You keep your tokens/,
        );
        const percent = Number(/A slippage of ([\d.]+) % would have done\./.exec(words)?.[1]);
        assert.ok(percent > 0.5 && percent < 20, words);
        const minimum = BigInt(`0x${swap!.data.slice(74, 138)}`);
        /** The same promise with another slippage than 0.5 %. */
        const at = (slippage: number) => (minimum * BigInt(Math.round(1e6 - slippage * 1e4))) / 995_000n;
        assert.ok(await passes(node, account, swap!, at(percent)), `${percent} % would not have done`);
        assert.ok(!(await passes(node, account, swap!, at((percent - 0.1) / 1.1 - 0.05))), words);
        wallet.mood = {};
        await page.getByRole("button", { name: `Try again with ${percent} % slippage` }).click();
        await page.locator("#confirm").click();
        await swapped(page);
        await page.getByRole("button", { name: "Done" }).click();
        await page.locator('.history-row[data-state="reverted"]').waitFor();
        await page.locator('.history-row[data-state="done"]').waitFor();
      },
    },
    {
      name: `swap by ${by}: one in whose place the wallet sends another transaction is told as replaced`,
      run: async (page) => {
        const wallet = await open(page, link(ETH, USDC, "1"));
        await whileHeld(rpc, async () => replace(rpc, await pending(page, wallet)));
        await page.locator('[data-end="replaced"]').waitFor({ timeout: 60_000 });
        await assertAccessible(page);
        await page.getByText("Nothing was swapped by this one").waitFor();
        await page.keyboard.press("Escape");
        await page.locator('.history-row[data-state="replaced"]').waitFor();
      },
    },
    {
      name: `swap by ${by}: one that the network forgets is told as dropped`,
      run: async (page) => {
        await page.clock.install();
        const wallet = await open(page, link(ETH, USDC, "1"));
        await whileHeld(rpc, async () => {
          await node("anvil_dropTransaction", await pending(page, wallet));
          await eventually(
            async () => {
              await page.clock.runFor(5_000);
              return page.locator('[data-end="dropped"]').count();
            },
            (count) => assert.equal(count, 1),
          );
        });
        await assertAccessible(page);
        await page.getByText("The network no longer knows this transaction").waitFor();
      },
    },
  ];
}

/**
 * Confirms a swap, and waits until the page has seen that it waits to be mined: when the page asks for the transaction once
 * more, the node has answered the first time. @returns its hash
 */
async function pending(page: Page, { asked }: InjectedWallet): Promise<string> {
  await review(page);
  await page.click("#confirm");
  const seen = await eventually(
    async () => asked.filter(({ method }) => method === "eth_getTransactionByHash"),
    ({ length }) => assert.ok(length > 1, "the page does not follow its transaction"),
  );
  return String(seen[0]!.params[0]);
}
