import { expect, test } from "vitest";
import { type Question, readQuestion, writeQuestion } from "./permalink.ts";

const sell = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const buy = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

test("a link reads back as it was written", () => {
  const question = { chainId: 31337, sell, buy, amount: "1.5", slippage: "0.3" };
  expect(readQuestion(writeQuestion(question))).toEqual(question);
  expect(readQuestion(writeQuestion({}))).toEqual({});
  const bought = { ...question, side: "BUY" } as const;
  expect(readQuestion(writeQuestion(bought))).toEqual(bought);
  const grossOfGas = { ...question, withGas: false };
  expect(readQuestion(writeQuestion(grossOfGas))).toEqual(grossOfGas);
  expect(writeQuestion({ amount: "1", side: "SELL", withGas: true })).toBe("#amount=1");
});

test("a decimal comma survives a reload", () => {
  const typed = { amount: "1,5", slippage: "0,5" };
  expect(readQuestion(writeQuestion(typed))).toEqual(typed);
});

test("no link sets a fee or who gets it, and none is written", () => {
  const paid = { buyFee: "5", sellFee: "5", feeRecipient: sell };
  expect(readQuestion(`#amount=1&${new URLSearchParams(paid)}`)).toEqual({ amount: "1" });
  expect(writeQuestion({ amount: "1", ...paid } as Question)).toBe("#amount=1");
});

test("symbols are read as they stand", () => {
  expect(readQuestion("#sell=ETH&buy=USDC.e")).toEqual({ sell: "ETH", buy: "USDC.e" });
});

test("addresses are lower-cased", () => {
  expect(readQuestion("#buy=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")).toEqual({ buy });
});

test.each([
  "",
  "#",
  "#chain=-1&sell=%3Cb%3E&buy=a%20b&amount=<b>&slippage=-1",
  "#chain=1e9",
  "#side=HOLD",
  "#gas=on",
  "#%E0%A4%A",
])("%j asks nothing", (fragment) => {
  expect(readQuestion(fragment)).toEqual({});
});
