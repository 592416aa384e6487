import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Protocol, Registry } from "../../../core/protocol.ts";
import type { Call, Head, Hex, Pool } from "../../../core/types.ts";
import type { Lens } from "../../lens/lens.ts";
import type { ChainReader } from "../../node/types.ts";
import { loadBulk } from "./load-bulk.ts";

test("the event loop is yielded while the ticks of many pools are decoded", async () => {
  const pools = Array.from({ length: 300 }, (_, k): Pool => {
    const id = `0x${k.toString(16).padStart(40, "0")}` as const;
    const shared = { protocol: "ticked", deployment: "ticked", facts: {} };
    return { id, address: id, tokens: [], stateIds: [id], ...shared };
  });
  let turns = 0;
  const seen = new Set<number>();
  const design = {
    bitmap: () => ({}),
    load() {
      seen.add(turns);
      throw new Error("a state that cannot be decoded");
    },
  } as unknown as Protocol;
  const lens = { isUsable: () => true, ticks: async (list: unknown[]) => list.map(() => []) };
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  const slots = await loadBulk(pools, { number: 1 } as Head, {
    registry: new Map([["ticked", design]]) as unknown as Registry,
    reader: {} as ChainReader,
    lens: lens as unknown as Lens,
  });
  isOver = true;
  await others;
  expect(slots.size).toBe(300);
  expect(seen.size).toBeGreaterThanOrEqual(300 / 50 - 1);
});

test("functions that write are called by the reader, all others by the lens, and answers keep their order", async () => {
  const to = "0x00000000000000000000000000000000000000aa";
  const calls = [0, 1, 2, 3].map((k): Call => {
    const call: Call = { to, data: `0x0${k}` };
    return k % 2 === 0 ? { ...call, mayWrite: true } : call;
  });
  const design = {
    bitmap: () => undefined,
    reads: (_pool: Pool, answers: readonly Hex[]) => (answers.length === 0 ? calls : []),
    load: (_pool: Pool, answers: readonly Hex[]) => ({ answers }),
  } as unknown as Protocol;
  const answering = (by: string) => async (asked: readonly Call[]) => asked.map(({ data }) => `${data}${by}`);
  const lens = { isUsable: () => true, read: answering("11") };
  const pool: Pool = {
    id: to,
    address: to,
    tokens: [],
    stateIds: [to],
    protocol: "p",
    deployment: "d",
    facts: {},
  };
  const slots = await loadBulk([pool], { number: 1 } as Head, {
    registry: new Map([["p", design]]) as unknown as Registry,
    reader: { read: answering("22") } as unknown as ChainReader,
    lens: lens as unknown as Lens,
  });
  expect(slots.get(to)).toEqual({ state: { answers: ["0x0022", "0x0111", "0x0222", "0x0311"] } });
});
