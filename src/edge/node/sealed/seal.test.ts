import { expect, test } from "vitest";
import { createChain, receiptsOf } from "../../../../test/chain/blocks/chain.ts";
import { presentHeader } from "../../../../test/chain/blocks/seal.ts";
import { listRoot as otherRoot } from "../../../../test/chain/blocks/trie.ts";
import type { Hex } from "../../../core/types.ts";
import { EMPTY_ROOT, listRoot } from "./list-root.ts";
import { createSeals } from "./seal.ts";

const chain = createChain({
  ...{ seed: 3, sizes: { v2: 300, v3: 100, v4: 50 }, built: 4, busyHistory: false },
});
const block = chain.head();
const shown = presentHeader(block, []) as Record<string, unknown>;
const receipts = receiptsOf(block).shown as readonly Record<string, unknown>[];

/**
 * Block 1 of Ethereum.
 * @source ethereum/go-ethereum core/types/block_test.go and the chain itself
 */
const FIRST = {
  parentHash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: "0x05a56e2d52c817161883f50c441c3228cfe54d9f",
  stateRoot: "0xd67e4d450343046425ae4271474353857ab860dbc0a1dde64b41b5cd3a532bf3",
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  logsBloom: `0x${"00".repeat(256)}`,
  difficulty: "0x3ff800000",
  number: "0x1",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x55ba4224",
  extraData: "0x476574682f76312e302e302f6c696e75782f676f312e342e32",
  mixHash: "0x969b900de27b6ac6a67742365dd65f55a0526c41fd18e1b16f1a1215c2e66f59",
  nonce: "0x539bd4979fef1ec4",
  hash: "0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6",
};

test("the header of a real block hashes to its hash", () => {
  expect(createSeals().header(FIRST)).toBe("fits");
});

test("a header fits its hash, and one that was changed differs once the form is known", () => {
  const seals = createSeals();
  const changed = { ...shown, receiptsRoot: EMPTY_ROOT };
  expect(seals.header(changed)).toBe("unknown");
  expect(seals.header(shown)).toBe("fits");
  for (const name of ["parentHash", "stateRoot", "receiptsRoot", "mixHash"])
    expect(seals.header({ ...shown, [name]: `0x${"11".repeat(32)}` })).toBe("differs");
  expect(seals.header({ ...shown, timestamp: "0x1" })).toBe("differs");
  expect(seals.header({ ...shown, logsBloom: `0x${"00".repeat(256)}` })).toBe("differs");
});

test("of forms without end the newest are remembered, and one that fits again is among them", () => {
  const seals = createSeals();
  const withFields = (from: number) => {
    for (let k = from; k < from + 60; k++)
      expect(seals.header({ ...shown, [`field${k}`]: "0x" })).toBe("fits");
  };
  const changed = { ...shown, timestamp: "0x1" };
  seals.header(shown);
  withFields(0);
  expect(seals.header(changed)).toBe("differs");
  expect(seals.header(shown)).toBe("fits");
  withFields(60);
  expect(seals.header(changed)).toBe("differs");
  withFields(120);
  expect(seals.header(changed)).toBe("unknown");
});

test("the verdict is unknown for a header whose set of fields has never fitted", () => {
  const seals = createSeals();
  seals.header(shown);
  expect(seals.header({ ...shown, timestamp: "0x1", ofALaterFork: "0x00" })).toBe("unknown");
  const { requestsHash: _left, ...without } = shown;
  expect(seals.header(without)).toBe("unknown");
});

test("receipts fit their root; with one missing, one changed or another order they differ", async () => {
  const seals = createSeals();
  expect(seals.provesReceipts()).toBe(false);
  expect(await seals.receipts(receipts, block.receiptsRoot)).toBe("fits");
  expect(seals.provesReceipts()).toBe(true);
  expect(await seals.receipts(receipts.slice(1), block.receiptsRoot)).toBe("differs");
  expect(await seals.receipts([], block.receiptsRoot)).toBe("differs");
  expect(await seals.receipts(receipts.toReversed(), block.receiptsRoot)).toBe("differs");
  const [first, ...rest] = receipts as [Record<string, unknown>, ...Record<string, unknown>[]];
  const [log, ...others] = first.logs as [{ data: Hex }, ...unknown[]];
  const forged = { ...first, logs: [{ ...log, data: `${log.data.slice(0, -2)}5a` }, ...others] };
  expect(await seals.receipts([forged, ...rest], block.receiptsRoot)).toBe("differs");
  expect(await seals.receipts([{ ...forged, type: "0x7f" }, ...rest], block.receiptsRoot)).toBe("unknown");
});

test("roots are computed one after another, so that blocks that arrive together do not add up to one long turn", async () => {
  const readOf: string[] = [];
  const spied = (name: string) =>
    new Proxy(receipts[0]!, {
      get: (receipt, key) => {
        if (readOf.at(-1) !== name) readOf.push(name);
        return receipt[key as string];
      },
    });
  // More receipts than are hashed in a turn.
  const blocks = ["first", "second"].map((name) => Array.from({ length: 200 }, () => spied(name)));
  const seals = createSeals();
  await Promise.all(blocks.map((list) => seals.receipts(list, block.receiptsRoot)));
  // The types of the first block's receipts are read once its root is known.
  expect(readOf).toEqual(["first", "second"]);
});

test.each([0, 1, 2, 16, 17, 55, 127, 128, 129, 255, 256, 257, 700])(
  "the root of %d items is that of another implementation",
  async (count) => {
    const items = Array.from({ length: count }, (_, k) =>
      Buffer.from(k.toString(16).padStart(2 + (k % 90) * 2, "0"), "hex"),
    );
    const root = await listRoot(items);
    expect(root).toBe(otherRoot(items.map((item): Hex => `0x${item.toString("hex")}`)));
  },
);
