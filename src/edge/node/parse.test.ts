import { expect, test } from "vitest";
import { logs } from "./parse.ts";

const hash = (byte: string) => `0x${byte.repeat(32)}`;
const log = (logIndex: number, facts: object = {}) => ({
  ...{ address: `0x${"aa".repeat(20)}`, topics: [hash("01")], data: "0x05", transactionHash: hash("0c") },
  ...{ blockNumber: "0x7", blockHash: hash("0b"), logIndex: `0x${logIndex.toString(16)}`, removed: false },
  ...facts,
});

test("a log that a list holds twice is one log", () => {
  const read = logs([log(2), log(1), log(2), log(1), log(3)]);
  expect(read.map(({ logIndex }) => logIndex)).toEqual([1, 2, 3]);
});

test("logs that differ in anything are several, whatever their index is", () => {
  const list = [log(0), log(0, { transactionHash: hash("0d") }), log(0, { data: "0x06" }), log(1)];
  expect(logs(list)).toHaveLength(4);
});

test("a removed log does not hide the same log that was not removed", () => {
  expect(logs([log(0), log(0, { removed: true })])).toHaveLength(1);
  expect(logs([log(0, { removed: true })])).toHaveLength(0);
});
