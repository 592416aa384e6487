import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { supportedPage } from "../../scripts/docs/supported-page.ts";
import { protocols } from "../../src/protocols/index.ts";
import { uncovered } from "../../src/protocols/uncovered.ts";

test("docs/supported.md is up to date (npm run docs)", async () => {
  const page = readFileSync(new URL("../../docs/supported.md", import.meta.url), "utf8");
  expect(page).toBe(await supportedPage());
  for (const name of protocols.keys()) expect(page).toContain(`| [${name}]`);
  // No cell is empty: a design without a step, a limit or a word on its forks would show here.
  expect(page).not.toMatch(/\| +\|/);
});

test("every design has a record on a chain, a source on the devnet and a word on its limits", async () => {
  const rows = (await supportedPage()).split("\n").filter((line) => line.startsWith("| ["));
  expect(rows).toHaveLength(protocols.size);
  for (const row of rows) {
    const [, forks, , steps, devnet, limits] = row.slice(2, -2).split(" | ");
    expect(forks, row).toMatch(/\(.+\)/);
    expect(steps, row).toMatch(/^`/);
    expect(devnet, row).toMatch(/: (model|real bytecode)/);
    expect(limits, row).toMatch(/\w/);
  }
});

test("the README gives those designs as not covered that are refused by name", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, list = ""] =
    /^These protocols are not covered, and are refused by name: ([\s\S]+?) \(\[why\]/m.exec(readme)!;
  const given = list.replaceAll("\n", " ").split(/, | and /);
  expect(given).toEqual(uncovered.map(({ design }) => design.split(",")[0]));
});
