import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { complete, live, startWorld, type World } from "../../../../test/support/discovered.ts";
import { decodePlain, encodePlain } from "../../../core/codec.ts";
import type { Pool } from "../../../core/types.ts";
import type { RunningChain } from "../../serve-chain.ts";
import { openPoolFile } from "../../store/pool-file.ts";
import { poolFilePath } from "../../store/pool-store.ts";
import { openTokenRegistry } from "../../token-lists/registry.ts";

/** What a second run does with the checkpoint of the first one. */

const silent = pino({ level: "silent" });
const ALL = { after: 0, count: 1_000_000 };
let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-restart-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Serves the chain on the folder until `work` is done. */
async function run<T>(hubs: number, work: (served: RunningChain) => Promise<T>, log = silent): Promise<T> {
  const tokens = openTokenRegistry(folder, silent);
  const served = world.serve(world.hubbed(hubs), tokens, log);
  try {
    return await work(served);
  } finally {
    await served.stop();
    tokens.close();
  }
}

const key = async () => ({ chainId: world.devnet.chain.id, genesis: await world.genesis() });
const path = () => poolFilePath(folder, world.devnet.chain.id);
const idsOf = (served: RunningChain) => new Set([...served.pools()].map(({ id }) => id));
const plain = (served: RunningChain) =>
  [...served.pools()].filter(({ protocol }) => protocol.startsWith("uniswap"));

/** Runs until the discovery is complete. @returns the number of known pools and the ids of those in the market */
function firstRun() {
  return run(4, async (served) => {
    await complete(served);
    return { known: served.discovery!.coverage().pools, awake: idsOf(served) };
  });
}

test("known pools and pools in the market survive a restart", async () => {
  const { known, awake } = await firstRun();
  const file = openPoolFile(path(), await key());
  expect(file.pools(ALL)).toHaveLength(known);
  const rows = file.awake(ALL);
  expect(new Set(rows.map(({ pool }) => (decodePlain(pool) as Pool).id))).toEqual(awake);
  expect(rows.filter(({ state }) => state === null)).toHaveLength(0);
  expect(decodePlain(file.opened.note!)).toMatchObject({ isDone: true });
  file.close();
  await run(2, async (served) => {
    await complete(served);
    expect(served.discovery!.coverage().pools).toBe(known);
    expect(idsOf(served)).toEqual(awake);
  });
}, 90_000);

