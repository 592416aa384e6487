import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Pool } from "../../core/types.ts";
import { readSnapshot, writeSnapshot } from "./snapshot-lines.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-snapshot-"));
  path = join(folder, "pools.gz");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = { chainId: 1, genesis: `0x${"ab".repeat(32)}` } as const;
const HEAD = JSON.stringify({ format: "braid-pools-1", chainId: 1, genesis: key.genesis });
const address = (k: number) => `0x${k.toString(16).padStart(40, "0")}` as const;
const line = (k: number) => `uniswap-v2 ${address(k)} ${address(k + 1)} ${address(k + 2)}`;
const written = (...lines: readonly string[]) => writeFileSync(path, gzipSync(`${lines.join("\n")}\n`));

const pool = (k: number, tokens = 2): Pool => ({
  id: address(k),
  address: address(k),
  protocol: "uniswap-v2",
  deployment: "uniswap-v2",
  tokens: Array.from({ length: tokens }, (_, n) => address(k + n + 1)),
  stateIds: [address(k)],
  facts: { feePpm: 3000 },
});

test("what was exported is read; pools of three tokens are left to the backfill", async () => {
  expect(await writeSnapshot(path, key, [pool(1), pool(10, 3), pool(20)])).toBe(2);
  expect(await readSnapshot(path, key)).toEqual([line(1), line(20)]);
});

test("a file that is there is not overwritten", async () => {
  written(HEAD);
  await expect(writeSnapshot(path, key, [])).rejects.toThrow(/exist/);
});

test("a snapshot of another chain, history or format is refused by name", async () => {
  written(HEAD, line(1));
  await expect(readSnapshot(path, { ...key, chainId: 10 })).rejects.toThrow(/of chain 1, not 10/);
  await expect(readSnapshot(path, { ...key, genesis: "0xcd" })).rejects.toThrow(/began with block 0xabab/);
  written(line(1));
  await expect(readSnapshot(path, key)).rejects.toThrow(/line 1: not the head/);
  writeFileSync(path, "not gzipped");
  await expect(readSnapshot(path, key)).rejects.toThrow(/incorrect header/);
  writeFileSync(path, gzipSync(""));
  await expect(readSnapshot(path, key)).rejects.toThrow(/empty/);
});

test("a line with anything else in it, such as a state, is refused and named", async () => {
  const bad = [
    `${line(2)} 1000000`,
    `${line(2)} {"reserve0":"1"}`,
    line(2).toUpperCase(),
    "uniswap-v2 0x1 0x2 0x3",
    "../../etc/passwd",
    "",
  ];
  for (const one of bad) {
    written(HEAD, line(1), one, line(3));
    await expect(readSnapshot(path, key), one).rejects.toThrow(/line 3: not a record/);
  }
});

test("a file that is cut off, or unpacks to something endless, is refused", async () => {
  writeFileSync(path, gzipSync(`${HEAD}\n${line(1)}\n${line(2).slice(0, 40)}`));
  await expect(readSnapshot(path, key)).rejects.toThrow(/cut off/);
  const whole = gzipSync(`${HEAD}\n${line(1)}\n`);
  writeFileSync(path, whole.subarray(0, whole.length - 12));
  await expect(readSnapshot(path, key)).rejects.toThrow(/unexpected end/);
  // 200 MB of one letter compress to 200 kB.
  writeFileSync(path, Buffer.concat([gzipSync(`${HEAD}\n`), gzipSync(Buffer.alloc(200_000_000, 97))]));
  await expect(readSnapshot(path, key)).rejects.toThrow(/longer than 300/);
});
