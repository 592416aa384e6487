import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Registry } from "../../src/core/protocol.ts";
import type { Hex } from "../../src/core/types.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { type FakeNode, startFakeNode } from "../chain/node/fake-node.ts";
import type { Fault } from "../chain/node/spoil.ts";
import { counter, counterChain } from "./counter.ts";
import { createFakeChain, type FakeChain, poolAddress } from "./fake-chain.ts";
import { silent } from "./follow.ts";

const POOL = poolAddress(0);
/** A deadline that no healthy node misses, however busy the machine is: for tests in which an answer must come. */
const PATIENT_MS = 30_000;
let chain: FakeChain;
const registryOfTokens = openTokenRegistry(undefined, silent);
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

async function node(of = chain, port = 0): Promise<FakeNode> {
  const started = await startFakeNode(of, { port });
  open.push(started);
  return started;
}

async function serve(
  endpoints: readonly string[],
  {
    pollMs = 20,
    readDeadlineMs = 600,
    ...facts
  }: { pollMs?: number; readDeadlineMs?: number; genesis?: Hex } = {},
): Promise<RunningChain> {
  const registry: Registry = new Map([["counter", counter()]]);
  const served = serveChain({
    chain: { ...counterChain(), ...facts },
    endpoints,
    registry,
    router: POOL,
    tokens: registryOfTokens,
    settings: {
      ...defaultEdgeSettings,
      pollMs,
      attemptMs: 300,
      readDeadlineMs,
      indexDeadlineMs: 2000,
      maxBytes: 1_000_000,
    },
    log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
  });
  open.push({ close: () => served.stop() });
  await served.start();
  return served;
}

async function until(met: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 12_000; tries++) {
    if (met()) return;
    await wait(10);
  }
  throw new Error(`it never happened: ${what}\n${lines.join("")}`);
}

const arrived = (served: RunningChain) => () => {
  const status = served.market.status();
  return status.phase === "live" && status.head.hash === chain.tip().hash;
};

function age(served: RunningChain): number {
  const status = served.market.status();
  return status.phase === "live" ? status.ageMs : Number.POSITIVE_INFINITY;
}

const value = (served: RunningChain) =>
  (served.market.view().get(POOL) as { value: bigint } | undefined)?.value;

const set = (amount: bigint) => chain.mine([{ kind: "set", pool: POOL, value: amount }]);

async function follows(served: RunningChain, amount: bigint): Promise<void> {
  set(amount);
  await until(arrived(served), `block with ${amount}`);
  expect(value(served)).toBe(amount);
}

test("a node over http is followed", async () => {
  const served = await serve([(await node()).url]);
  await served.ready;
  await follows(served, 6n);
  await follows(served, 7n);
});

test("a node over a websocket wakes the follower, whatever the poll timer says", async () => {
  const socket = await node();
  const served = await serve([socket.wsUrl], { pollMs: 60_000 });
  await served.ready;
  set(6n);
  socket.push();
  await until(arrived(served), "the pushed block");
  expect(value(served)).toBe(6n);
});

const faults: readonly Fault[] = [
  "http-500",
  "reset",
  "html",
  "429-text",
  "429-json",
  "limit-code",
  "hang",
  "garbage",
  "huge",
];

test.each(faults)("one of two nodes answers with %s: the other serves", async (fault) => {
  const bad = await node();
  const good = await node();
  const served = await serve([bad.url, good.url], { readDeadlineMs: PATIENT_MS });
  await served.ready;
  bad.fault = fault;
  for (let k = 10n; k < 14n; k++) await follows(served, k);
  expect(await served.node.getBalance(POOL)).toBe(7n * 10n ** 18n);
});

test.each(faults)(
  "the only node answers with %s: prices stay, age grows, and it is found again",
  async (fault) => {
    const only = await node();
    const served = await serve([only.url]);
    await served.ready;
    only.fault = fault;
    set(9n);
    await expect(served.node.getBalance(POOL)).rejects.toMatchObject({ reason: "STALE_STATE" });
    await until(() => age(served) > 300, "the age grows");
    expect(value(served)).toBe(5n);
    only.fault = "none";
    await until(arrived(served), "recovery");
    expect(value(served)).toBe(9n);
    await until(() => age(served) < 300, "the age is that of the last confirmation again");
  },
);

