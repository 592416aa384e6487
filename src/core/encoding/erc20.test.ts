import { expect, test } from "vitest";
import { decodeUint, encodeAllowance, encodeApprove, encodeBalanceOf } from "./erc20.ts";

const A = "0x000000000000000000000000000000000000000a";
const B = "0x000000000000000000000000000000000000000b";
const word = (hex: string) => hex.padStart(64, "0");

test("the calls carry the standard's selectors and their arguments in order", () => {
  expect(encodeApprove(A, 255n)).toBe(`0x095ea7b3${word("a")}${word("ff")}`);
  expect(encodeAllowance(A, B)).toBe(`0xdd62ed3e${word("a")}${word("b")}`);
  expect(encodeBalanceOf(A)).toBe(`0x70a08231${word("a")}`);
});

test("an answer is read in full width, and no answer is refused", () => {
  expect(decodeUint(`0x${"f".repeat(64)}`)).toBe(2n ** 256n - 1n);
  expect(() => decodeUint("0x")).toThrow();
});
