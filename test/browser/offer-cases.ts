import assert from "node:assert/strict";
import { formatUnits } from "viem/utils";
import { DAI, ETH, paidIn, planFor, run, UNI, USDC, WBTC, WETH } from "./fixture-market.ts";
import { type Fixture, link } from "./fixture-server.ts";
import { bought, type Case, eventually, fact, flows, offerOf } from "./harness.ts";
import { assertFits } from "./looks.ts";

/** What the prepared market pays for ether, as the page writes it in full. */
function dollarsFor(wei: bigint): string {
  const paid = paidIn(run(planFor(ETH, USDC)!.plan, wei), USDC);
  return `${formatUnits(paid, USDC.decimals)} USDC`;
}

/** What the page shows of answers that a live market does not give on demand. */
export function offerCases(service: Fixture): readonly Case[] {
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
        assert.match(await fact(page, "Route"), /^within 0.2 bp of the best possible proven/);
        assert.match(await fact(page, "Network fee"), /^0.01235 ETH 870,000 gas at 14.2 gwei$/);
        assert.match(await fact(page, "Block"), /^10,977,\d{3}$/);
        assert.deepEqual(await page.locator(".sources-list strong").allInnerTexts(), [
          "34 %",
          "33 %",
          "33 %",
        ]);
        await flows(page, (count) => assert.equal(count, 9));
        assert.equal(await page.locator(".steps > li").count(), 9);
        assert.equal(await page.locator("#act").innerText(), "Connect a wallet");
        const spoken = page.locator(".offer [role=status]");
        assert.equal(await spoken.textContent(), "You receive 3,497.102 USDC");
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
        // All keys in one turn: on a busy machine a pause between two of them would be long enough to ask.
        await page.evaluate(`for (const typed of ["25", "25.", "25.5"]) {
          const field = document.getElementById("amount");
          field.value = typed;
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }`);
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
        await page.goto(`${url}${link(USDC, DAI, "1")}`);
        await offerOf(page, "DAI");
        for (const [typed, words] of [
          ["0", "above zero"],
          ["1,500", "write 1500 for the one, 1.500 or 1,5000 for the other"],
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
          assert.equal(await page.locator(".offer [role=status]").textContent(), "");
        }
        await page.fill("#amount", "");
        await page.locator(".pulse-idle").waitFor();
        assert.equal(await page.locator(".offer [role=status]").textContent(), "");
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
      name: "more than the market has: said without addresses, and the most that it has is one click away",
      expected: /status of 400/,
      run: async (page) => {
        await page.goto(url);
        await offerOf(page, "USDC");
        await page.fill("#amount", "1000001");
        const alert = page.getByRole("alert").filter({ hasText: "No liquidity from ETH to USDC: too deep." });
        await alert.getByRole("button", { name: "Sell 1,000,000 ETH" }).click();
        assert.equal(await offerOf(page, "USDC"), dollarsFor(10n ** 24n));
        assert.equal(await page.inputValue("#amount"), "1000000");
        await page.goto(`${url}${link(UNI, WBTC, "1000001")}`);
        await page.getByRole("alert").filter({ hasText: "No liquidity" }).waitFor();
        // The price of the largest amount was asked, and its impact is far above 15 %.
        await eventually(
          async () => service.asked.at(-1) ?? "",
          (asked) => assert.match(asked, /amount=1000000000000000000000000&/),
        );
        await page.waitForTimeout(300);
        assert.equal(await page.locator("#most").count(), 0);
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
        assert.equal(await page.locator("#bought.faint").count(), 1);
        service.mode = "normal";
        await page.locator(".pulse-offer").waitFor();
        assert.equal(await page.locator(".faint").count(), 0);
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
      name: "an answer that is no offer is said, and the page goes on when the service answers again",
      run: async (page) => {
        await page.route(/\/price\?/, (route) => route.fulfill({ json: { amount_out_total: null } }));
        await page.goto(`${url}${link(ETH, USDC, "1")}`);
        await page.getByRole("alert").filter({ hasText: "cannot read the answer" }).waitFor();
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await offerOf(page, "USDC");
      },
    },
    {
      name: "a list of tokens or chains that cannot be read is told in the words of an offer that cannot be read",
      run: async (page) => {
        const notice = page.locator(".swap .notice").filter({ hasText: "This page cannot read the answer" });
        for (const path of ["**/v2/tokens/list", "**/v1/platforms"]) {
          await page.route(path, (route) =>
            route.fulfill({ contentType: "text/html", body: "<p>Log in</p>" }),
          );
          await page.goto(url);
          await notice.waitFor();
          await page.unrouteAll({ behavior: "ignoreErrors" });
          await page.goto("about:blank");
        }
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
      name: "20 pools side by side: each has its flow and its label, none over another",
      run: async (page) => {
        await page.goto(`${url}${link(WETH, DAI, "120")}`);
        await offerOf(page, "DAI");
        await flows(page, (count) => assert.equal(count, 20));
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
        await page.goto(`${url}${link(WBTC, UNI, "2.5")}`);
        await offerOf(page, "UNI");
        await page.locator(".notice-caution", { hasText: "High price impact: 6.4 %" }).waitFor();
        await flows(page, (count) => assert.equal(count, 4));
        assert.deepEqual(await page.locator(".node-symbol").allTextContents(), [
          "WBTC",
          "WETH",
          "USDT",
          "DAI",
          "UNI",
        ]);
      },
    },
  ];
}