test("a node that is down at start is named and waited for", async () => {
  const placeholder = await startFakeNode(chain);
  const port = Number(new URL(placeholder.url).port);
  await placeholder.close();
  const served = await serve([`http://127.0.0.1:${port}`]);
  await until(() => lines.some((line) => line.includes("node does not answer")), "a log line");
  expect(served.market.status()).toMatchObject({ phase: "starting" });
  await node(chain, port);
  await served.ready;
  expect(value(served)).toBe(5n);
});

test("a node of another chain is asked for nothing but what says so, and said to be wrong", async () => {
  const foreign = createFakeChain({ chainId: 1 });
  for (let k = 0; k < 50; k++) foreign.mine();
  const wrong = await node(foreign);
  const served = await serve([wrong.url, (await node()).url]);
  await served.ready;
  await follows(served, 6n);
  expect([...wrong.asked.keys()].sort()).toEqual(["eth_chainId", "eth_getBlockByNumber"]);
  const said = lines.find((line) => line.includes("another chain"));
  expect(said).toContain('"why":"chain id 1"');
});

test("a node with the right chain id and another genesis is never followed", async () => {
  const foreign = createFakeChain({ startTime: 1_600_000_000 });
  for (let k = 0; k < 50; k++) foreign.mine();
  const right = await node();
  const wrong = await node(foreign);
  wrong.fault = "reset";
  const both = await serve([right.url, wrong.url]);
  await both.ready;
  wrong.fault = "none";
  await until(() => lines.some((line) => line.includes("another chain")), "the foreign node is named");
  const troubles = both.endpoints!().map(({ trouble }) => trouble);
  expect(troubles).toEqual([undefined, "is of another chain: another genesis"]);
  await follows(both, 6n);
});

test("where the genesis is known, the first node is not believed either", async () => {
  const foreign = createFakeChain({ startTime: 1_600_000_000 });
  for (let k = 0; k < 50; k++) foreign.mine();
  const wrong = await node(foreign);
  const served = await serve([wrong.url], { genesis: chain.at(0)!.hash });
  await until(() => lines.some((line) => line.includes("another chain")), "the foreign node is named");
  expect(served.market.status().phase).toBe("starting");
  expect([...wrong.asked.keys()].sort()).toEqual(["eth_chainId", "eth_getBlockByNumber"]);
  const right = await serve([(await node()).url], { genesis: chain.at(0)!.hash });
  await right.ready;
  await follows(right, 6n);
});

test("a node that lags is never chosen while another is fresh", async () => {
  for (let k = 0; k < 30; k++) chain.mine();
  const fresh = await node();
  const late = await node();
  late.lag = 20;
  const served = await serve([late.url, fresh.url]);
  await until(arrived(served), "the fresh head");
  for (let k = 10n; k < 20n; k++) await follows(served, k);
  late.asked.clear();
  for (let k = 0; k < 5; k++) await served.node.getBalance(POOL);
  expect(late.asked.has("eth_getBalance")).toBe(false);
});

test("when only a lagging node is left, the state does not go back, and its age says so", async () => {
  for (let k = 0; k < 30; k++) chain.mine();
  const fresh = await node();
  const late = await node();
  late.lag = 20;
  const served = await serve([late.url, fresh.url]);
  await until(arrived(served), "the fresh head");
  fresh.fault = "reset";
  await until(() => age(served) > 300, "the age grows");
  expect(served.market.status()).toMatchObject({ head: { number: chain.tip().number } });
  await expect(served.node.getBalance(POOL)).rejects.toMatchObject({ reason: "STALE_STATE" });
});

