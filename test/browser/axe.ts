import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** axe-core (MPL-2.0) runs in the browser of the tests alone; nothing of it is served. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What of WCAG 2.2 AA and of good practice axe finds broken on the page as it is now: nothing may be. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const { violations, passes } = (await page.evaluate("axe.run(document)")) as AxeResults;
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
  assert.deepEqual(told, [], "axe finds faults");
  // A run that looked at nothing would find nothing.
  assert.ok(passes.length > 10, `axe passed only ${passes.length} rules`);
}
