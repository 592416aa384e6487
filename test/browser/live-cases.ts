import assert from "node:assert/strict";
import type { Page, Response } from "playwright-core";
import { bought, type Case, eventually, fact, flows, offerOf, pick } from "./harness.ts";
import { assertFits, assertNamed, assertReadable } from "./looks.ts";

type Offer = {
  amount_out_total: string;
  block_number: number;
  route_graph: { steps: unknown[] };
  routes: { percent: number }[];
};

/** The page on the whole service, as a user starts it; the devnet's market, no traffic. */
export function liveCases(url: string, rpc: string): readonly Case[] {
  return [
    {
      name: "live: the page is served under a policy of its own origin only, with an offer on it",
      run: async (page) => {
        const response = await page.goto(url);
        const policy = response?.headers()["content-security-policy"] ?? "";
        assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
        assert.ok(!policy.includes("unsafe"));
        await offerOf(page, "USDC");
        await assertReadable(page);
        await assertNamed(page);
      },
    },
    {
      name: "live: what is shown is what the service answered, to the unit, and the command on show gets the same",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        const answer = page.waitForResponse((one) => isPrice(one, "12345678900000000000"));
        await page.fill("#amount", "12.3456789");
        const offer = (await (await answer).json()) as Offer;
        const amount = BigInt(offer.amount_out_total);
        await eventually(
          () => bought(page),
          (text) => assert.equal(text, `${withDecimals(amount, 6)} USDC`),
        );
        const block = Number((await fact(page, "Block")).replaceAll(",", ""));
        assert.ok(block >= offer.block_number);
        assert.equal(await page.locator(".steps > li").count(), offer.route_graph.steps.length);
        assert.equal(
          (await page.locator(".sources-list strong").allInnerTexts()).join(),
          offer.routes.map(({ percent }) => `${percent} %`).join(),
        );

        const command = await page.locator("#curl").innerText();
        const again = await fetch(/^curl '(.+)'$/.exec(command)![1]!);
        const independent = BigInt(((await again.json()) as Offer).amount_out_total);
        const apart = independent > amount ? independent - amount : amount - independent;
        assert.ok(apart * 1000n <= amount, `${independent} against ${amount}`);
      },
    },
    {
      name: "live: a link cannot send the page to another service",
      run: async (page) => {
        const asked = page.waitForRequest((request) => request.url().includes("/price?"));
        await page.goto(
          `${url}/?api=https://elsewhere.example#sell=ETH&buy=USDC&amount=3&api=https://elsewhere.example`,
        );
        assert.equal(new URL((await asked).url()).origin, url);
        await offerOf(page, "USDC");
        assert.doesNotMatch(await page.content(), /elsewhere\.example/);
      },
    },
    {
      name: "live: the block goes on by itself",
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
      name: "live: tokens are picked by keyboard, and every pair of the deepest has a picture",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        for (const [sell, buy] of [
          ["WETH", "USDT"],
          ["USDC", "WBTC"],
          ["DAI", "UNI"],
        ] as const) {
          await pick(page, "sell", sell);
          await pick(page, "buy", buy);
          await page.fill("#amount", "2.5");
          await offerOf(page, buy);
          await flows(page, (count) => assert.ok(count >= 1));
          assert.equal(await page.locator(".node-symbol").first().textContent(), sell);
        }
      },
    },
    {
      name: "live: a large order is split, and its flows are drawn",
      run: async (page) => {
        await page.goto(url);
        await page.fill("#amount", "20000");
        await offerOf(page, "USDC");
        await flows(page, (count) => assert.ok(count >= 3, `${count} flows`));
        await assertFits(page);
        assert.deepEqual(await page.evaluate(CUT_NAMES), [], "names of pools are cut in the picture");
      },
    },
    {
      name: "live: wrapping is one for one",
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await pick(page, "buy", "WETH");
        await page.fill("#amount", "3.25");
        await eventually(
          () => bought(page),
          (text) => assert.equal(text, "3.25 WETH"),
        );
        await flows(page, (count) => assert.equal(count, 1));
        assert.deepEqual(await page.locator(".tag-strong").allTextContents(), ["Wrap", "100 %"]);
      },
    },
    {
      name: "live: nonsense is refused in words",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.fill("#amount", "1".padEnd(58, "0"));
        await page
          .getByRole("alert")
          .filter({ hasText: /^No liquidity/ })
          .waitFor();
        assert.equal(await bought(page), "");
      },
    },
    {
      name: "live: the documentation fits a phone, is readable, and leads to the API reference",
      options: { viewport: { width: 390, height: 844 } },
      run: async (page) => {
        for (const path of ["/docs", "/docs/api", "/docs/migrate", "/docs/conformance"]) {
          await page.goto(`${url}${path}`);
          await assertFits(page);
          await assertReadable(page);
        }
        const answer = await page.request.get(`${url}/docs/reference`);
        assert.equal(answer.status(), 200);
      },
    },
    ...([true, false] as const).map((javaScriptEnabled) => ({
      name: `live: the operator's page on a phone, ${javaScriptEnabled ? "reading itself again" : "without JavaScript"}`,
      options: { viewport: { width: 390, height: 844 }, javaScriptEnabled },
      run: async (page: Page) => {
        await page.goto(`${url}/status`);
        const block = page.locator('[data-series^="braid_chain_block"]');
        const first = await block.innerText();
        const text = await page.content();
        assert.ok(!text.includes(new URL(rpc).host), "the address of an endpoint is on the page");
        assert.match(text, /uniswap-v3/);
        if (!javaScriptEnabled) return;
        await assertFits(page);
        await assertReadable(page);
        await eventually(
          () => block.innerText(),
          (now) => assert.notEqual(now, first),
        );
      },
    })),
    {
      name: "live: a phone of 390 px in the dark",
      options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "dark" },
      run: async (page) => {
        await page.goto(url);
        await page.fill("#amount", "400");
        await offerOf(page, "USDC");
        await assertFits(page);
        await assertReadable(page);
      },
    },
  ];
}

