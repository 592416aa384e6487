import { expect, test } from "vitest";
import { countCalls, countRound } from "../../scripts/contracts/forge.ts";

const fuzz = (runs: number) => ({ kind: { Fuzz: { runs, mean_gas: 1 } } });
const invariant = { kind: { Invariant: { runs: 2, calls: 100 } } };
const unit = { kind: { Unit: { gas: 7 } } };

function round(...tests: readonly object[]): string {
  const suites = tests.map((one, index) => [`test/S${index}.t.sol:S`, { test_results: { "test()": one } }]);
  return `Compiling 3 files\n${JSON.stringify(Object.fromEntries(suites))}\n`;
}

test("a round counts the runs of fuzz tests and the calls of invariants, each apart", () => {
  expect(countRound(round(fuzz(50), fuzz(50), invariant, unit))).toEqual({ runs: 100, calls: 100 });
});

test("swaps of takers are counted in what forge prints, and none is a failure", () => {
  const line = (result: string) =>
    `[${result}] invariant_x() (runs: 34, calls: 340000, reverts: 0)\n| take | 7 |\n`;
  expect(countCalls(line("PASS") + line("PASS"))).toBe(680_000);
  expect(() => countCalls(line("FAIL: broken"))).toThrow(/no invariant/);
  expect(() => countCalls("[PASS] test_x() (gas: 7)\n")).toThrow(/no invariant/);
});

test.each([
  ["one test ran less often than another", round(fuzz(50), fuzz(49), invariant), /between 49 and 50/],
  ["no fuzz test ran", round(unit, invariant), /no fuzz test/],
  ["no invariant ran", round(fuzz(50)), /no invariant/],
  ["the compiler failed", "Error: no such file", /no results/],
])("a round in which %s is none", (_what, output, reason) => {
  expect(() => countRound(output)).toThrow(reason);
});
