import { fork } from "node:child_process";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { chains } from "../../src/chains/index.ts";
import { decodePlain } from "../../src/core/codec.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/router-artifact.ts";
import { createEngine } from "../../src/core/routing/engine.ts";
import type { Chain, Deployment, Head, Pool, StateId } from "../../src/core/types.ts";
import { elapsedMs } from "../../src/edge/elapsed.ts";
import type { Slot } from "../../src/edge/market/book.ts";
import { createMarket, type Market } from "../../src/edge/market/market.ts";
import { engineBeside, openMarketSearch, prepareFor } from "../../src/edge/workers/market-search.ts";
import { limitHeapGrowth } from "../../src/heap-growth.ts";
import { createApp } from "../../src/http/app.ts";
import { defaultHttpSettings } from "../../src/http/settings.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Deps, defaultServiceSettings } from "../../src/service/deps.ts";
import type { ListedToken, ServedChain } from "../../src/service/ports/ports.ts";
import { readMarket } from "../routing/market/market.ts";
import type { BlockStates } from "./chain/chain-process.ts";
import { createMoves, moveEverySecond } from "./chain/moves.ts";
import { collectAll, endFirstThread, memoryNow } from "./heaps.ts";
import { type Asked, lateness, ONE_PATH, type Reading } from "./reading.ts";

/**
 * Serves a market file over HTTP, in a process of its own: the service's market, search threads, use cases and HTTP, and no
 * node. Quotes, which ask a node, fail; prices do not ask one. Every second a block changes the states of some pools.
 *
 * Arguments: the market file, search threads, pools changed by a block. Tells its parent `{ url }` when it answers, and
 * then answers each `Asked`.
 */
const [file = "", workers = "0", changes = "0"] = process.argv.slice(2);

const BLOCK_MS = 1_000;
const ethereum = chains.find(({ id }) => id === 1)!;
const source = readMarket([file]);
const pools = source.pools.filter(({ protocol }) => protocols.has(protocol));
const chain: Chain = { ...ethereum, wrappedNative: source.native, deployments: deploymentsOf(pools) };
const log = pino({ level: "warn" }, pino.destination(2));
const listed = [...source.tokens.keys()];
const isVetted = () => true;
const search = openMarketSearch({ chain, listed, count: Number(workers), log });
const engine = engineBeside(search, createEngine(protocols, chain), log);
const market = createMarket({ chain, registry: protocols, engine, isVetted, search, log });

function deploymentsOf(all: readonly Pool[]): Deployment[] {
  const wrapped = ethereum.deployments.filter(({ protocol }) => protocol === "wrapped-native");
  const of = new Map(all.map(({ deployment, protocol }) => [deployment, protocol]));
  const made = [...of].map(([id, protocol]) => ({
    ...{ id, protocol, name: id, factory: source.native, fromBlock: 0, trusted: true, facts: {} },
    source: "the market file",
  }));
  return [...wrapped, ...made];
}

function headOf(number: number): Head {
  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as const;
  return { number, hash: hash(number), parentHash: hash(number - 1), timestamp: source.at.timestamp };
}

function commitFirst(into: Market): void {
  if (Number(changes) > 0)
    moveEverySecond(
      pools,
      createMoves(protocols, () => source.states, source.at),
      (id, state) => source.states.set(id, state),
    );
  const wrap = chain.deployments
    .filter(({ protocol }) => protocol === "wrapped-native")
    .flatMap((one) => protocols.get("wrapped-native")!.seeds({ ...one, factory: source.native }));
  const slots = new Map([...source.states].map(([id, state]) => [id, { state }] as const));
  for (const pool of wrap)
    slots.set(pool.id, { state: protocols.get("wrapped-native")!.load(pool, [], source.at) });
  const change = { head: headOf(1), reset: true, slots, removed: [], added: [...wrap, ...pools] };
  into.commit(change, { released: [], seenAt: elapsedMs() });
  // The market has them; the service keeps no second list of what it serves.
  source.states.clear();
  source.pools.length = 0;
  source.gas.clear();
  source.usd.clear();
}

const chainProcess = fork(
  fileURLToPath(new URL("chain/chain-process.ts", import.meta.url)),
  [file, changes],
  {
    serialization: "advanced",
  },
);
const committedMs: [number, number][] = [];
/** States that are read in one turn of the event loop, as an indexer reads logs. */
const READ_AT_ONCE = 50;

