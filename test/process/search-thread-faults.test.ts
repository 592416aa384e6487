import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../support/stack.ts";
import type { ThreadFault } from "./thread-faults.ts";

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WORKERS = 2;
/** Search threads that there are at the start, the spare one too. */
const THREADS = WORKERS + 1;

let folder: string;
let stack: Stack;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "braid-threads-"));
  const preload = new URL("./thread-faults.ts", import.meta.url).href;
  stack = await startStack({
    ROUTE_WORKERS: String(WORKERS),
    LOG_LEVEL: "fatal",
    THREAD_FAULT: join(folder, "fault"),
    NODE_OPTIONS: `--import=${preload}`,
  });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Answer = { readonly status: number; readonly body: { block_number?: number; block_hash?: string } };
let asked = 0;

/** A price that nobody asked for before. */
async function price(more = ""): Promise<Answer> {
  const pair = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}`;
  const amount = 10n ** 18n + BigInt(++asked);
  const answer = await fetch(`${stack.url}/v1/31337/price?${pair}&amount=${amount}${more}`);
  return { status: answer.status, body: (await answer.json()) as Answer["body"] };
}

/** Lets one search thread fail, and waits until one has begun to. */
async function fail(fault: ThreadFault): Promise<void> {
  const path = join(folder, "fault");
  writeFileSync(`${path}.new`, fault);
  renameSync(`${path}.new`, path);
  while (existsSync(path)) await setTimeout(5);
}

/** The answer once a thread is there, and the statuses on the way. */
async function answered(): Promise<number[]> {
  const statuses: number[] = [];
  do {
    statuses.push((await price()).status);
    if (statuses.at(-1) !== 200) await setTimeout(100);
  } while (statuses.at(-1) !== 200);
  return statuses;
}

async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(stack.rpc, { method: "POST", headers, body });
  return ((await answer.json()) as { result: T }).result;
}

test.each(["ends", "throws"] as const)(
  "of more search threads than there were at the start each %s, and prices are answered",
  async (fault) => {
    for (let n = 0; n <= THREADS; n++) {
      await fail(fault);
      for (const status of await answered()) expect([200, 503]).toContain(status);
    }
  },
);

test("search threads that compute without an end cost 503 to who waits for them, and are replaced", async () => {
  for (let n = 0; n <= THREADS; n++) {
    await fail("loops");
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await price()).status));
    for (const status of statuses) expect([200, 503]).toContain(status);
    await answered();
  }
});

test("threads that are many blocks behind answer for the block that was asked for, and say which", async () => {
  const before = Number(await rpc("eth_blockNumber"));
  for (let n = 0; n < THREADS; n++) await fail("sleeps");
  for (let n = 0; n < 10; n++) await rpc("evm_mine");
  const answers = await Promise.all(Array.from({ length: 8 }, () => price(`&min_block=${before + 10}`)));
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { status, body } of answers) {
    expect([200, 503]).toContain(status);
    if (status !== 200) continue;
    expect(body.block_number).toBeGreaterThanOrEqual(before + 10);
    const block = await rpc<{ hash: string }>(
      "eth_getBlockByNumber",
      `0x${body.block_number!.toString(16)}`,
      false,
    );
    expect(body.block_hash).toBe(block.hash);
  }
});
