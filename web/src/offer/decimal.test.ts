import { describe, expect, test } from "vitest";
import { readDecimal } from "./decimal.ts";

describe("readDecimal", () => {
  test.each([
    ["1", "1", ""],
    [" 1.5 ", "1", "5"],
    ["1.", "1", ""],
    [".5", "", "5"],
    ["1,5", "1", "5"],
    ["0,5", "0", "5"],
    ["1,", "1", ""],
    [",5", "", "5"],
    ["1,2345", "1", "2345"],
    ["1000,5", "1000", "5"],
    ["0,125", "0", "125"],
    [",125", "", "125"],
    ["1,0000", "1", "0000"],
    ["1.000", "1", "000"],
    ["1,000.5", "1000", "5"],
    ["1,000.", "1000", ""],
    ["1,234,567.8", "1234567", "8"],
    ["1,234,567", "1234567", ""],
  ])("%j is %j and %j", (text, whole, fraction) => {
    expect(readDecimal(text)).toEqual({ kind: "decimal", whole, fraction });
  });

  test.each(["", "  "])("%j is empty", (text) => {
    expect(readDecimal(text)).toEqual({ kind: "empty" });
  });

  test("one comma before three digits has two readings, and either can be written", () => {
    const words = expect.stringContaining("write 1234 for the one, 1.234 or 1,2340 for the other");
    expect(readDecimal("1,234")).toMatchObject({ kind: "bad", text: words });
    expect(readDecimal("1234,567")).toMatchObject({ kind: "bad" });
  });

  test.each([
    "1,23.5",
    "1,000,00",
    "1,0000.5",
    "1000,000.5",
    "1,,5",
    "1.2.3",
    "1.000,5",
    "1 000",
    "1'000",
    ".",
    ",",
  ])("%j has separators in the wrong places", (text) => {
    expect(readDecimal(text)).toMatchObject({
      kind: "bad",
      text: expect.stringContaining("one dot or comma"),
    });
  });

  test.each(["1e18", "0x10", "abc", "+1", "-1", "١"])("%j is no plain number", (text) => {
    expect(readDecimal(text)).toMatchObject({ kind: "bad", text: expect.stringContaining("plain number") });
  });
});
