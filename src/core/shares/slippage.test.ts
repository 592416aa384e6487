import { describe, expect, test } from "vitest";
import { slippagePpm } from "./slippage.ts";

describe("slippage", () => {
  test.each([
    ["1", 1_000],
    ["10", 10_000],
    ["2.5", 2_500],
    ["11.000000000000002", 11_000],
    ["0.9999999999999999", 1_000],
    ["0.999999999999999999999999", 1_000],
    ["500", 500_000],
    ["500.00000000000006", 500_000],
    ["007", 7_000],
  ])("%s is %s ppm", (text, ppm) => {
    expect(slippagePpm(text)).toBe(ppm);
  });

  test.each(["", "0", "0.99", "0.99999", "500.0001", "501", "1e1", "-1", "+1", ".5", "1.", "NaN", " 1"])(
    "%j is none",
    (text) => {
      expect(slippagePpm(text)).toBeUndefined();
    },
  );
});
