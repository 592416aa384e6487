import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withDiscoveryTable } from "../../scripts/docs/discovery-table.ts";
import { protocols } from "../../src/protocols/index.ts";

test("the table of docs/chains.md that says how pools are found is up to date (npm run docs)", () => {
  const page = readFileSync(new URL("../../docs/chains.md", import.meta.url), "utf8");
  expect(page).toBe(withDiscoveryTable(page));
  for (const name of protocols.keys()) expect(page).toContain(`\n| ${name} |`);
});
