import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Protocol, Registry } from "../../../core/protocol.ts";
import type { Head, Pool } from "../../../core/types.ts";
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
