import fc from "fast-check";
import { expect, test } from "vitest";
import { isNestedBeyond } from "./nesting.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("what is nested deeper is told from what is not, whatever its texts hold", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat(6), (text, most) => {
      expect(isNestedBeyond(text, most)).toBe(depthOf(JSON.parse(text)) > most);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{"a":"[[[[\\"[[[["}', 1, false],
  ['["\\\\",[["]"]]]', 2, true],
  ['["\\\\",[["]"]]]', 3, false],
  ['["\\\\\\"[[","[[\\\\",[]]', 1, true],
  ['["\\\\\\"[[","[[\\\\",[]]', 2, false],
  [`${"[".repeat(65)}${"]".repeat(65)}`, 64, true],
  [`${'{"a":'.repeat(64)}1${"}".repeat(64)}`, 64, false],
])("%s is nested beyond %i: %s", (text, most, expected) => {
  JSON.parse(text);
  expect(isNestedBeyond(text, most)).toBe(expected);
});
