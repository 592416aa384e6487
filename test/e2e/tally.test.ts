import { expect, test } from "vitest";
import { countCrossings, crossingsTable, newTally, notCrossed } from "./tally.ts";

const sources = [
  { id: "a", name: "A" },
  { id: "b", name: "B" },
];

test("a source that no swap crossed alone, or none beside others, is named", () => {
  const tally = newTally(sources);
  countCrossings(tally, { sources: ["wrapped-native", "a"], isSplit: false });
  countCrossings(tally, { sources: ["a", "a"], isSplit: false });
  countCrossings(tally, { sources: ["wrapped-native"], isSplit: false });
  expect(notCrossed(tally)).toEqual([
    "A was never crossed beside another source",
    "B was never crossed alone",
    "B was never crossed beside another source",
  ]);
  countCrossings(tally, { sources: ["a", "b"], isSplit: true });
  expect(notCrossed(tally)).toEqual(["B was never crossed alone"]);
  countCrossings(tally, { sources: ["b"], isSplit: false });
  expect(notCrossed(tally)).toEqual([]);
  expect(crossingsTable(tally)).toMatch(/^A +2 +1 +1$/m);
});

test("a source that is not listed is no source", () => {
  expect(() => countCrossings(newTally(sources), { sources: ["c"], isSplit: false })).toThrow(
    /\/v1\/sources/,
  );
});
