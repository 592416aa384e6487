import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Registry } from "../../src/core/protocol.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings, type EdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { type FakeNode, startFakeNode } from "../chain/node/fake-node.ts";
import { counter, counterChain } from "./counter.ts";
import { createFakeChain, type FakeChain, poolAddress } from "./fake-chain.ts";
import { silent } from "./follow.ts";

/** What a public endpoint does beside what its answers say. */

const POOL = poolAddress(0);
let chain: FakeChain;
let node: FakeNode;
let served: RunningChain;

beforeEach(async () => {
  chain = createFakeChain();
  chain.mine([{ kind: "create", pool: POOL }]);
  node = await startFakeNode(chain);
});

afterEach(async () => {
  await served.stop();
  await node.close();
});

async function serve(url: string, settings: Partial<EdgeSettings> = {}): Promise<void> {
  const registry: Registry = new Map([["counter", counter()]]);
  served = serveChain({
    chain: counterChain(),
    endpoints: [url],
    registry,
    router: POOL,
    tokens: openTokenRegistry(undefined, silent),
    settings: { ...defaultEdgeSettings, pollMs: 20, selfCheckBlocks: 0, ...settings },
    log: silent,
  });
  await served.start();
  await served.ready;
}

async function arrived(): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    const status = served.market.status();
    if (status.phase === "live" && status.head.hash === chain.tip().hash) return;
    await wait(10);
  }
  throw new Error("the newest block does not arrive");
}

async function follows(value: bigint, kind: "set" | "change"): Promise<void> {
  chain.mine([{ kind, pool: POOL, value }]);
  await arrived();
  expect(served.market.view().get(POOL)).toMatchObject({ value });
}

test("a pool that must be read is read by the machine behind the balancer that has the block", async () => {
  await serve(node.farUrl);
  node.balanced = [0, 1, 1];
  for (let value = 10n; value < 16n; value++) await follows(value, "change");
});

test("a websocket that stays open and falls silent is replaced by a new one", async () => {
  await serve(node.wsUrl, { attemptMs: 300 });
  await follows(10n, "set");
  node.freeze();
  await follows(11n, "set");
});
