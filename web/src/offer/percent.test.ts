import { expect, test } from "vitest";
import { bpsText, parseFee, parseSlippage, shareText } from "./percent.ts";

test.each([
  ["0.1", "1"],
  ["0.25", "2.5"],
  ["1", "10"],
  ["50", "500"],
  ["50.0000", "500"],
  [" 12.345 ", "123.45"],
])("%s %% is %s thousandths", (percent, text) => {
  expect(parseSlippage(percent)).toEqual({ kind: "permille", text });
});

test.each(["", "0", "0.05", "50.1", "100", "-1", "1,5", "1e1", "0.12345", "a"])(
  "%j is refused",
  (percent) => {
    expect(parseSlippage(percent)).toMatchObject({ kind: "bad" });
  },
);

test.each([
  ["", "0"],
  ["0", "0"],
  ["0.1", "1"],
  [" 1.50 ", "15"],
  [".5", "5"],
  ["50", "500"],
  ["50.1", undefined],
  ["0.05", undefined],
  ["-1", undefined],
  ["1e1", undefined],
  ["1,5", undefined],
])("a fee of %j %% is %j thousandths", (percent, permille) => {
  expect(parseFee(percent)).toBe(permille);
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
