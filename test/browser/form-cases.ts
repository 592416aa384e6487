import assert from "node:assert/strict";
import { DAI, USDC } from "./fixture-market.ts";
import { type Fixture, link } from "./fixture-server.ts";
import { type Case, eventually, offerOf, pick } from "./harness.ts";

/** What becomes of the form's fields when they act on each other. */
export function formCases(service: Fixture): readonly Case[] {
  const { url } = service;
  return [
    {
      name: "the two sides turn around, by the button and by picking the other side's token; the amount stays with its token",
      run: async (page) => {
        await page.goto(`${url}${link(USDC, DAI, "1000")}`);
        assert.equal(await offerOf(page, "DAI"), "997 DAI");
        await page.getByRole("button", { name: "Swap the two tokens around" }).click();
        await offerOf(page, "DAI");
        assert.equal(await page.inputValue("#bought"), "1000");
        await eventually(
          async () => service.asked.at(-1) ?? "",
          (asked) => assert.match(asked, /amount=1000000000&.*side=BUY/),
        );
        await pick(page, "sell", "USDC");
        assert.equal(await offerOf(page, "DAI"), "997 DAI");
        assert.equal(await page.inputValue("#amount"), "1000");
      },
    },
    {
      name: "the same token on both sides is a fault of the form: both fields are marked, and nothing is asked",
      run: async (page) => {
        const asked = service.asked.length;
        await page.goto(`${url}/#chain=31337&sell=USDC&buy=USDC&amount=1`);
        const alerts = page.getByRole("alert");
        await alerts.filter({ hasText: "Choose two different tokens." }).waitFor();
        assert.equal(await alerts.count(), 1);
        const colours = (await page.evaluate(
          `["#amount", "#bought"].map((id) => getComputedStyle(document.querySelector(id).closest(".field")).borderColor)
            .concat(getComputedStyle(document.querySelector("[role=alert]")).color)`,
        )) as string[];
        assert.equal(new Set(colours).size, 1, colours.join());
        await page.locator(".empty", { hasText: "Correct what is marked" }).waitFor();
        await page.waitForTimeout(400);
        assert.equal(service.asked.length, asked);
        await pick(page, "buy", "DAI");
        await offerOf(page, "DAI");
        assert.equal(await alerts.count(), 0);
      },
    },
  ];
}
