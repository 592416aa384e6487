import { expect, test } from "vitest";
import type { ServedChain, TrialTransaction } from "../ports/ports.ts";
import { gasLimit, simulationFailed, type Trial, tryOut } from "./simulation.ts";

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

test("a swap is simulated at the chain's high gas price, so that its tokens do not see a price of 0", async () => {
  const seen: TrialTransaction[] = [];
  const served = {
    router: `0x${"2".repeat(40)}`,
    gas: { levels: () => ({ high: { priceWei: 7n } }) },
    node: {
      simulate: async (transaction: TrialTransaction) => {
        seen.push(transaction);
        return { ok: true, data: `0x${"1".padStart(64, "0")}`, gasUsed: 1n };
      },
      call: async () => "0x",
    },
  } as unknown as ServedChain;
  const call = { to: "0x02", data: "0x03", value: 4n } as const;
  const taker = `0x${"1".repeat(40)}`;
  const trial = { call, taker, token: taker, amountIn: 1n, head: {}, isPreconfirmed: false };
  expect(await tryOut(served, trial as unknown as Trial)).toMatchObject({ kind: "ran", paid: 1n });
  expect(seen).toEqual([{ from: taker, ...call, gasPriceWei: 7n }]);
});
