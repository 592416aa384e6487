import pino from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { Address, Pool } from "../../../core/types.ts";
import type { Saved } from "../../store/pool-messages.ts";
import type { PoolStore } from "../../store/pool-store.ts";
import { newCursor } from "../backfill.ts";
import { createCheckpoint } from "./checkpoint.ts";

afterEach(() => {
  vi.useRealTimers();
});

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const poolOf = (n: number): Pool => ({
  ...{ id: address(n), address: address(n), protocol: "p", deployment: "d" },
  ...{ tokens: [address(1), address(2)], stateIds: [address(n)], facts: {} },
});

test("after a failure of the disk what is new is collected for ten seconds, and then written together", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const written: Saved[] = [];
  let isFull = true;
  let tries = 0;
  const store = {
    open: async () => ({ hints: 0 }),
    save: async (saved: Saved) => {
      tries++;
      if (isFull) throw new Error("database or disk is full");
      written.push(saved);
    },
    close: async () => undefined,
  } as unknown as PoolStore;
  const key = () => ({ chainId: 1, genesis: "0x01" as const });
  const checkpoint = createCheckpoint({
    store,
    key,
    chain: { deployments: [] },
    log: pino({ level: "silent" }),
  });
  await checkpoint.open();
  const save = () =>
    checkpoint.save({
      ...{ cursor: newCursor(), newest: 1, states: [] },
      everything: () => ({ pools: [], awake: new Map() }),
    });
  for (let n = 3; n < 8; n++) {
    checkpoint.found(poolOf(n));
    await save();
  }
  expect(tries).toBe(1);
  isFull = false;
  vi.advanceTimersByTime(9_000);
  await save();
  expect(tries).toBe(1);
  vi.advanceTimersByTime(1_100);
  await save();
  expect(written.map(({ pools }) => pools.map(({ id }) => id))).toEqual([[3, 4, 5, 6, 7].map(address)]);
  await checkpoint.close();
});
