import { expect, test } from "vitest";
import { canonical, headerHash, type SavedHeader } from "./canonical.ts";

const zero = `0x${"0".repeat(64)}` as const;

function header(changes: Partial<SavedHeader>): SavedHeader {
  return {
    parentHash: zero,
    sha3Uncles: zero,
    miner: "0x0000000000000000000000000000000000000000",
    stateRoot: zero,
    transactionsRoot: zero,
    receiptsRoot: zero,
    logsBloom: "0x",
    difficulty: "0x0",
    number: "0x0",
    gasLimit: "0x2255100",
    gasUsed: "0x0",
    timestamp: "0x1",
    extraData: "0x",
    mixHash: zero,
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x3b9aca00",
    withdrawalsRoot: zero,
    blobGasUsed: "0x0",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: zero,
    requestsHash: zero,
    ...changes,
  };
}

const genesis = header({});
const first = header({ number: "0x1", parentHash: headerHash(genesis) });
const stranger = header({ timestamp: "0x2" });

test.each([
  ["a genesis of another chain", [stranger, genesis, first]],
  ["a genesis of another chain, in another order", [first, genesis, stranger]],
])("leaves out %s", (_, headers) => {
  const blocks = headers.map((one) => ({ header: one }));
  expect(canonical(blocks).map((block) => block.header)).toEqual([first, genesis]);
});

test("a block that cannot be told from another is an error", () => {
  const blocks = [stranger, header({ timestamp: "0x3" }), first].map((one) => ({ header: one }));
  expect(() => canonical(blocks)).toThrow(/Block 0/);
});