/** Commits as an indexer does: what a block changes is read and prepared in turns with requests. */
async function commitNext(number: number): Promise<void> {
  const told = once(chainProcess, "message");
  chainProcess.send(number);
  const [states] = (await told) as [BlockStates];
  const slots = new Map<StateId, Slot>();
  for (let k = 0; k < states.length; k += READ_AT_ONCE) {
    for (const [id, bytes] of states.slice(k, k + READ_AT_ONCE)) slots.set(id, { state: decodePlain(bytes) });
    await setImmediate();
  }
  const change = { head: headOf(number), reset: false, slots, removed: [], added: [] };
  await prepareFor(search, change);
  committedMs.push([number, Date.now()]);
  market.commit(change, { released: [], seenAt: elapsedMs() });
}

function tokenRows(): ReadonlyMap<string, ListedToken> {
  const rows = [...source.tokens.values()].map((token): [string, ListedToken] => [
    token.address,
    {
      ...{ ...token, chainId: 1, name: token.symbol, logoUri: "" },
      ...{ isActive: true, priority: 3, isRfq: false, isListed: true },
    },
  ]);
  return new Map(rows);
}

function servedChain(): ServedChain {
  const none = () => Promise.reject(new Error("no node is asked here"));
  const level = { priceWei: 5_000_000_000n, maxPriorityFeePerGasWei: 1n, maxFeePerGasWei: 10_000_000_000n };
  return {
    chain,
    router: ROUTER_ADDRESS,
    routerTrouble: () => undefined,
    market: market.port,
    node: { call: none, getBalance: none, simulate: none },
    archive: {
      read: none,
      tokenMetadata: none,
      transaction: none,
      answer: none,
      timeOf: none,
      account: none,
      run: none,
    },
    proof: { run: none, isContract: none, transferFeeBps: none },
    gas: { levels: () => ({ baseFeeWei: 5_000_000_000n, low: level, medium: level, high: level }) },
    checks: {
      report: () => undefined,
      counts: () => ({ sound: 0, wrong: 0, inconclusive: 0, unvetted: 0, dropped: 0 }),
    },
    isVetted,
  };
}

commitFirst(market);
limitHeapGrowth();
await search?.threads.level;
// What reading the market's file leaves behind is the bench's: the service reads pools one batch after the other.
await collectAll();
const rows = tokenRows();
const allRows = [...rows.values()];
const settings = { ...defaultServiceSettings };
const deps: Deps = {
  chains: new Map([[1, servedChain()]]),
  tokens: { get: (_, address) => rows.get(address), all: () => allRows },
  registry: protocols,
  unixSeconds: () => Math.floor(Date.now() / 1000),
  monotonicMs: () => performance.now(),
  pause: () => setImmediate(),
  settings,
};
/** All clients of the load are let in: what is measured is how they wait for each other. */
const http = {
  ...defaultHttpSettings,
  rateLimitPerMinute: 0,
  maxConcurrent: 256,
  maxStreamsPerCaller: defaultHttpSettings.maxStreams,
};
const { app } = await createApp({ deps, log, settings: http, version: "bench", pageRoot: undefined });
const url = await app.listen({ port: 0, host: "127.0.0.1" });

let number = 1;
let isResting = false;
/** Whether the last block is still being read: on a busy machine the next one comes later. */
let isCommitting = false;
setInterval(async () => {
  if (isResting || isCommitting) return;
  isCommitting = true;
  await commitNext(++number);
  isCommitting = false;
}, BLOCK_MS);
const SAMPLED_EACH_MS = 1;
const delay = monitorEventLoopDelay({ resolution: SAMPLED_EACH_MS });
delay.enable();

function readingNow(): Reading {
  const main = process.threadCpuUsage();
  const reading: Reading = {
    cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
    mainCpuMs: (main.user + main.system) / 1000,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    delayP99Ms: lateness(delay.percentile(99) / 1e6, SAMPLED_EACH_MS),
    delayMaxMs: lateness(delay.max / 1e6, SAMPLED_EACH_MS),
    blocks: committedMs.splice(0),
  };
  delay.reset();
  return reading;
}

const answers: Readonly<Record<Asked, () => unknown>> = {
  reading: readingNow,
  memory: memoryNow,
  collected: async () => {
    await collectAll();
    return memoryNow();
  },
  rest: () => {
    isResting = true;
    return {};
  },
  work: () => {
    isResting = false;
    return {};
  },
  "end a thread": () => ({ atMs: endFirstThread() }),
  "one path": () => Object.assign(settings, ONE_PATH),
  "all paths": () => Object.assign(settings, defaultServiceSettings),
};
process.on("message", async (asked: Asked) => process.send?.(await answers[asked]()));
process.on("disconnect", () => process.exit(0));
process.send?.({ url, pools: pools.length });