test("a checkpoint is read before any node has answered, where the genesis hash is configured", async () => {
  const { known } = await firstRun();
  const silentNode = createServer(() => undefined);
  await new Promise<void>((resolve) => silentNode.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silentNode.address() as AddressInfo).port}`;
  const tokens = openTokenRegistry(folder, silent);
  const chain = { ...world.hubbed(4), genesis: await world.genesis() };
  const served = world.serve(chain, tokens, silent, url);
  await vi.waitUntil(() => served.discovery!.coverage().pools === known, { timeout: 30_000 });
  expect(served.market.status().phase).toBe("starting");
  expect(idsOf(served).size).toBe(0);
  await served.stop();
  tokens.close();
  silentNode.closeAllConnections();
  silentNode.close();
  // The checkpoint is undamaged.
  await run(4, async (again) => {
    await complete(again);
    expect(again.discovery!.coverage().pools).toBe(known);
  });
}, 90_000);

/** Replaces each state in the checkpoint by `change` of it. @returns the number of states */
async function forgeStates(change: (state: Record<string, unknown>) => Record<string, unknown>) {
  const file = openPoolFile(path(), await key());
  const awake = file.awake(ALL).map(({ pool, state, isAsked }) => ({
    id: (decodePlain(pool) as Pool).id,
    state: encodePlain(change(decodePlain(state!) as Record<string, unknown>)),
    isAsked,
  }));
  file.save({ pools: [], awake, asleep: [], note: file.opened.note!, hintsDone: 0 });
  file.close();
  return awake.length;
}

test("states of the last run are never in the market: at any time each pool there has been read again", async () => {
  await firstRun();
  const forged = await forgeStates((state) =>
    Object.fromEntries(
      Object.entries(state).map(([name, value]) => [
        name,
        typeof value === "bigint" ? value * 3n + 1n : value,
      ]),
    ),
  );
  expect(forged).toBeGreaterThan(20);
  await run(4, async (served) => {
    await live(served);
    let compared = world.sameStates(served, plain(served));
    while (served.discovery!.coverage().phase !== "complete") {
      await new Promise((resolve) => setTimeout(resolve, 5));
      compared += world.sameStates(served, plain(served));
    }
    expect(compared).toBeGreaterThan(20);
  });
}, 90_000);

test("a pair can be priced as soon as the pools of its routes are read again", async () => {
  await firstRun();
  const [a, b] = world.hubbed(6).hubs!.slice(4) as [`0x${string}`, `0x${string}`];
  await run(4, async (served) => {
    await live(served);
    expect(await served.discovery!.cover([a, b], 20_000, "caller")).toBeUndefined();
    const session = await served.market.session("caller", (one) =>
      one.find({
        ...{ tokenIn: a, tokenOut: b, amount: 10n ** 6n, side: "in", gasPriceWei: undefined },
        ...{ maxHops: 4, maxLegs: 16, timeoutMs: 1_000 },
        allowed: { deployments: "all", avoided: [], vetted: "none" },
      }),
    );
    expect(session.kind).toBe("found");
    world.sameStates(served, plain(served));
  });
}, 90_000);

test("states of another version, on which designs throw, do no harm", async () => {
  const { awake } = await firstRun();
  await forgeStates(() => ({ other: "shape" }));
  await run(4, async (served) => {
    await complete(served);
    expect(idsOf(served)).toEqual(awake);
    world.sameStates(served, plain(served));
  });
}, 90_000);

test("a damaged checkpoint is dropped with a log line, and everything is found and written again", async () => {
  const { known, awake } = await firstRun();
  for (const harm of [
    "UPDATE pools SET body = x'00' WHERE n = 9",
    "UPDATE awake SET state = x'00' WHERE n = 9",
  ]) {
    const database = new DatabaseSync(path());
    database.exec(harm);
    database.close();
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    await run(
      4,
      async (served) => {
        await complete(served);
        expect(served.discovery!.coverage().pools).toBe(known);
        expect(idsOf(served)).toEqual(awake);
      },
      log,
    );
    expect(lines.filter((line) => line.includes("the checkpoint was dropped"))).toHaveLength(1);
    const file = openPoolFile(path(), await key());
    expect(file.pools(ALL)).toHaveLength(known);
    expect(file.awake(ALL)).toHaveLength(awake.size);
    file.close();
  }
}, 120_000);

test("pools of a deployment record that changed are discovered again, all others are kept", async () => {
  const { known } = await firstRun();
  const [first] = world.whole.chain.deployments.filter(({ protocol }) => protocol === "uniswap-v2");
  const deployments = world.devnet.chain.deployments.map((one) =>
    one.id === first!.id ? { ...one, facts: { ...one.facts, feePpm: 2_500 } } : one,
  );
  const tokens = openTokenRegistry(folder, silent);
  const served = world.serve({ ...world.hubbed(4), deployments }, tokens);
  await complete(served);
  expect(served.discovery!.coverage().pools).toBe(known);
  const changed = [...served.pools()].filter(({ deployment }) => deployment === first!.id);
  expect(changed.length).toBeGreaterThan(3);
  for (const { facts } of changed) expect(facts.feePpm).toBe(2_500);
  await served.stop();
  tokens.close();
}, 90_000);

test("an imported snapshot is only a hint: real pools are found by it, forged ones are not", async () => {
  const real = [...world.whole.pools()].filter(
    ({ protocol, tokens }) => protocol === "uniswap-v2" && tokens.length === 2,
  );
  const told: string[] = [];
  const log = pino({ level: "info" }, { write: (one: string) => void told.push(one) });
  const forged = `0x${"66".repeat(20)}`;
  const [first, second, third] = real as [Pool, Pool, Pool];
  const lines = [
    ...real.map(({ deployment, id, tokens: [a, b] }) => `${deployment} ${id} ${a} ${b}`),
    // A contract that no factory created, a pool with the tokens of another, and a deployment record that does not
    // exist.
    `${first.deployment} ${forged} ${first.tokens[0]} ${first.tokens[1]}`,
    `${first.deployment} ${second.id} ${third.tokens[0]} ${third.tokens[1]}`,
    `no-such-record 0x${"77".repeat(20)} ${first.tokens[0]} ${first.tokens[1]}`,
  ];
  const file = openPoolFile(path(), await key());
  file.putHints(lines);
  file.close();
  await run(
    2,
    async (served) => {
      await complete(served);
      expect(idsOf(served)).not.toContain(forged);
    },
    log,
  );
  const checked = told.find((one) => one.includes("the imported snapshot was checked"))!;
  const { found, unknown } = JSON.parse(checked) as { found: number; unknown: number };
  expect(unknown).toBe(2);
  expect(found).toBeGreaterThan(real.length / 2);
  const after = openPoolFile(path(), await key());
  const kept = after.pools(ALL).map(({ body }) => decodePlain(body) as Pool);
  expect(after.opened.hints).toBe(0);
  after.close();
  const byId = new Map(kept.map((pool) => [pool.id, pool]));
  for (const pool of real) expect(byId.get(pool.id)).toEqual(pool);
  expect(byId.has(forged)).toBe(false);
}, 90_000);
