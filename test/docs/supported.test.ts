import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { supportedPage } from "../../scripts/supported-page.ts";
import { protocols } from "../../src/protocols/index.ts";

test("docs/supported.md is up to date (npm run docs)", () => {
  const page = readFileSync(new URL("../../docs/supported.md", import.meta.url), "utf8");
  expect(page).toBe(supportedPage());
  for (const name of protocols.keys()) expect(page).toContain(`| [${name}]`);
});
