import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { readPartial } from "./partial.ts";

/** Messages in the form of the sequencer's stream, with fields that the parser does not read. */

const RAW: readonly Hex[] = ["0x7e010203", "0x02ff"];
const [FIRST, SECOND] = RAW.map((bytes) => keccak256(bytes)) as [Hex, Hex];
const LOG = { address: `0x${"AA".repeat(20)}`, topics: [`0x${"a1".repeat(32)}`], data: "0x0102" };
const BASE = { parent_hash: `0x${"33".repeat(32)}`, block_number: "0x64", timestamp: "0x686d6600" };

const receipt = (logs: readonly unknown[]) => ({ status: "0x1", cumulativeGasUsed: "0x5208", logs });

function message(more: Record<string, unknown> = {}, receipts: Record<string, unknown> = {}) {
  const known = {
    [SECOND]: { type: "0x2", ...receipt([LOG]) },
    [FIRST]: { type: "0x7e", ...receipt([]), depositNonce: "0x7" },
  };
  return {
    ...{ payload_id: "0x0a0a0a0a0a0a0a0a", index: 0, base: BASE },
    diff: { state_root: `0x${"55".repeat(32)}`, gas_used: "0xc350", transactions: RAW, withdrawals: [] },
    metadata: { block_number: 100, new_account_balances: {}, receipts: { ...known, ...receipts } },
    ...more,
  };
}

const LOGS = [{ address: `0x${"aa".repeat(20)}`, topics: LOG.topics, data: LOG.data }];

test("logs come in the order of the block's transactions, whatever the order of the receipts", () => {
  expect(readPartial(JSON.stringify(message()))).toEqual({
    payloadId: "0x0a0a0a0a0a0a0a0a",
    index: 0,
    base: { parentHash: BASE.parent_hash, number: 100, timestamp: 1_752_000_000 },
    transactions: [
      { hash: FIRST, logs: [] },
      { hash: SECOND, logs: LOGS },
    ],
  });
});

test("a later piece has no base; receipts under their type's name, and a subscription's notice, say the same", () => {
  const later = message({ index: 3, base: undefined }, { [SECOND]: { Eip1559: receipt([LOG]) } });
  const notice = {
    jsonrpc: "2.0",
    method: "eth_subscription",
    params: { subscription: "0x1", result: later },
  };
  for (const form of [later, notice]) {
    const partial = readPartial(JSON.stringify(form));
    expect(partial).toMatchObject({ index: 3, base: undefined });
    expect(partial?.transactions?.[1]).toEqual({ hash: SECOND, logs: LOGS });
  }
});

test("a piece that does not show the logs of a transaction has none that could be used", () => {
  const hidden = [
    message({ metadata: { block_number: 100 } }),
    message({}, { [SECOND]: undefined }),
    message({}, { [SECOND]: { type: "0x2", ...receipt([{ ...LOG, topics: "none" }]) } }),
    message({ diff: { transactions: ["rubbish"] } }),
    message({ diff: {} }),
  ];
  for (const form of hidden) {
    const partial = readPartial(JSON.stringify(form));
    expect(partial).toBeDefined();
    expect(partial?.transactions).toBeUndefined();
  }
});

test("what is no piece of a block is none", () => {
  const others = [
    "",
    "[]",
    "null",
    '"text"',
    '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
    JSON.stringify(message({ index: -1 })),
    JSON.stringify(message({ index: "0" })),
    JSON.stringify(message({ payload_id: 7 })),
    JSON.stringify(message({ base: { ...BASE, parent_hash: "none" } })),
    JSON.stringify(message({ base: { ...BASE, block_number: "many" } })),
  ];
  for (const text of others) expect(readPartial(text), text).toBeUndefined();
});

test("a large message that is nested without end is none", () => {
  const text = JSON.stringify(message({ more: 0 })).replace(
    '"more":0',
    `"more":${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  );
  expect(readPartial(text)).toBeUndefined();
});
