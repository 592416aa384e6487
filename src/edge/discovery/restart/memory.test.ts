import pino from "pino";
import { expect, test } from "vitest";
import { encodePlain } from "../../../core/codec.ts";
import type { Address, Pool } from "../../../core/types.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";
import { openMemory } from "./memory.ts";

const address = (k: number): Address => `0x${k.toString(16).padStart(40, "0")}`;
const [wrapped, token, other] = [1, 2, 3].map(address) as [Address, Address, Address];

function rowOf(n: number, tokens: readonly Address[]): AwakeRow {
  const id = address(100 + n);
  const shared = { protocol: "uniswap-v2", deployment: "uniswap-v2", facts: { feePpm: 3000 } };
  const pool: Pool = { id, address: id, tokens, stateIds: [id], ...shared };
  const state = { reserves: [10n ** 21n, 10n ** 21n], feePpm: 3000 };
  return { n, pool: encodePlain(pool), state: encodePlain(state), isAsked: false };
}

function opened() {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const over = new AbortController();
  const at = () => ({ blockNumber: 1, timestamp: 1_700_000_000 });
  const memory = openMemory({ chain: { wrappedNative: wrapped }, at, signal: over.signal, log });
  return { memory, over, lines };
}

test("the pools of a route over remembered pools are returned", async () => {
  const { memory } = opened();
  await memory.add([rowOf(1, [wrapped, token]), rowOf(2, [token, other])]);
  await memory.add([{ ...rowOf(3, [wrapped, other]), state: null }]);
  expect(memory.size()).toBe(3);
  expect(await memory.between(wrapped, other)).toEqual([address(101), address(102)]);
  expect(await memory.between(wrapped, address(4))).toEqual([]);
  memory.close();
  expect(await memory.between(wrapped, other)).toEqual([]);
}, 30_000);

test("records that cannot be decoded end the thread with one log line, and pending requests resolve", async () => {
  const { memory, lines } = opened();
  await memory.add([rowOf(1, [wrapped, token])]);
  const damaged = { ...rowOf(2, [token, other]), state: Uint8Array.from([0]) };
  await Promise.all([memory.add([damaged]), memory.between(wrapped, token)]);
  expect(await memory.between(wrapped, token)).toEqual([]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("the market of the last run cannot be searched");
}, 30_000);

test("a request that is pending when the chain is stopped gets an empty answer", async () => {
  const { memory, over, lines } = opened();
  await memory.add([rowOf(1, [wrapped, token])]);
  const asked = memory.between(wrapped, token);
  over.abort();
  expect(await asked).toEqual([]);
  expect(lines).toEqual([]);
}, 30_000);
