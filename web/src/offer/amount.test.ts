import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dollars,
  exactAmount,
  parseAmount,
  priceText,
  ratioText,
  readableAmount,
  shortAmount,
  typedAmount,
} from "./amount.ts";

const limits = { interruptAfterTimeLimit: 10_000, markInterruptAsFailure: true };
const MAX = 2n ** 256n - 1n;

describe("parseAmount", () => {
  test.each([
    ["1", 18, 10n ** 18n],
    ["1.", 6, 1_000_000n],
    [".5", 6, 500_000n],
    [" 0.10 ", 1, 1n],
    ["007", 0, 7n],
    ["0.000001", 6, 1n],
    ["9007199254740993", 0, 9007199254740993n],
    ["1.000000000000000001", 18, 10n ** 18n + 1n],
    ["1.5000000000", 1, 15n],
    ["1,5", 18, 15n * 10n ** 17n],
    ["1,000.5", 6, 1_000_500_000n],
    ["1,234,567", 0, 1_234_567n],
    [MAX.toString(), 0, MAX],
  ])("%j at %i decimals", (text, decimals, value) => {
    expect(parseAmount(text, decimals)).toEqual({ kind: "amount", value });
  });

  test.each(["", "  "])("%j is empty", (text) => {
    expect(parseAmount(text, 18)).toEqual({ kind: "empty" });
  });

  test.each([
    ["0", 18, "above zero"],
    ["0.000", 18, "above zero"],
    ["-1", 18, "above zero"],
    ["-1,5", 18, "above zero"],
    ["0,0000001", 6, "6 decimals"],
    ["1,000", 18, "two readings"],
    ["1 000", 18, "one dot"],
    ["1.2.3", 18, "one dot"],
    [".", 18, "one dot"],
    ["1,5,5", 18, "one dot"],
    ["1e18", 18, "plain number"],
    ["0x10", 18, "plain number"],
    ["abc", 18, "plain number"],
    ["0.0000001", 6, "6 decimals"],
    ["0.01", 1, "1 decimal."],
    ["1.5", 0, "no fractions"],
    [(MAX + 1n).toString(), 0, "more than any token"],
  ])("%j at %i decimals is refused", (text, decimals, words) => {
    expect(parseAmount(text, decimals)).toMatchObject({ kind: "bad", text: expect.stringContaining(words) });
  });

  test("reads back what exactAmount writes, to the unit", () => {
    const value = fc.bigInt({ min: 1n, max: MAX });
    const decimals = fc.integer({ min: 0, max: 36 });
    fc.assert(
      fc.property(value, decimals, (v, d) => {
        expect(parseAmount(exactAmount(v, d), d)).toEqual({ kind: "amount", value: v });
      }),
      limits,
    );
  });
});

describe("readableAmount", () => {
  test.each([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [10n ** 18n, 18, "1"],
    [1234567891234n, 6, "1,234,567.89"],
    [1999999n, 6, "1.999999"],
    [123456789123456789n, 18, "0.1234567"],
    [999999999999n, 3, "999,999,999.99"],
    [1000n, 0, "1,000"],
  ])("%d at %i decimals is %j", (value, decimals, text) => {
    expect(readableAmount(value, decimals)).toBe(text);
  });

  test("never shows more than there is, nor less than a ten-thousandth below", () => {
    const value = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 24 }), (v, d) => {
        const shown = parseAmount(readableAmount(v, d).replaceAll(",", ""), d);
        if (shown.kind !== "amount") throw new Error(`unreadable: ${readableAmount(v, d)}`);
        expect(shown.value <= v).toBe(true);
        expect((v - shown.value) * 10_000n <= v).toBe(true);
      }),
      limits,
    );
  });
});

test.each([
  [99_999_999_999n, 6, "99,999.99"],
  [158_812_070_000n, 6, "158.81k"],
  [2_500_000n, 0, "2.5M"],
  [7_123_456_789n, 0, "7.123B"],
  [10n ** 17n, 0, "100,000T"],
  [819_394n, 8, "0.008193"],
  [0n, 18, "0"],
])("%d at %i decimals is short as %j", (value, decimals, text) => {
  expect(shortAmount(value, decimals)).toBe(text);
});

describe("ratioText", () => {
  test.each([
    [1n, 3n, "0.333333"],
    [2n, 3n, "0.666667"],
    [3n, 1n, "3"],
    [1_234_567n, 1n, "1,234,567"],
    [999_999_999n, 1000n, "1,000,000"],
    [1n, 10n ** 20n, "0.00000000000000000001"],
    [0n, 7n, "0"],
  ])("%d / %d is %s", (n, d, text) => {
    expect(ratioText(n, d)).toBe(text);
  });
});

test("priceText weighs both decimals", () => {
  const ether = { amount: 2n * 10n ** 18n, decimals: 18 };
  const dollars = { amount: 7_024_160_000n, decimals: 6 };
  expect(priceText(ether, dollars)).toBe("3,512.08");
  expect(priceText(dollars, ether)).toBe("0.000284732");
});

test.each([
  [3_512_081_239n, 6, false, "3512.08123"],
  [3_512_081_239n, 6, true, "3512.08124"],
  [999_999_999_999n, 6, true, "1000000"],
  [1_000_000n, 6, true, "1"],
  [123_456_789_012n, 0, false, "123456789012"],
  [1n, 18, true, "0.000000000000000001"],
])("%s at %i decimals, rounded up: %s, is typed as %s", (value, decimals, up, text) => {
  expect(typedAmount(value, decimals, { up })).toBe(text);
});

test("dollars have their thousands apart", () => {
  expect(["0.15", "0.0012345", "999", "1000", "507218.0912", "1234567.8"].map(dollars)).toEqual([
    "$0.15",
    "$0.00123",
    "$999",
    "$1,000",
    "$507,218.09",
    "$1,234,567.8",
  ]);
});
