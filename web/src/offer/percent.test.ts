import { expect, test } from "vitest";
import { bpsText, parseFee, parseSlippage, percentText, shareText } from "./percent.ts";

test.each([
  ["0.1", "1"],
  ["0.25", "2.5"],
  ["1", "10"],
  ["50", "500"],
  ["50.0000", "500"],
  [" 12.345 ", "123.45"],
  [".5", "5"],
  ["1.", "10"],
  ["0,5", "5"],
  ["0,125", "1.25"],
  ["1,", "10"],
])("%s %% is %s thousandths", (percent, text) => {
  expect(parseSlippage(percent)).toEqual({ kind: "permille", text });
});

test.each([
  ["", "like 0.5"],
  ["0", "between 0.1 % and 50 %"],
  ["0.05", "between"],
  ["0,05", "between"],
  ["50.1", "between"],
  ["100", "between"],
  ["-1", "between"],
  ["0.12345", "at most 4 digits"],
  ["1,500", "two readings"],
  ["1.5.", "one dot"],
  ["1e1", "plain number"],
  ["a", "plain number"],
])("a slippage of %j is refused in words of what is wrong", (percent, words) => {
  expect(parseSlippage(percent)).toMatchObject({ kind: "bad", text: expect.stringContaining(words) });
});

test.each([
  ["", "0"],
  ["0", "0"],
  ["0.1", "1"],
  [" 1.50 ", "15"],
  [".5", "5"],
  ["1.", "10"],
  ["1,5", "15"],
  ["50", "500"],
])("a fee of %j %% is %j thousandths", (percent, text) => {
  expect(parseFee(percent)).toEqual({ kind: "permille", text });
});

test.each([
  ["50.1", "0 to 50 %"],
  ["0.05", "steps of 0.1 %"],
  ["-1", "0 to 50 %"],
  ["1,500", "two readings"],
  ["1e1", "plain number"],
])("a fee of %j is refused in words of what is wrong", (percent, words) => {
  expect(parseFee(percent)).toMatchObject({ kind: "bad", text: expect.stringContaining(words) });
});

test("every slippage that a service may suggest is read back as it was", () => {
  for (let tenths = 10; tenths <= 5000; tenths += 1)
    expect(parseSlippage(percentText(tenths / 10))).toEqual({ kind: "permille", text: String(tenths / 10) });
});

test.each([
  [1, "100 %"],
  [0.9996, "100 %"],
  [0.62, "62 %"],
  [0.0951, "9.5 %"],
  [0.01, "1 %"],
  [0.0002, "< 0.1 %"],
])("share %d is %j", (share, text) => {
  expect(shareText(share)).toBe(text);
});

test("basis points", () => {
  expect(bpsText(37)).toBe("0.37 %");
  expect(bpsText(0)).toBe("0.00 %");
});
