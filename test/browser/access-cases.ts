import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, assertReadable } from "./axe.ts";
import { type Case, eventually, focusIs, offerOf } from "./harness.ts";
import { assertFits } from "./looks.ts";
import { canSwap, ETH, link, swapped, USDC } from "./swap-steps.ts";

const WIDE = { width: 1180, height: 900 };
const PHONE = { width: 390, height: 844 };
const PAGES = ["/status", "/docs", "/docs/swap", "/docs/api", "/docs/migrate", "/docs/configuration"];

/** That everyone can use every view: axe in both schemes and at both widths, and a swap without a pointer. */
export function accessCases(url: string): readonly Case[] {
  const views = [WIDE, PHONE].flatMap((viewport) =>
    Object.entries(WALKS).map(([name, walk]) => ({
      name: `access: axe finds nothing on any view of ${name}, light and dark, ${viewport.width} px`,
      options: { viewport },
      expected: /status of 400/,
      run: (page: Page) => walk(page, url),
    })),
  );
  return [
    ...views,
    {
      name: "access: nothing moves where less motion is asked for",
      options: { reducedMotion: "no-preference" },
      run: async (page) => {
        const moving = () => page.evaluate<number>("document.getAnimations().length");
        await page.goto(url + link(ETH, USDC, "2"));
        await offerOf(page, "USDC");
        assert.ok((await moving()) > 0);
        await page.emulateMedia({ reducedMotion: "reduce" });
        assert.equal(await moving(), 0);
      },
    },
    {
      name: "access: a whole swap by keyboard alone",
      run: async (page) => {
        await page.goto(url + link(ETH, USDC, "2"));
        await offerOf(page, "USDC");
        await tabTo(page, "#pick-buy");
        await page.keyboard.press("Enter");
        await page.keyboard.type("dai");
        await page.locator('.picker-row[aria-selected="true"]', { hasText: "DAI" }).waitFor();
        await page.keyboard.press("Enter");
        await offerOf(page, "DAI");
        await tabTo(page, "#amount", "Shift+Tab");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("1.5");
        await offerOf(page, "DAI");
        await tabTo(page, "#act");
        await page.keyboard.press("Enter");
        await focusIs(page, ".picker-head button");
        await tabTo(page, ".wallet-row");
        await page.keyboard.press("Enter");
        await canSwap(page);
        await focusIs(page, "#act");
        await page.keyboard.press("Enter");
        await page.locator("#confirm").waitFor();
        await tabTo(page, "#confirm");
        await page.keyboard.press("Enter");
        await focusIs(page, "dialog h2");
        await swapped(page);
        await focusIs(page, "dialog h2");
        await tabTo(page, ".outcome .primary");
        await page.keyboard.press("Enter");
        await page.locator('.history-row[data-state="done"]').waitFor();
        await focusIs(page, "#act");
        await tabTo(page, "#wallet", "Shift+Tab");
        await page.keyboard.press("Enter");
        await tabTo(page, "#disconnect");
        await page.keyboard.press("Enter");
        await focusIs(page, "dialog h2");
        await page.getByRole("button", { name: "Close" }).focus();
        await page.keyboard.press("Enter");
        await focusIs(page, "#wallet");
      },
    },
  ];
}

/** Every view of the page, as a newcomer meets them: each walk begins on a fresh page. */
const WALKS = { "the offer": walkOffer, "a swap": walkSwap, "the other pages": walkPages };

async function inspect(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await assertAccessible(page);
  await assertFits(page);
  await page.emulateMedia({ colorScheme: "light" });
  await assertReadable(page);
}

async function walkOffer(page: Page, url: string): Promise<void> {
  await page.goto(url + link(ETH, USDC, "1"));
  await offerOf(page, "USDC");
  await inspect(page);
  await page.getByText("Fees for a third party").click();
  await page.fill("#amount", "x");
  await page.locator("#amount-note", { hasText: "plain number" }).waitFor();
  await inspect(page);
  await page.fill("#amount", "1".padEnd(58, "0"));
  await page.getByRole("alert").filter({ hasText: "No liquidity" }).waitFor();
  await inspect(page);
  await page.fill("#amount", "1");
  await page.click("#pick-sell");
  await page.locator(".picker-row").first().waitFor();
  await inspect(page);
  await page.getByText("Your token lists").click();
  await inspect(page);
}

async function walkSwap(page: Page, url: string): Promise<void> {
  await page.goto(url + link(ETH, USDC, "1"));
  await offerOf(page, "USDC");
  await page.click("#act");
  await inspect(page);
  await page.getByRole("button", { name: /test account/ }).click();
  await canSwap(page);
  await page.click("#wallet");
  await inspect(page);
  await page.keyboard.press("Escape");
  await page.click("#act");
  await page.locator("#confirm").waitFor();
  await inspect(page);
  await page.click("#confirm");
  await swapped(page);
  await inspect(page);
  await page.getByRole("button", { name: "Done" }).click();
  await page.locator('.history-row[data-state="done"]').waitFor();
  await inspect(page);
}

async function walkPages(page: Page, url: string): Promise<void> {
  for (const path of PAGES) {
    await page.goto(url + path);
    await inspect(page);
    if (path === "/status") await assertWhole(page, "Requests");
  }
}

/** A table is seen as a whole: what has to be scrolled sideways is not found. */
async function assertWhole(page: Page, name: string): Promise<void> {
  const [width, room] = await page
    .getByRole("region", { name, exact: true })
    .evaluate((region) => [region.scrollWidth, region.clientWidth]);
  assert.ok(width! <= room!, `${name} is ${width} px wide and has ${room}`);
}

/** Goes on by the Tab key until the focus is where it is wanted. */
async function tabTo(page: Page, selector: string, key = "Tab"): Promise<void> {
  const isThere = () =>
    page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`);
  await eventually(
    async () => {
      if (await isThere()) return true;
      await page.keyboard.press(key);
      return isThere();
    },
    (there) => assert.ok(there, `the focus does not come to ${selector}`),
  );
}
