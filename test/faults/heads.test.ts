import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Registry } from "../../src/core/protocol.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { startFakeNode } from "../chain/node/fake-node.ts";
import { counter, counterChain } from "./counter.ts";
import { createFakeChain, type FakeChain, poolAddress } from "./fake-chain.ts";
import { silent } from "./follow.ts";

/** Endpoints whose newest block is not what they say, beside others or alone. */

const POOL = poolAddress(0);
let chain: FakeChain;
let open: { close(): Promise<void> }[] = [];
let lines: string[] = [];

beforeEach(() => {
  chain = createFakeChain();
  chain.mine([{ kind: "create", pool: POOL }]);
  chain.mine([{ kind: "set", pool: POOL, value: 5n }]);
  lines = [];
});

afterEach(async () => {
  for (const one of open.reverse()) await one.close();
  open = [];
});

/** What an endpoint makes of the newest header. */
type Bending = { bend: (newest: Record<string, unknown>) => Record<string, unknown> };

const honest: Bending["bend"] = (newest) => newest;

async function node(of = chain): Promise<Bending & { readonly url: string }> {
  const bending: Bending = { bend: honest };
  const started = await startFakeNode({
    ...of,
    answer(method, params, head) {
      const answer = of.answer(method, params, head);
      const isNewest = method === "eth_getBlockByNumber" && params[0] === "latest";
      return isNewest ? bending.bend(answer as Record<string, unknown>) : answer;
    },
  });
  open.push(started);
  return Object.assign(bending, { url: started.url });
}

async function serve(endpoints: readonly string[]): Promise<RunningChain> {
  const registry: Registry = new Map([["counter", counter()]]);
  const served = serveChain({
    ...{ chain: counterChain(), endpoints, registry, router: POOL },
    tokens: openTokenRegistry(undefined, silent),
    settings: {
      ...{ ...defaultEdgeSettings, pollMs: 20, attemptMs: 300, readDeadlineMs: 30_000 },
      ...{ indexDeadlineMs: 2000, selfCheckBlocks: 0 },
    },
    log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
  });
  open.push({ close: () => served.stop() });
  await served.start();
  return served;
}

async function until(met: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if (met()) return;
    await wait(10);
  }
  throw new Error(`it never happened: ${what}\n${lines.slice(-10).join("")}`);
}

async function follows(served: RunningChain, value: bigint): Promise<void> {
  chain.mine([{ kind: "set", pool: POOL, value }]);
  await until(() => {
    const status = served.market.status();
    return status.phase === "live" && status.head.hash === chain.tip().hash;
  }, `the block with ${value}`);
  expect(served.market.view().get(POOL)).toMatchObject({ value });
}

test.each([2, 20, 10 ** 9, 2 ** 53 - 1_000])(
  "one of two endpoints names a block %i ahead that it does not know: the other is followed",
  async (ahead) => {
    const good = await node();
    const bad = await node();
    const served = await serve([bad.url, good.url]);
    await served.ready;
    await follows(served, 6n);
    bad.bend = (newest) => ({
      ...newest,
      number: `0x${(Number(newest.number) + ahead).toString(16)}`,
      hash: `0x${"ab".repeat(32)}`,
      parentHash: `0x${"aa".repeat(32)}`,
    });
    for (let value = 10n; value < 14n; value++) await follows(served, value);
    expect(await served.node.getBalance(POOL)).toBe(7n * 10n ** 18n);
    expect(served.endpoints!().map(({ doubt }) => doubt)).toEqual([
      "its newest block cannot be followed",
      undefined,
    ]);
    bad.bend = honest;
    await follows(served, 20n);
  },
);
