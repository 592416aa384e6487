import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { wholePlan, writeGenesis } from "./build.ts";
import { ACCOUNTS, DEPLOYER, TRADER } from "./plan/addresses.ts";
import type { Rpc } from "./rpc.ts";
import { pauseAfterSave } from "./saving.ts";
import { saveState, thinned } from "./state.ts";

const block = (number: number) => ({ header: { number: `0x${number.toString(16)}` as const } });
const transaction = (block_number: number, from: `0x${string}`) => ({
  block_number,
  info: {
    from,
    traces: [
      { parent: null, children: [1] },
      { parent: 0, children: [] },
    ],
  },
});

test("a thin chain has the genesis, what users and the build did, and the recent past", () => {
  const chain = {
    best_block_number: 1000,
    blocks: Array.from({ length: 1001 }, (_, number) => block(number)),
    transactions: [
      transaction(2, DEPLOYER),
      transaction(10, TRADER),
      transaction(11, TRADER),
      transaction(11, ACCOUNTS[3]!),
      transaction(900, TRADER),
    ],
    accounts: { carried: "along" },
  };
  const thin = thinned(chain);
  const numbers = thin.blocks.map(({ header }) => Number(header.number));
  expect(numbers.slice(0, 4)).toEqual([0, 2, 11, 489]);
  expect(numbers.at(-1)).toBe(1000);
  expect(numbers).toHaveLength(3 + 512);
  expect(thin.transactions.map(({ block_number }) => block_number)).toEqual([2, 11, 11, 900]);
  expect(thin.transactions[0]?.info.traces).toEqual([{ parent: null, children: [] }]);
  expect(thin.accounts).toBe(chain.accounts);
});

test("a save that fails leaves no part of a file, which would hold the space of a full disk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "braid-state-"));
  try {
    // A folder in the place of the file cannot be replaced by one.
    mkdirSync(join(folder, "devnet.json"));
    const rpc = { call: async () => `0x${gzipSync("{}").toString("hex")}` } as unknown as Rpc;
    await expect(saveState(rpc, join(folder, "devnet.json"))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["devnet.json"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a save takes a fiftieth of the time, and one that took long puts off the next by five minutes at most", () => {
  expect([10, 2_000, 45_000].map(pauseAfterSave)).toEqual([60_000, 100_000, 300_000]);
});

test.runIf(existsSync("/dev/full"))(
  "a disk without room for the first block is named by its folder",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "braid-full-"));
    try {
      symlinkSync("/dev/full", join(folder, "genesis.json"));
      await expect(writeGenesis(await wholePlan(), 31_337, folder)).rejects.toThrow(
        `The devnet's first block cannot be written to ${join(folder, "genesis.json")}: ENOSPC`,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
