import { expect, test } from "vitest";
import { incidents } from "../../contracts/mutants/incidents.ts";
import { readContract } from "../../scripts/build-contracts.ts";

const rows = readContract("README.md").match(/^\|.*\| `test_\w+` \|$/gm) ?? [];

test("the page names every incident's hole and test, as they are run", () => {
  const said = rows.map((row) =>
    row
      .split("|")
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  const run = incidents.map(({ name, test: own }) => [name, `\`${own}\``]);
  expect(said.sort()).toEqual(run.sort());
});

test("every incident has one test, and every test of the suite an incident", () => {
  const suite = readContract("test/Incidents.t.sol");
  const tests = [...suite.matchAll(/function (test_\w+)\(\)/g)].map(([, name]) => name);
  expect(tests.sort()).toEqual(incidents.map(({ test: own }) => own).sort());
});
