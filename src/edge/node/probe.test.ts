import pino from "pino";
import { expect, test, vi } from "vitest";
import type { Answer, Endpoint } from "./endpoint.ts";
import { newHealth } from "./health.ts";
import { startProbe } from "./probe.ts";
import { createSeals } from "./sealed/seal.ts";

/** Tests of a probe on a new endpoint; each answer of the endpoint is given when the test says so. */

const word = (k: number) => `0x${k.toString(16).padStart(64, "0")}` as const;
const block = (number: number) => ({
  ...{ number: `0x${number.toString(16)}`, hash: word(number + 1), parentHash: word(number) },
  ...{ timestamp: "0x65000000", baseFeePerGas: "0x1", gasUsed: "0x0", gasLimit: "0x1c9c380" },
  ...{ logsBloom: `0x${"00".repeat(256)}`, receiptsRoot: word(7) },
});

function met({ chainId = 1, pollMs = 60_000, onHead = (_head: number): void => undefined } = {}) {
  const over = new AbortController();
  const asked: string[] = [];
  const waiting = new Map<string, (result: unknown) => void>();
  const send = (requests: readonly { readonly method: string; readonly params: readonly unknown[] }[]) => {
    const [first] = requests;
    const name =
      requests.length > 1 ? "abilities" : `${first!.method} ${String(first!.params[0] ?? "")}`.trim();
    asked.push(name);
    return new Promise<Answer[]>((resolve) => {
      waiting.set(name, (result) => resolve(requests.map(() => ({ ok: true, result }))));
    });
  };
  const endpoint = { label: "node", pushes: false, isLocal: false, health: newHealth(), send };
  const told = { heads: [] as number[], router: 0, asked: 0, troubles: [] as string[] };
  const probe = startProbe(
    { ...endpoint, rate: () => undefined, batchSize: () => 100 } as unknown as Endpoint,
    {
      identity: { chainId, genesis: undefined },
      ...{ seals: createSeals(), pollMs, adapts: false, blockTimeMs: 12_000, attemptMs: 5_000 },
      ...{ signal: over.signal, log: pino({ level: "silent" }) },
      routerWatch: { seen: async () => void told.router++, trouble: () => undefined },
      onHead: ({ number }) => {
        told.heads.push(number);
        onHead(number);
      },
      onAsked: () => void told.asked++,
      onTrouble: (why) => void told.troubles.push(why),
    },
  );
  const answer = (name: string, result: unknown) => waiting.get(name)!(result);
  return { asked, told, answer, health: endpoint.health, end: () => Promise.all([over.abort(), probe.done]) };
}

const CHAIN_ID = "eth_chainId";
const FIRST = "eth_getBlockByNumber 0x0";
const NEWEST = "eth_getBlockByNumber latest";

test("chain id, genesis and head are asked for together, and the head is used only after the proof of the chain", async () => {
  const { asked, told, answer, end } = met();
  await vi.waitUntil(() => asked.length === 3);
  expect(asked.toSorted()).toEqual([CHAIN_ID, FIRST, NEWEST].toSorted());
  answer(NEWEST, block(100));
  answer(CHAIN_ID, "0x1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(told.heads).toEqual([]);
  answer(FIRST, block(0));
  await vi.waitUntil(() => told.heads.length > 0);
  expect(told.heads).toEqual([100]);
  answer("abilities", "0x");
  await end();
});

test("a head is reported before the abilities of the endpoint are known", async () => {
  const { asked, told, answer, end } = met();
  await vi.waitUntil(() => asked.length === 3);
  for (const [name, result] of [
    [CHAIN_ID, "0x1"],
    [FIRST, block(0)],
    [NEWEST, block(100)],
  ] as const)
    answer(name, result);
  await vi.waitUntil(() => asked.includes("abilities"));
  expect(told).toEqual({ heads: [100], router: 1, asked: 0, troubles: [] });
  answer("abilities", "0x");
  await vi.waitUntil(() => told.asked === 1);
  await end();
});

test("the head of another chain is not reported", async () => {
  const { asked, told, answer, health, end } = met({ chainId: 5 });
  await vi.waitUntil(() => asked.length === 3);
  answer(NEWEST, block(100));
  answer(CHAIN_ID, "0x1");
  answer(FIRST, null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(told.heads).toEqual([]);
  expect(told.troubles).toEqual(["is of another chain: chain id 1"]);
  expect(health.trouble).toBe("is of another chain: chain id 1");
  expect(asked).toHaveLength(3);
  await end();
});

test("a poll that fails by a bug is reported and polled again", async () => {
  const fail = (head: number) => {
    if (head === 100) throw new RangeError("Maximum call stack size exceeded");
  };
  const { asked, told, answer, health, end } = met({ pollMs: 5, onHead: fail });
  await vi.waitUntil(() => asked.length === 3);
  answer(CHAIN_ID, "0x1");
  answer(FIRST, block(0));
  answer(NEWEST, block(100));
  await vi.waitUntil(() => asked.length === 4);
  expect(health.trouble).toBe("has an answer that cannot be read");
  answer(NEWEST, block(101));
  await vi.waitUntil(() => asked.includes("abilities"));
  answer("abilities", "0x");
  await vi.waitUntil(() => asked.length === 6);
  expect([told.heads, health.trouble]).toEqual([[100, 101], undefined]);
  answer(NEWEST, block(101));
  await end();
});
