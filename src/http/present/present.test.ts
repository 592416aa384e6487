import fc from "fast-check";
import { parseUnits } from "viem/utils";
import { describe, expect, test } from "vitest";
import { gwei } from "./present.ts";

describe("gwei", () => {
  test.each([
    [0n, "0"],
    [1n, "0.000000001"],
    [1_000_000_000n, "1"],
    [14_257_000_000n, "14.257"],
    [100_000_000_000n, "100"],
  ])("%s wei is %s", (wei, text) => {
    expect(gwei(wei)).toBe(text);
  });

  test("is exact and plain for every amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (wei) => {
        expect(gwei(wei)).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]{0,8}[1-9])?$/);
        expect(parseUnits(gwei(wei), 9)).toBe(wei);
      }),
    );
  });
});
