import { expect, test } from "vitest";
import { incidents } from "../../contracts/mutants/incidents.ts";
import { rogues } from "../../contracts/mutants/rogues.ts";
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

test("every hostile contract that takers meet has a hole that its test must notice", () => {
  const suite = readContract("test/Takers.t.sol");
  const tests = [...suite.matchAll(/function (test_hostile\w+)\(\)/g)].map(([, name]) => name);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.sort()).toEqual(rogues.map(({ test: own }) => own).sort());
});
