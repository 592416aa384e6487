import assert from "node:assert/strict";
import { DAI, HOSTILE, LOGOLESS, RARE, UNI, USDC, WBTC } from "./fixture-market.ts";
import { type Fixture, IMPOSTOR, link } from "./fixture-server.ts";
import { formCases } from "./form-cases.ts";
import { type Case, eventually, fact, flows, focusIs, offerOf, pick } from "./harness.ts";
import { assertFits, assertNamed, assertReadable } from "./looks.ts";

const PHONE = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };

const ownList = (name: string, token: { address: string; symbol: string; decimals: number }) =>
  JSON.stringify({
    name,
    timestamp: "2024-01-01T00:00:00Z",
    version: { major: 1, minor: 0, patch: 0 },
    tokens: [{ chainId: 31337, name: "A token of mine", ...token }],
  });

/** How people use the page: by keyboard, by link, in the dark, on a phone, among tokens with names of their own. */
export function useCases(service: Fixture): readonly Case[] {
  const { url } = service;
  return [
    {
      name: "the picker is worked by keyboard alone: arrows, Enter, Escape, and focus comes back",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.focus("#pick-buy");
        await page.keyboard.press("Enter");
        await page.keyboard.type("wrapped");
        await eventually(
          () => page.locator(".picker-symbol").allInnerTexts(),
          (symbols) => assert.deepEqual(symbols, ["WETH", "WBTC"]),
        );
        await page.keyboard.press("ArrowDown");
        const active = await page
          .getByRole("combobox", { name: /Search/ })
          .getAttribute("aria-activedescendant");
        assert.equal(await page.locator(`#${active} .picker-symbol`).innerText(), "WBTC");
        await page.keyboard.press("Enter");
        await offerOf(page, "WBTC");
        await focusIs(page, "#pick-buy");
        for (const end of ["Escape", "Close"]) {
          await page.focus("#pick-sell");
          await page.keyboard.press("Enter");
          if (end === "Close") await page.getByRole("button", { name: end }).focus();
          await page.keyboard.press(end === "Close" ? "Enter" : end);
          await page.locator("dialog.picker").waitFor({ state: "detached" });
          await focusIs(page, "#pick-sell");
        }
      },
    },
    {
      name: "a rarely used token is found by its symbol and by its address, and is marked",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.click("#pick-buy");
        for (const typed of ["rare", RARE.address]) {
          await page.getByRole("combobox", { name: /Search/ }).fill(typed);
          await page.locator(".picker-row", { hasText: "rarely used" }).waitFor();
        }
        await page.locator(".picker-row").click();
        await page.getByRole("alert").filter({ hasText: "No liquidity joins ETH and RARE." }).waitFor();
      },
    },
    {
      name: "a token by its address alone: that no list names it, and whose symbol it bears, is said in red",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.click("#pick-buy");
        await page.getByRole("combobox", { name: /Search/ }).fill(IMPOSTOR);
        await page.locator(".doubt", { hasText: "is not it" }).waitFor();
        await assertReadable(page);
        await page.getByRole("combobox", { name: /Search/ }).fill(`0x${"99".repeat(20)}`);
        await page.getByText("At this address the chain has no token.").waitFor();
      },
    },
    {
      name: "own token lists: pasted or as a file, kept in the browser, believed in nothing but the address",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.click("#pick-buy");
        await page.getByText("Your token lists").click();
        await page.fill("#list-text", "{}");
        await page.click("#add-list");
        await page.getByRole("alert").filter({ hasText: "This is no token list: name must be" }).waitFor();
        await page.fill(
          "#list-text",
          ownList("Pasted", { address: RARE.address, symbol: "MINE", decimals: 2 }),
        );
        await page.click("#add-list");
        await page.getByText("Your token lists (1)").waitFor();
        await page.setInputFiles("#list-file", {
          name: "list.json",
          mimeType: "application/json",
          buffer: Buffer.from(ownList("Filed", { address: IMPOSTOR, symbol: "USDC", decimals: 6 })),
        });
        await page.getByText("Your token lists (2)").waitFor();
        await assertReadable(page);
        await assertNamed(page);
        await page.reload();
        await offerOf(page, "USDC");
        await page.click("#pick-buy");
        const search = page.getByRole("combobox", { name: /Search/ });
        await search.fill("usdc");
        await page
          .locator(".picker-row", { hasText: "Filed" })
          .locator(".doubt", { hasText: "is not it" })
          .waitFor();
        await search.fill("mine");
        await page.locator(".picker-row", { hasText: "Pasted" }).click();
        // The contract calls it RARE, and says how many decimals it has.
        await page.locator("#pick-buy", { hasText: "RARE" }).waitFor();
        await page.click("#pick-buy");
        await page.getByText("Your token lists (2)").click();
        await page.getByRole("button", { name: "Remove Pasted" }).click();
        await page.getByText("Your token lists (1)").waitFor();
      },
      expected: /status of 400/,
    },
    {
      name: "a link to a token that poses as a listed one: said beside the amount, in red",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(`${url}/#chain=31337&sell=ETH&buy=${IMPOSTOR}&amount=1`);
        await page.locator(".field .doubt", { hasText: "is not it" }).waitFor();
      },
    },
    {
      name: "a link names tokens by symbol; what it names and nobody knows is said and left empty",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(`${url}/#chain=31337&sell=usdc&buy=DAI&amount=10&slippage=0.3`);
        await offerOf(page, "DAI");
        assert.match(service.asked.at(-1)!, /slippage=3/);
        await page.goto(`${url}/#chain=31337&sell=NOPE&buy=DAI&amount=10`);
        await page.reload();
        await page.getByRole("alert").filter({ hasText: "“NOPE”" }).waitFor();
        assert.equal(
          await page
            .locator("#pick-sell")
            .innerText()
            .then((text) => text.includes("Choose")),
          true,
        );
        const unknown = `0x${"99".repeat(20)}`;
        await page.goto(`${url}/#chain=31337&sell=${unknown}&buy=DAI&amount=10`);
        await page.reload();
        await page.getByRole("alert").filter({ hasText: "0x9999…9999" }).waitFor();
        await page.goto(`${url}/#chain=777&sell=ETH&buy=DAI&amount=10`);
        await page.reload();
        await page.getByRole("alert").filter({ hasText: "does not serve chain 777" }).waitFor();
        const chains = page.getByRole("combobox", { name: "Chain" });
        assert.equal(await chains.locator("option:checked").innerText(), "Choose a chain");
        await chains.selectOption({ index: 1 });
        await page.locator(".pulse-offer").waitFor();
      },
    },
    {
      name: "slippage and gas go into the request, and the command on show is that very request",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.getByRole("radio", { name: "1 %", exact: true }).check({ force: true });
        await page.fill("#slippage", "0.25");
        await page.getByRole("switch").uncheck();
        const asked = await eventually(
          async () => service.asked.at(-1) ?? "",
          (path) => assert.match(path, /slippage=2.5$/),
        );
        assert.equal(await page.locator("#curl").innerText(), `curl '${url}${asked}'`);
        await page.fill("#slippage", "80");
        await page.getByRole("alert").filter({ hasText: "between 0.1 % and 50 %" }).waitFor();
      },
    },
    {
      name: "typing what is to be received asks how little buys it, and typing what is sold turns that back",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "10")}`);
        await offerOf(page, "DAI");
        await page.fill("#bought", "997");
        assert.equal(await offerOf(page, "USDC"), "1000 USDC");
        assert.equal(await page.inputValue("#amount"), "1000");
        assert.match(service.asked.at(-1)!, /amount=997000000000000000000&.*side=BUY/);
        assert.match(await page.evaluate("location.hash"), /amount=997&side=BUY/);
        assert.match(await fact(page, "Price"), /^1 USDC = 0.997 DAI/);
        await page.reload();
        assert.equal(await offerOf(page, "USDC"), "1000 USDC");
        assert.equal(await page.inputValue("#bought"), "997");
        await page.fill("#bought", "0");
        await page.locator("#bought-note", { hasText: "above zero" }).waitFor();
        await page.fill("#amount", "1");
        assert.equal(await offerOf(page, "DAI"), "0.997 DAI");
      },
    },
    {
      name: "another link in the same window is followed, and so is the way back",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "12.5")}`);
        await offerOf(page, "DAI");
        await page.evaluate(`location.hash = "${link(WBTC, UNI, "2").slice(1)}"`);
        await offerOf(page, "UNI");
        assert.equal(await page.inputValue("#amount"), "2");
        await page.goBack();
        await offerOf(page, "DAI");
        assert.equal(await page.inputValue("#amount"), "12.5");
      },
    },
    {
      name: "fees are asked for with a wallet to go to, and go into the request",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "10")}`);
        await offerOf(page, "DAI");
        await page.getByText("Fees for a third party").click();
        await page.fill("#buyFee", "1.5");
        await page.getByRole("alert").filter({ hasText: "wallet that the fees go to" }).waitFor();
        await page.locator(".empty", { hasText: "Correct what is marked" }).waitFor();
        await page.fill("#feeRecipient", `0x${"aB".repeat(20)}`);
        await offerOf(page, "DAI");
        const wanted = `feeRecipient=0x${"ab".repeat(20)}&buyTokenPercentageFee=15`;
        assert.ok(service.asked.at(-1)!.endsWith(wanted), service.asked.at(-1));
        assert.ok((await page.locator("#curl").innerText()).includes(wanted));
        await page.fill("#buyFee", "0.05");
        await page.getByRole("alert").filter({ hasText: "in steps of 0.1 %" }).waitFor();
        await assertReadable(page);
        await assertNamed(page);
        await assertFits(page);
      },
    },
    {
      name: "the command is copied",
      options: { permissions: ["clipboard-read", "clipboard-write"] },
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.click("#copy");
        await page.getByRole("button", { name: "Copied" }).waitFor();
        assert.equal(
          await page.evaluate("navigator.clipboard.readText()"),
          await page.locator("#curl").innerText(),
        );
      },
    },
    {
      name: "the address of the page keeps the question over a reload",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "12.5")}`);
        await offerOf(page, "DAI");
        await pick(page, "buy", "UNI");
        await page.getByRole("switch").uncheck();
        await page.fill("#amount", "12,5");
        await page.waitForURL(/amount=12%2C5&.*gas=off/);
        const before = await offerOf(page, "UNI");
        await page.reload();
        assert.equal(await offerOf(page, "UNI"), before);
        assert.equal(await page.inputValue("#amount"), "12,5");
        assert.equal(await page.getByRole("switch").isChecked(), false);
      },
    },
    {
      name: "a chain without tokens is said to be empty, and the way back works",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.getByRole("combobox", { name: "Chain" }).selectOption("Ethereum");
        await page.locator(".pulse-idle").waitFor();
        await page.getByRole("combobox", { name: "Chain" }).selectOption("Devnet");
        await offerOf(page, "USDC");
      },
    },
    {
      name: "logos come from the service alone; a token without one has a disc with its letters",
      expected: /status of 40[04]/,
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "10")}`);
        await offerOf(page, "DAI");
        await eventually(
          () =>
            page
              .locator("#pick-sell img.disc")
              .evaluate((img) => (img as { naturalWidth?: number }).naturalWidth),
          (width) => assert.equal(width, 1),
        );
        await page.locator("#pick-buy svg.disc", { hasText: "DAI" }).waitFor();
        await pick(page, "buy", LOGOLESS);
        await page.locator("#pick-buy svg.disc").waitFor();
      },
    },
    {
      name: "hostile token names are text, in their place",
      options: PHONE,
      run: async (page) => {
        await page.goto(`${url}${link(HOSTILE, DAI, "5")}`);
        await offerOf(page, "DAI");
        await assertFits(page);
        assert.equal(await page.locator("img:not(.brand img, img.disc)").count(), 0);
        await page.click("#pick-sell");
        await page.locator(".picker-row").first().waitFor();
        await assertFits(page);
      },
    },
    ...(["light", "dark"] as const).map((colorScheme) => ({
      name: `${colorScheme}: every text has the contrast of WCAG AA, every control a name`,
      options: { colorScheme },
      run: async (page: Parameters<Case["run"]>[0]) => {
        await page.goto(`${url}${link(WBTC, UNI, "2.5")}`);
        await offerOf(page, "UNI");
        await assertReadable(page);
        await assertNamed(page);
        await page.fill("#amount", "x");
        await page.locator("#amount-note", { hasText: "plain number" }).waitFor();
        await page.click("#pick-sell");
        await page.locator(".picker-row").first().waitFor();
        await assertReadable(page);
        await assertNamed(page);
        const ground = (await page.evaluate("getComputedStyle(document.body).backgroundColor")) as string;
        const bright = Number(/\d+/.exec(ground)![0]) > 128;
        assert.equal(bright, colorScheme === "light");
      },
    })),
    {
      name: "a phone of 360 px: nothing sticks out, long amounts are whole, numbers stand for labels",
      options: PHONE,
      run: async (page) => {
        await page.goto(`${url}${link(WBTC, UNI, "21000000.00000001")}`);
        await offerOf(page, "UNI");
        await assertFits(page);
        const cut = await page.evaluate(
          "[...document.querySelectorAll('.amount')].filter((a) => a.scrollWidth > a.clientWidth).length",
        );
        assert.equal(cut, 0);
        await flows(page, (count) => assert.equal(count, 4));
        assert.deepEqual(await page.locator(".tag text").allTextContents(), ["1", "2", "3", "4"]);
        await page.click("#pick-buy");
        await page.locator(".picker-row").first().waitFor();
        await assertFits(page);
      },
    },
    ...formCases(service),
  ];
}
