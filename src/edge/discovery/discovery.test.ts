import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, type Chain, NATIVE, type Pool } from "../../core/types.ts";
import { type Devnet, startDevnet } from "../../devnet/index.ts";
import { protocols } from "../../protocols/index.ts";
import { type RunningChain, serveChain } from "../serve-chain.ts";
import { defaultEdgeSettings } from "../settings.ts";
import { openTokenRegistry, type TokenRegistry } from "../token-lists/registry.ts";

/** A chain that is discovered while it is served, beside the same chain built from its logs. */

const log = pino({ level: "silent" });
let devnet: Devnet;
let whole: RunningChain;
let tokens: TokenRegistry;
const running: RunningChain[] = [];

const settings = { ...defaultEdgeSettings, attemptMs: 20_000, indexDeadlineMs: 60_000 };
function serve(chain: Chain, registry = tokens): RunningChain {
  const parts = { registry: protocols, router: devnet.chain.wrappedNative, tokens: registry, settings, log };
  const served = serveChain({ chain, endpoints: [devnet.url], ...parts });
  running.push(served);
  void served.start();
  return served;
}

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 1_000, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  tokens = openTokenRegistry(undefined, log);
  whole = serve(devnet.chain);
  await whole.ready;
}, 120_000);
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  tokens?.close();
  await devnet?.stop();
});

/** Tokens by how many pools have them, the wrapped coin first. */
function busiest(): Address[] {
  const counts = new Map<Address, number>();
  for (const { tokens: of } of whole.pools())
    for (const token of of) counts.set(token, (counts.get(token) ?? 0) + 1);
  const order = [...counts.keys()].filter((token) => token !== NATIVE);
  const rank = (token: Address) =>
    token === devnet.chain.wrappedNative ? Number.POSITIVE_INFINITY : counts.get(token)!;
  return order.sort((a, b) => rank(b) - rank(a));
}

const hubbed = (count: number): Chain => ({ ...devnet.chain, hubs: busiest().slice(0, count) });
const live = (served: RunningChain) =>
  vi.waitUntil(() => served.market.status().phase === "live", { timeout: 60_000, interval: 50 });

/** A state without the time at which it was read. */
function timeless(state: unknown): string {
  return JSON.stringify(state, (key, value: unknown) => {
    if (key === "readAt") return undefined;
    return typeof value === "bigint" ? `${value}n` : value;
  });
}

function expectSameStates(served: RunningChain, pools: Iterable<Pool>): number {
  const [mine, theirs] = [served.market.view(), whole.market.view()];
  let count = 0;
  for (const { id, stateIds } of pools) {
    const [state, expected] = [mine.get(stateIds[0]), theirs.get(stateIds[0])];
    expect(timeless(state), id).toBe(timeless(expected));
    count++;
  }
  return count;
}

test("hubs are priced before anything else is known, with the states that the logs tell", async () => {
  const served = serve(hubbed(6));
  expect(served.market.status().phase).toBe("starting");
  await live(served);
  const hubs = new Set([...hubbed(6).hubs!, NATIVE]);
  const found = [...served.pools()];
  const pairs = found.filter(
    ({ tokens: of, protocol }) => of.every((token) => hubs.has(token)) && protocol.startsWith("uniswap"),
  );
  expect(new Set(pairs.map(({ protocol }) => protocol)).size).toBe(3);
  expect(expectSameStates(served, pairs)).toBeGreaterThan(5);
  expect(found.length).toBeLessThan([...whole.pools()].length);
}, 90_000);

test("a token that nobody asked for yet is found with its pools when it is priced", async () => {
  const served = serve(hubbed(3));
  await live(served);
  const unknown = busiest().filter((token) => !hubbed(3).hubs!.includes(token));
  const isFound = (token: Address) => [...served.pools()].some(({ tokens: of }) => of.includes(token));
  const target = unknown.find((token) => {
    const pools = [...whole.pools()].filter(({ tokens: of }) => of.includes(token));
    return (
      !isFound(token) &&
      pools.some(
        ({ protocol, tokens: of }) =>
          protocol.startsWith("uniswap-v") && of.includes(devnet.chain.wrappedNative),
      )
    );
  })!;
  expect(target).toBeDefined();
  const waits = served.discovery!.cover([devnet.chain.wrappedNative, target], 20_000);
  expect(await waits).toBeUndefined();
  expect(isFound(target)).toBe(true);
  expect(served.market.nativePer(target)).toBeGreaterThan(0);
  expect(tokens.port.get(devnet.chain.id, target)).toMatchObject({ address: target });
}, 90_000);

test("in the end every pool that a factory announced is known, the deep ones in the market", async () => {
  const served = serve(hubbed(4));
  await live(served);
  await vi.waitUntil(() => served.discovery!.coverage().phase === "complete", {
    timeout: 60_000,
    interval: 50,
  });
  const { pools } = served.discovery!.coverage();
  expect(pools).toBe([...whole.pools()].length);
  const hubs = new Set<Address>(hubbed(4).hubs);
  const besideHubs = [...whole.pools()].filter(
    ({ id, address, tokens: of }) => id === address && of.some((token) => hubs.has(token)),
  );
  const there = new Set([...served.pools()].map(({ id }) => id));
  const missing = besideHubs.filter(({ id }) => !there.has(id));
  expect(missing.length).toBeLessThan(besideHubs.length / 4);
  // States of other designs hold times of what was read.
  const plain = [...served.pools()].filter(({ protocol }) => protocol.startsWith("uniswap"));
  expect(expectSameStates(served, plain)).toBeGreaterThan(10);
}, 90_000);

test("what was found survives a restart, and blocks that went by meanwhile are read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "braid-discovery-"));
  const complete = (served: RunningChain) =>
    vi.waitUntil(() => served.discovery!.coverage().phase === "complete", { timeout: 60_000, interval: 50 });
  try {
    const kept = openTokenRegistry(folder, log);
    const first = serve(hubbed(4), kept);
    await complete(first);
    const known = first.discovery!.coverage().pools;
    const awake = new Set([...first.pools()].map(({ id }) => id));
    await first.stop();
    kept.close();

    const again = openTokenRegistry(folder, log);
    const key = { chainId: devnet.chain.id, genesis: (await genesis()) as `0x${string}` };
    expect([...again.poolStore!.pools(key)]).toHaveLength(known);
    expect(new Set(again.poolStore!.awake(key))).toEqual(awake);
    expect(again.poolStore!.note(key)).toMatchObject({ isDone: true });
    const second = serve(hubbed(2), again);
    await complete(second);
    expect(second.discovery!.coverage().pools).toBe(known);
    expect(new Set([...second.pools()].map(({ id }) => id))).toEqual(awake);
    await second.stop();
    again.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 90_000);

async function genesis(): Promise<string> {
  const body = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["0x0", false] };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(devnet.url, { method: "POST", headers, body: JSON.stringify(body) });
  return ((await answer.json()) as { result: { hash: string } }).result.hash;
}
