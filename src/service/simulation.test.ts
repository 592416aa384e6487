import { expect, test } from "vitest";
import { gasLimit } from "./simulation.ts";

test.each([
  ["a small swap: 12 %", 100_001n, 112_002n],
  ["one tick more", 200_000n, 222_000n],
  ["one tick more of a large route", 500_000n, 522_000n],
  ["a very large route: 3 %", 1_000_001n, 1_030_002n],
])("%s", (_name, needed, limit) => {
  expect(gasLimit(needed)).toBe(limit);
});

test("a route whose gas no price changes: 3 %", () => {
  expect(gasLimit(100_001n, true)).toBe(103_002n);
});
