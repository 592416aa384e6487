import { expect, test } from "vitest";
import { gasLimit } from "./simulation.ts";

test.each([
  ["a small swap: 12 %", 100_001n, 112_002n],
  ["one tick more", 300_000n, 331_000n],
  ["one tick more of a large route", 600_000n, 631_000n],
  ["a very large route: 3 %", 2_000_001n, 2_060_002n],
])("%s", (_name, needed, limit) => {
  expect(gasLimit(needed)).toBe(limit);
});

test("a route whose gas no price changes: 3 %", () => {
  expect(gasLimit(100_001n, true)).toBe(103_002n);
});
