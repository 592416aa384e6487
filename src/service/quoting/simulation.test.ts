import { expect, test } from "vitest";
import { gasLimit } from "./simulation.ts";

test.each([
  ["a small swap: 15 %", 100_001n, 115_002n],
  ["two ticks more", 500_000n, 562_000n],
  ["two ticks more of a large route", 1_000_000n, 1_062_000n],
  ["a very large route: 5 %", 2_000_001n, 2_100_002n],
])("%s", (_name, needed, limit) => {
  expect(gasLimit(needed)).toBe(limit);
});

test("a route whose gas no price changes: 5 %", () => {
  expect(gasLimit(100_001n, true)).toBe(105_002n);
});
