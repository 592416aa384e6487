import assert from "node:assert/strict";
import { DAI, USDC } from "./fixture-market.ts";
import { type Fixture, link } from "./fixture-server.ts";
import { type Case, offerOf } from "./harness.ts";
import { assertFits, assertReadable } from "./looks.ts";

const at = (k: number) => `0x${"0".repeat(37)}d0${k}`;

/** What a list may say of a token, and what the picker makes of it. */
const HOSTILE = [
  {
    symbol: "USD\u0421",
    name: "Cyrillic",
    logoURI: "javascript:document.title='ran'",
    doubt: "listed token USDC",
  },
  {
    symbol: "U\u200bS\u200dDC",
    name: "Zero width",
    logoURI: "data:text/html,<script>document.title='ran'</script>",
    doubt: "listed token USDC",
  },
  {
    symbol: "D\u0410I\u3164",
    name: "Filler",
    logoURI: "https://logos.example/a.svg",
    doubt: "listed token DAI",
  },
  {
    symbol: "\u202eCDSU",
    name: "\u202eUSD Coin",
    logoURI: "data:image/svg+xml,<svg onload='document.title=1'/>",
    doubt: "No public list",
  },
  {
    symbol: "<img src=x>",
    name: "<b onclick=x>Bold</b>",
    logoURI: `data:image/png;base64,${"A".repeat(200_000)}`,
    doubt: "No public list",
  },
  {
    symbol: "\u05d0\u05d1\u05d2",
    name: "\u05d0\u05d1 1 USDC = 100",
    logoURI: "//logos.example/b.png",
    doubt: "No public list",
  },
] as const;

/** Tokens that are named to be taken for others, or to run something. */
export function tokenCases({ url }: Fixture): readonly Case[] {
  return [
    {
      name: "a hostile token list: nothing runs or is fetched, and what looks like a listed token is said to",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "10")}`);
        await offerOf(page, "DAI");
        const title = await page.title();
        await page.click("#pick-buy");
        await page.getByText("Your token lists").click();
        const tokens = HOSTILE.map(({ doubt: _, ...token }, k) => ({
          ...token,
          chainId: 31337,
          address: at(k),
          decimals: 18,
        }));
        const version = { major: 1, minor: 0, patch: 0 };
        const list = { name: "Hostile", timestamp: "2024-01-01T00:00:00Z", version, tokens };
        await page.fill("#list-text", JSON.stringify(list));
        await page.click("#add-list");
        await page.getByText("Your token lists (1)").waitFor();
        const search = page.getByRole("combobox", { name: /Search/ });
        for (const [k, { doubt, symbol }] of HOSTILE.entries()) {
          await search.fill(at(k));
          const row = page.locator(".picker-row", { hasText: "Hostile" });
          await row.locator(".doubt", { hasText: doubt }).waitFor();
          assert.equal(await row.locator("img").count(), 0);
          assert.equal(await row.locator(".picker-symbol").textContent(), symbol.replace(/\p{Cf}/gu, ""));
          await assertReadable(page);
          await assertFits(page);
        }
        assert.equal(await page.title(), title);
      },
      expected: /status of 400/,
    },
  ];
}
