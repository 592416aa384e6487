import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** axe-core (MPL-2.0) runs in the browser of the tests alone; nothing of it is served. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rule that depends on the colours of a scheme. */
const OF_COLOURS = "color-contrast";

/** What of WCAG 2.2 AA and of good practice axe finds broken on the page as it is now: nothing may be. */
export async function assertAccessible(page: Page): Promise<void> {
  const { violations, passes } = await inspected(page, {});
  // A run that looked at nothing would find nothing.
  assert.ok(passes.length > 10, `axe passed only ${passes.length} rules`);
  assertNone(violations);
}

/** The same for a view that was inspected in another colour scheme, from which it differs in its colours alone. */
export async function assertReadable(page: Page): Promise<void> {
  const { violations, passes } = await inspected(page, { runOnly: [OF_COLOURS] });
  assert.deepEqual(
    passes.map(({ id }) => id),
    [OF_COLOURS],
    "axe looked at no colour",
  );
  assertNone(violations);
}

async function inspected(page: Page, options: RunOptions): Promise<AxeResults> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })})`);
}

function assertNone(violations: AxeResults["violations"]): void {
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
  assert.deepEqual(told, [], "axe finds faults");
}
