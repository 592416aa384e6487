import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Hex } from "../../packages/sdk/src/hex.ts";
import { withMinimum } from "../../packages/sdk/src/quote/calldata.ts";
import { minedOk, passes, replace, rpcAt, type SentSwap, spoil, whileHeld } from "../support/chain-moves.ts";
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
import { type InjectedWallet, injectWallet } from "./wallet.ts";

const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** The third of the devnet's unlocked accounts. */
const TRADER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

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
): Promise<unknown> {
  return page.route(/\/quote\?/, async (route) => {
    const response = await route.fetch();
    const quote = (await response.json()) as SentQuote;
    const slippage = Number(new URL(route.request().url()).searchParams.get("slippage"));
    await route.fulfill({ response, json: { ...quote, ...change(quote, slippage) } });
  });
}

/** An honest quote of a hundredth less: by a swap of another trader the price falls only where all of its pools are met. */
function lowered({ amount_out_total, calldata }: SentQuote, slippagePermille: number): Partial<SentQuote> {
  const total = (BigInt(amount_out_total) * 99n) / 100n;
  const minimum = (total * BigInt(1e6 - slippagePermille * 1000)) / 1_000_000n;
  return {
    amount_out_total: String(total),
    min_amount_out: String(minimum),
    calldata: withMinimum(calldata, minimum),
    calls: undefined,
  };
}

/** What can go wrong on the way of a swap, and the rarer ways to pay for one, on the devnet. */
export function failureCases(url: string, rpc: string): readonly Case[] {
  const open = (page: Page, path: string) => connectOther(page, { url, rpc, path });
  const node = rpcAt(rpc);
  const send = async (from: string, call: { to: string; data: string; value?: string }) => {
    const hash = await node("eth_sendTransaction", { from, gas: "0xe4e1c0", ...call });
    await minedOk(node, hash);
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
        await changeQuotes(page, lowered);
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
      name: "swap: one that another trader undoes is explained, and goes through with the slippage that is named",
      run: async (page) => {
        const wallet = await open(page, link(ETH, USDC, "1", "&slippage=0.5"));
        let swap: SentSwap | undefined;
        const beforeSending = (sent: SentSwap) => {
          swap = sent;
          return spoil(rpc, sent, { taker: OTHER, trader: TRADER });
        };
        wallet.mood = { beforeSending };
        await review(page);
        await page.click("#confirm");
        const end = page.locator('[data-end="reverted"]');
        await end.waitFor({ timeout: 20_000 });
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
        assert.ok(await passes(node, OTHER, swap!, at(percent)), `${percent} % would not have done`);
        assert.ok(!(await passes(node, OTHER, swap!, at((percent - 0.1) / 1.1 - 0.05))), words);
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
      name: "swap: one in whose place the wallet sends another transaction is told as replaced",
      run: async (page) => {
        const wallet = await open(page, link(ETH, USDC, "1"));
        await whileHeld(rpc, async () => replace(rpc, await pending(page, wallet)));
        await page.locator('[data-end="replaced"]').waitFor({ timeout: 20_000 });
        await assertAccessible(page);
        await page.getByText("Nothing was swapped by this one").waitFor();
        await page.keyboard.press("Escape");
        await page.locator('.history-row[data-state="replaced"]').waitFor();
      },
    },
    {
      name: "swap: one that the network forgets is told as dropped",
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

/** Confirms a swap, and waits until the page has seen that it waits to be mined. @returns its hash */
async function pending(page: Page, { asked }: InjectedWallet): Promise<string> {
  await review(page);
  await page.click("#confirm");
  const seen = await eventually(
    async () => asked.filter(({ method }) => method === "eth_getTransactionByHash"),
    ({ length }) => assert.ok(length > 0, "the page does not ask for its transaction"),
  );
  return String(seen[0]!.params[0]);
}

const word = (hex: string): string => hex.replace(/^0x/, "").padStart(64, "0");

async function quoteOf(url: string): Promise<{ to: string }> {
  const query = `fromTokenAddress=${USDT}&toTokenAddress=${ETH}&amount=50000000&slippage=10`;
  return (await (await fetch(`${url}/v1/31337/quote?${query}`)).json()) as { to: string };
}
