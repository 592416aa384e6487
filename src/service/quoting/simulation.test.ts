import { expect, test } from "vitest";
import { gasLimit, simulationFailed } from "./simulation.ts";

test.each([
  ["a small swap: 15 %", 100_001n, 115_002n],
  ["two ticks more", 500_000n, 562_000n],
  ["two ticks more of a large route", 1_000_000n, 1_062_000n],
  ["a very large route: 5 %", 2_000_001n, 2_100_002n],
])("%s", (_name, needed, limit) => {
  expect(gasLimit(needed)).toBe(limit);
});

test("a route whose gas does not depend on prices: 5 %", () => {
  expect(gasLimit(100_001n, true)).toBe(105_002n);
});

test.each([
  [false, /The allowance is 0 ONE, the swap takes 1 ONE\./, "allowance"],
  [true, /^[^.]*\. The signature must be takerAddress's, [^.]*\.$/, "permit_signature"],
])("the failure of a swap with a signature does not mention an allowance: %s", (isSigned, words, field) => {
  const token = { address: "0x01", symbol: "ONE", decimals: 0 } as const;
  const facts = { balance: 1n, allowance: 0n };
  const outcome = { kind: "reverted", data: "0x", facts, canPay: false, sameBlock: true } as const;
  const trial = { amountIn: 1n } as Parameters<typeof simulationFailed>[1];
  const failure = simulationFailed(outcome, trial, token as never, isSigned);
  expect(failure.message).toMatch(words);
  expect(failure.details.map((one) => one.field)).toEqual(["calldata", "balance", field]);
});
