import assert from "node:assert/strict";
import { formatUnits } from "viem";
import { DAI, ETH, HOSTILE, paidIn, planFor, RARE, run, UNI, USDC, WBTC, WETH } from "./fixture-market.ts";
import type { Fixture } from "./fixture-server.ts";
import { bought, type Case, eventually, fact, offerOf, pick, strands } from "./harness.ts";
import { assertFits, assertNamed, assertReadable } from "./looks.ts";

const PHONE = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
const link = (sell: string, buy: string, amount: string) =>
  `/#chain=31337&sell=${sell}&buy=${buy}&amount=${amount}`;

/** What the prepared market pays for ether, as the page writes it in full. */
function dollarsFor(wei: bigint): string {
  const paid = paidIn(run(planFor(ETH, USDC)!.plan, wei), USDC);
  return `${formatUnits(paid, USDC.decimals)} USDC`;
}

/** What the page does with answers that a live market does not give on demand. */
export function preparedCases(service: Fixture): readonly Case[] {
  const { url } = service;
  return [
    {
      name: "the page opens with an offer: price both ways, minimum, impact, gas, block, shares, picture, steps",
      run: async (page) => {
        await page.goto(url);
        assert.equal(await offerOf(page, "USDC"), dollarsFor(10n ** 18n));
        assert.match(await fact(page, "Price"), /^1 ETH = 3,497.1 USDC 1 USDC = 0.000285951 ETH$/);
        assert.match(await fact(page, "At least"), /^3,479.616 USDC/);
        assert.equal(await fact(page, "Price impact"), "0.37 %");
        assert.match(await fact(page, "Network fee"), /^0.01235 ETH 870,000 gas at 14.2 gwei$/);
        assert.match(await fact(page, "Block"), /^10,977,\d{3}$/);
        assert.deepEqual(await page.locator(".sources-list strong").allInnerTexts(), [
          "34 %",
          "33 %",
          "33 %",
        ]);
        await strands(page, (count) => assert.equal(count, 9));
        assert.equal(await page.locator(".steps > li").count(), 9);
        assert.match(await page.locator(".note").innerText(), /no wallet here yet/);
      },
    },
    {
      name: "the offer is refreshed by itself, in one step",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        const first = await fact(page, "Block");
        await eventually(
          () => fact(page, "Block"),
          (block) => assert.notEqual(block, first),
        );
      },
    },
    {
      name: "typing asks for the last amount only, and a late answer to an older one is dropped",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        service.delays.set("2000000000000000000", 1500);
        await page.fill("#amount", "2");
        await eventually(
          async () => service.asked.at(-1) ?? "",
          (asked) => assert.match(asked, /amount=2000000000000000000&/),
        );
        const before = service.asked.length;
        await page.locator("#amount").pressSequentially("5.5", { delay: 20 });
        assert.equal(
          await eventually(
            () => bought(page),
            (text) => assert.match(text, /^89/),
          ),
          dollarsFor(255n * 10n ** 17n),
        );
        await page.waitForTimeout(1700);
        assert.equal(await bought(page), dollarsFor(255n * 10n ** 17n));
        const since = service.asked
          .slice(before)
          .filter((asked) => !/amount=25500000000000000000&/.test(asked));
        assert.deepEqual(since, []);
      },
    },
    {
      name: "bad amounts are explained where they are typed, and nothing is asked",
      run: async (page) => {
        await page.goto(`${url}${link(USDC.address, DAI.address, "1")}`);
        await offerOf(page, "DAI");
        for (const [typed, words] of [
          ["0", "above zero"],
          ["1,5", "one dot"],
          ["1.0000001", "6 decimals"],
          ["abc", "plain number"],
          ["9".repeat(80), "more than any token"],
        ] as const) {
          const asked = service.asked.length;
          await page.fill("#amount", typed);
          await page.locator("#amount-note", { hasText: words }).waitFor();
          assert.equal(await page.locator("#amount").getAttribute("aria-invalid"), "true");
          await page.waitForTimeout(400);
          assert.equal(service.asked.length, asked);
          assert.equal(await bought(page), "");
        }
        await page.fill("#amount", "");
        await page.locator(".pulse-idle").waitFor();
      },
    },
    {
      name: "the service's own words say why there is no offer, and the old one is gone",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.fill("#amount", "0.000000000000000001");
        await page.getByRole("alert").filter({ hasText: "No liquidity: the amount is too small" }).waitFor();
        assert.equal(await bought(page), "");
        assert.equal(await page.locator(".route").count(), 0);
        await page.fill("#amount", "1");
        await offerOf(page, "USDC");
        assert.equal(await page.getByRole("alert").count(), 0);
      },
    },
    {
      name: "while the service is behind, the last offer stays faint, and it recovers by itself",
      expected: /status of 503/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        service.mode = "stale";
        await page.getByRole("alert").filter({ hasText: "41 s old" }).waitFor();
        assert.match(await page.getByRole("alert").innerText(), /Trying again by itself/);
        assert.equal(await page.locator(".route.faint").count(), 1);
        service.mode = "normal";
        await page.locator(".pulse-offer").waitFor();
        assert.equal(await page.locator(".route.faint").count(), 0);
      },
    },
    {
      name: "a service that is not up yet is waited for",
      expected: /status of 503/,
      run: async (page) => {
        service.mode = "down";
        await page.goto(url);
        await page.getByRole("alert").filter({ hasText: "The service is starting." }).waitFor();
        service.mode = "normal";
        await offerOf(page, "USDC");
      },
    },
    {
      name: "an answer without the additive fields still shows the offer and its shares",
      run: async (page) => {
        service.mode = "bare";
        await page.goto(url);
        assert.equal(await offerOf(page, "USDC"), dollarsFor(10n ** 18n));
        assert.equal(await page.locator(".sources-list li").count(), 3);
        assert.equal(await page.locator(".thread").count(), 0);
        assert.equal(await page.locator('[data-fact="At least"]').count(), 0);
      },
    },
    {
      name: "20 pools side by side: each has its strand and its label, none over another",
      run: async (page) => {
        await page.goto(`${url}${link(WETH.address, DAI.address, "120")}`);
        await offerOf(page, "DAI");
        await strands(page, (count) => assert.equal(count, 20));
        const boxes = await Promise.all(
          (await page.locator(".tag > svg > rect").all()).map((tag) => tag.boundingBox()),
        );
        assert.equal(boxes.length, 20);
        const tops = boxes.map((box) => box!.y).sort((a, b) => a - b);
        for (const [k, top] of tops.entries()) {
          if (k > 0) assert.ok(top - tops[k - 1]! >= boxes[0]!.height, `label ${k} lies over its neighbour`);
        }
        await assertFits(page);
      },
    },
    {
      name: "4 hops in a row warn of their price impact in the service's words",
      run: async (page) => {
        await page.goto(`${url}${link(WBTC.address, UNI.address, "2.5")}`);
        await offerOf(page, "UNI");
        await page.locator(".notice-caution", { hasText: "High price impact: 6.4 %" }).waitFor();
        await strands(page, (count) => assert.equal(count, 4));
        assert.deepEqual(await page.locator(".knot-symbol").allTextContents(), [
          "WBTC",
          "WETH",
          "USDT",
          "DAI",
          "UNI",
        ]);
      },
    },
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
        await page.focus("#pick-sell");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Escape");
        await page.locator("dialog.picker").waitFor({ state: "detached" });
        assert.equal(await page.evaluate("document.activeElement.id"), "pick-sell");
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
      name: "the two sides turn around, and picking the other side's token turns them too",
      run: async (page) => {
        await page.goto(`${url}${link(USDC.address, DAI.address, "10")}`);
        await offerOf(page, "DAI");
        await page.getByRole("button", { name: "Swap the two tokens around" }).click();
        await offerOf(page, "USDC");
        await pick(page, "sell", "USDC");
        await offerOf(page, "DAI");
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
        await page.goto(`${url}${link(USDC.address, DAI.address, "12.5")}`);
        await offerOf(page, "DAI");
        await pick(page, "buy", "UNI");
        const before = await offerOf(page, "UNI");
        await page.reload();
        assert.equal(await offerOf(page, "UNI"), before);
        assert.equal(await page.inputValue("#amount"), "12.5");
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
      name: "hostile token names are text, in their place",
      options: PHONE,
      run: async (page) => {
        await page.goto(`${url}${link(HOSTILE.address, DAI.address, "5")}`);
        await offerOf(page, "DAI");
        await assertFits(page);
        assert.equal(await page.locator("img:not(.brand img)").count(), 0);
        await page.click("#pick-sell");
        await page.locator(".picker-row").first().waitFor();
        await assertFits(page);
      },
    },
    ...(["light", "dark"] as const).map((colorScheme) => ({
      name: `${colorScheme}: every text has the contrast of WCAG AA, every control a name`,
      options: { colorScheme },
      run: async (page: Parameters<Case["run"]>[0]) => {
        await page.goto(`${url}${link(WBTC.address, UNI.address, "2.5")}`);
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
        await page.goto(`${url}${link(WBTC.address, UNI.address, "21000000.00000001")}`);
        await offerOf(page, "UNI");
        await assertFits(page);
        const cut = await page.evaluate(
          "[...document.querySelectorAll('.amount')].filter((a) => a.scrollWidth > a.clientWidth).length",
        );
        assert.equal(cut, 0);
        await strands(page, (count) => assert.equal(count, 4));
        assert.deepEqual(await page.locator(".tag text").allTextContents(), ["1", "2", "3", "4"]);
        await page.click("#pick-buy");
        await page.locator(".picker-row").first().waitFor();
        await assertFits(page);
      },
    },
  ];
}
