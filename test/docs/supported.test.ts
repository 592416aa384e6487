import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { supportedPage } from "../../scripts/supported-page.ts";
import { protocols } from "../../src/protocols/index.ts";

test("docs/supported.md is up to date (npm run docs)", async () => {
  const page = readFileSync(new URL("../../docs/supported.md", import.meta.url), "utf8");
  expect(page).toBe(await supportedPage());
  for (const name of protocols.keys()) expect(page).toContain(`| [${name}]`);
  // No cell is empty: a design without a step, a limit or a word on its forks would show here.
  expect(page).not.toMatch(/\| +\|/);
});
