import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { incidents } from "../../contracts/mutants/incidents.ts";
import { rogues } from "../../contracts/mutants/rogues.ts";
import { collectSources, readContract, root } from "../../scripts/contracts/build-contracts.ts";

const page = readContract("README.md");
const rows = page.match(/^\|.*\| `test_\w+` \|$/gm) ?? [];

function suites(): string {
  const files = readdirSync(join(root, "contracts", "test"), { encoding: "utf8", recursive: true });
  const names = files.filter((name) => name.endsWith(".t.sol"));
  return names.map((name) => readContract(`test/${name}`)).join("\n");
}

test("every test that the page names is there", () => {
  const named = [...page.matchAll(/`(test_\w+)`/g)].map(([, name]) => name!);
  const there = new Set([...suites().matchAll(/function (test_\w+)\(/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !there.has(name))).toEqual([]);
});

test("every rule names the tests that hold it", () => {
  const section = page.slice(page.indexOf("## Rules"), page.indexOf("## What is trusted"));
  const numbers = (form: RegExp) => [...section.matchAll(form)].map(([, rule]) => Number(rule));
  const rules = numbers(/^\| (\d+) \| [A-Z]/gm);
  expect(rules.length).toBeGreaterThan(10);
  expect(numbers(/^\| (\d+) \| `test_/gm)).toEqual(rules);
});

test("a token's transferFrom is called in the two places that the page argues about", () => {
  const sources = Object.entries(collectSources("Router.sol", readContract));
  const places = sources.flatMap(([path, text]) =>
    text.split("23b872dd").length > 1 || /\.(safe)?transferFrom\(/i.test(text)
      ? [`${path} ${text.split("23b872dd").length - 1}`]
      : [],
  );
  expect(places.sort()).toEqual(["Tokens.sol 1", "steps/V3.sol 1"]);
});

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
  const suite = readContract("test/attacks/Incidents.t.sol");
  const tests = [...suite.matchAll(/function (test_\w+)\(\)/g)].map(([, name]) => name);
  expect(tests.sort()).toEqual(incidents.map(({ test: own }) => own).sort());
});

test("every hostile contract that takers meet has a hole that its test must notice", () => {
  const suite = readContract("test/takers/Takers.t.sol");
  const tests = [...suite.matchAll(/function (test_hostile\w+)\(\)/g)].map(([, name]) => name);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.sort()).toEqual(rogues.map(({ test: own }) => own).sort());
});
