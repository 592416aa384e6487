import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationPage } from "../../scripts/docs/configuration-page.ts";

test("docs/configuration.md is up to date (npm run docs)", () => {
  const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  expect(page).toBe(configurationPage());
  expect(page).toContain("| `PORT` | 0 … 65535 | `8080` |");
});