test("no logs where the bloom shows some is a fault: the other node is asked", async () => {
  const blind = await node();
  const served = await serve([blind.url, (await node()).url]);
  await served.ready;
  blind.fault = "empty-logs";
  for (let k = 10n; k < 20n; k++) await follows(served, k);
});

test("no logs where the bloom shows some, and nobody else to ask: the block waits", async () => {
  const blind = await node();
  const served = await serve([blind.url]);
  await served.ready;
  blind.fault = "empty-logs";
  set(8n);
  await wait(400);
  expect(value(served)).toBe(5n);
  expect(served.market.status()).toMatchObject({ head: { number: 2 } });
  blind.fault = "none";
  await until(arrived(served), "the logs are there");
  expect(value(served)).toBe(8n);
});

test("a websocket that is cut misses no block", async () => {
  const socket = await node();
  const served = await serve([socket.wsUrl]);
  await served.ready;
  socket.cut();
  chain.mine([{ kind: "move", pool: POOL, value: 1n }]);
  chain.mine([{ kind: "move", pool: POOL, value: 1n }]);
  await until(arrived(served), "the blocks of the gap");
  expect(value(served)).toBe(7n);
});

test.each(["http", "ws"] as const)(
  "a node over %s that comes back as one of another chain",
  async (scheme) => {
    const first = await startFakeNode(chain);
    const port = Number(new URL(first.url).port);
    const served = await serve([`${scheme}://127.0.0.1:${port}`]);
    await served.ready;
    await first.close();
    const foreign = createFakeChain({ chainId: 1, startTime: 1_600_000_000 });
    for (let k = 0; k < 50; k++) foreign.mine();
    const second = await node(foreign, port);
    await until(() => lines.some((line) => line.includes("another chain")), "the foreign node is named");
    expect(served.market.status()).toMatchObject({ head: { hash: chain.tip().hash } });
    expect(value(served)).toBe(5n);
    expect(second.asked.has("eth_getLogs")).toBe(false);
  },
);

test("a subscription that has fallen silent costs nothing but the poll interval", async () => {
  const socket = await node();
  socket.pushes = false;
  const served = await serve([socket.wsUrl]);
  await served.ready;
  await follows(served, 6n);
});

test("a node that takes no batches, no block hash in calls, and has no Multicall3", async () => {
  chain = createFakeChain({ multicall: false, takesHash: false });
  chain.mine([0, 1, 2].map((k) => ({ kind: "create", pool: poolAddress(k) }) as const));
  const plain = await node();
  plain.fault = "no-batch";
  const served = await serve([plain.url]);
  await served.ready;
  await follows(served, 6n);
  chain.rewind(1);
  chain.mine([{ kind: "change", pool: POOL, value: 12n }]);
  chain.mine();
  await until(arrived(served), "the other fork");
  expect(value(served)).toBe(12n);
});

test("reorgs of the same, a greater and a lower height", async () => {
  const served = await serve([(await node()).url]);
  await served.ready;
  for (let k = 10n; k < 16n; k++) await follows(served, k);
  chain.rewind(2);
  set(30n);
  set(31n);
  await until(arrived(served), "the same height");
  expect(value(served)).toBe(31n);
  chain.rewind(3);
  for (let k = 40n; k < 46n; k++) set(k);
  await until(arrived(served), "a greater height");
  expect(value(served)).toBe(45n);
  chain.rewind(4);
  set(50n);
  await until(arrived(served), "a lower height");
  expect(value(served)).toBe(50n);
});

test("whoever waits for a block hears of it, or of the time", async () => {
  const served = await serve([(await node()).url]);
  await served.ready;
  const next = served.market.waitFor(3, 5000);
  set(6n);
  expect(await next).toBe(true);
  expect(await served.market.waitFor(99, 30)).toBe(false);
});

test("no URL and no part of one is logged", async () => {
  const port = new URL((await node()).url).port;
  const served = await serve([`http://user:secret@127.0.0.1:${port}/v2/apikey123?token=hidden`]);
  await served.ready;
  expect(lines.join("")).not.toMatch(/secret|apikey123|hidden/);
});