/** Names in the picture that are wider than the room in which they are shown. */
const CUT_NAMES = `[...document.querySelectorAll(".tag svg svg text.tag-strong")]
  .filter((text) => text.getComputedTextLength() > text.parentNode.width.baseVal.value)
  .map((text) => text.textContent)`;

/** Pictures of the page for the documents, each of the live service. */
export function pictureCases(url: string, folder: string): readonly Case[] {
  const shot = (name: string, options: Case["options"], prepare: (page: Page) => Promise<void>): Case => ({
    name: `picture ${name}`,
    options: { deviceScaleFactor: 2, ...options },
    run: async (page) => {
      await page.goto(url);
      await offerOf(page, "USDC");
      await prepare(page);
      // Hover and caret would show where the test pointed last.
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${folder}/${name}.png`, caret: "hide" });
    },
  });
  const sell = async (page: Page, amount: string) => {
    await page.fill("#amount", amount);
    await page.locator("#amount").blur();
    await page.locator(".pulse-loading").waitFor();
    await offerOf(page, "USDC");
  };
  return [
    shot("page", { viewport: { width: 1180, height: 1330 } }, (page) => sell(page, "1500")),
    shot("page-dark", { viewport: { width: 1180, height: 1330 }, colorScheme: "dark" }, (page) =>
      sell(page, "1500"),
    ),
    shot("page-phone", { viewport: { width: 390, height: 1500 }, deviceScaleFactor: 1.5 }, (page) =>
      sell(page, "1500"),
    ),
    shot("picker", { viewport: { width: 1180, height: 760 }, deviceScaleFactor: 1 }, async (page) => {
      await page.click("#pick-buy");
      await page.locator(".picker-row").first().waitFor();
    }),
  ];
}

function isPrice(response: Response, amount: string): boolean {
  return response.url().includes(`amount=${amount}&`) && response.status() === 200;
}

/** Written out here once more: the page's own formatting is what is under test. */
function withDecimals(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
}
