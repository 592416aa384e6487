/**
 * `npm run bench:copies`: private copies of a market against arrays that threads share, for ADR 0013. A thread of the service's own copy is
 * measured; of shared arrays what they would take: two versions of every typed array of the graph and of the packed states, of which
 * the writer brings the one that nobody reads up to date, and waits where somebody still reads it.
 *
 *   -- --pools 100000     pools of the seeded market
 *   -- --changes 1000     pools that a block changes
 *   -- --blocks 20        blocks
 *   -- --seconds 10       how long threads search for each interval of blocks
 */

import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readFlags, wholeNumber } from "../../scripts/command-line.ts";
import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import { allowedBy } from "../../src/core/allowance.ts";
import { encodePlain } from "../../src/core/codec.ts";
import { findRoute } from "../../src/core/routing/engine.ts";
import { emptyGraph } from "../../src/core/routing/market-graph/graph.ts";
import { patchGraph } from "../../src/core/routing/market-graph/update.ts";
import { emptyWorkspace } from "../../src/core/routing/workspace.ts";
import type { Head, Pool, StateId } from "../../src/core/types.ts";
import { createInProcessBus } from "../../src/edge/workers/in-process-bus.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { FindRequest } from "../../src/service/ports/ports.ts";
import { createMoves } from "../http/chain/moves.ts";
import { createMarkets } from "../http/markets.ts";
import { readMarket, readOrders } from "../routing/market/market.ts";
import { mean, quantileOf } from "../routing/report/statistics.ts";
import { table } from "../routing/report/table.ts";
import { arraysOf, bytesOf, changedFrom, copyInto, sharedCopies } from "./arrays.ts";
import type { FromReader, ReaderData, ToReader } from "./reader.ts";

const text = { type: "string" } as const;
const { values } = readFlags({
  options: {
    pools: { ...text, default: "100000" },
    changes: { ...text, default: "1000" },
    blocks: { ...text, default: "20" },
    seconds: { ...text, default: "10" },
  },
});
const numberOf = (key: keyof typeof values): number => wholeNumber(key, values[key], 1);
const [poolCount, changes, blocks, seconds] = [
  numberOf("pools"),
  numberOf("changes"),
  numberOf("blocks"),
  numberOf("seconds"),
];
const MB = 2 ** 20;
/** Milliseconds from block to block: of a chain, and of one whose blocks come as fast as any's. */
const INTERVALS_MS = [1_000, 250];
const READERS = 2;

const markets = createMarkets();
const files = markets.seeded(poolCount);
const source = readMarket([files.market]);
const orders = readOrders(files.orders);
markets.remove();
const chain = { ...ethereum, wrappedNative: source.native };
const requests: FindRequest[] = orders.map(({ tokenIn, tokenOut, amountIn }) => ({
  ...{ tokenIn, tokenOut, amount: BigInt(amountIn), side: "in", gasPriceWei: 5_000_000_000n },
  ...{
    allowed: { deployments: "all", avoided: [], vetted: "none" },
    maxHops: 4,
    maxLegs: 16,
    timeoutMs: 500,
  },
}));
const states = new Map<StateId, unknown>(source.states);
const view = { get: (id: StateId) => states.get(id) };
const move = createMoves(protocols, () => ({ get: (id) => source.states.get(id) }), source.at);

const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as const;
const headOf = (number: number): Head => ({
  ...{ number, hash: hash(number), parentHash: hash(number - 1) },
  timestamp: source.at.timestamp,
});
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const costOf = (work: () => void): number => {
  const before = cpuMs();
  work();
  return cpuMs() - before;
};

/** Threads with copies of their own, which follow the bus. */
const versions = new Int32Array(new SharedArrayBuffer(12));
const bus = createInProcessBus(chain.id, 1);
const taken: number[] = [];

function startReader() {
  const data: ReaderData = { chain, seq: 0, requests, versions };
  const worker = new Worker(new URL("./reader.ts", import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 48 },
  });
  const { promise: level, resolve } = Promise.withResolvers<void>();
  let isLevel = false;
  let onSearched: (ms: readonly number[]) => void = () => undefined;
  worker.on("error", (error) => {
    throw error;
  });
  worker.on("message", (message: FromReader) => {
    if (message.kind === "searched") onSearched(message.ms);
    else if (isLevel) taken.push(message.cpuMs);
    else if (message.isLevel) {
      isLevel = true;
      resolve();
    }
  });
  const send = (message: ToReader) => worker.postMessage(message);
  bus.follow((bytes, whole) => send({ kind: "state", bytes, isLevel: whole }));
  return {
    worker,
    level,
    search: (durationMs: number) =>
      new Promise<readonly number[]>((done) => {
        onSearched = done;
        send({ kind: "search", durationMs });
      }),
  };
}

const readers = Array.from({ length: READERS }, startReader);
const graph = emptyGraph(protocols, source.native);
patchGraph(graph, { pools: source.pools, removed: [] }, view, source.at);
const stateOf = (id: StateId) => states.get(id);
bus.publish({ head: headOf(1), reset: true, pools: source.pools, removed: [], stateOf });
await Promise.all(readers.map(({ level }) => level));

/** A run of pools, moved by small swaps. */
function nextBlock(number: number): readonly Pool[] {
  const pools = Array.from(
    { length: changes },
    (_, k) => source.pools[(number * changes + k) % source.pools.length]!,
  );
  for (const [id, state] of pools.flatMap(move)) states.set(id, state);
  return pools;
}

function find(request: FindRequest): void {
  const { allowed, ...query } = request;
  const allows = allowedBy(allowed, query, () => true);
  findRoute(graph, workspace, { ...query, allows, at: source.at, now: () => performance.now() });
}

const workspace = emptyWorkspace();
for (const request of requests.slice(0, 20)) find(request);
let back = sharedCopies(arraysOf(graph));
const writes = new Set<string>();
const cost = { patch: [] as number[], encode: [] as number[], copy: [] as number[] };
for (let block = 2; block < 2 + blocks; block++) {
  const pools = nextBlock(block);
  cost.patch.push(costOf(() => patchGraph(graph, { pools, removed: [] }, view, source.at)));
  cost.encode.push(
    costOf(() => bus.publish({ head: headOf(block), reset: false, pools, removed: [], stateOf })),
  );
  // What the first search after a block works out could be a part of the version.
  find(requests[(block - 1) % requests.length]!);
  const arrays = arraysOf(graph);
  cost.copy.push(
    costOf(() => {
      back = copyInto(back, arrays);
    }),
  );
  find(requests[block % requests.length]!);
  for (const path of changedFrom(back, arraysOf(graph))) writes.add(path);
  await setTimeout(50);
}
while (taken.length < READERS * blocks) await setTimeout(50);

/** How long the version that nobody begins with any more is read on, while threads search. */
async function waitsOf(intervalMs: number): Promise<{ waitsMs: number[]; searchesMs: number[] }> {
  const searched = readers.map(({ search }) => search(1_000 * seconds));
  const waitsMs: number[] = [];
  const endMs = performance.now() + 1_000 * seconds - intervalMs;
  while (performance.now() < endMs) {
    await setTimeout(intervalMs);
    const before = Atomics.load(versions, 0);
    const next = 1 - before;
    const asked = performance.now();
    while (Atomics.load(versions, 1 + next) > 0) await setTimeout(1);
    waitsMs.push(performance.now() - asked);
    Atomics.store(versions, 0, next);
  }
  return { waitsMs, searchesMs: (await Promise.all(searched)).flat() };
}

/** The first search of a thread is far from usual. */
const WARM_UP_MS = 2_000;
await Promise.all(readers.map(({ search }) => search(WARM_UP_MS)));

const figure = (value: number) => value.toFixed(1);
const spread = (ms: readonly number[]) =>
  [0.5, 0.99, 1].map((share) => figure(quantileOf(ms, share))).join(" / ");
const waits: string[][] = [];
let searches: readonly number[] = [];
for (const intervalMs of INTERVALS_MS) {
  const { waitsMs, searchesMs } = await waitsOf(intervalMs);
  waits.push([
    `a block waits for readers, blocks every ${intervalMs} ms, p50 / p99 / max ms`,
    "0",
    spread(waitsMs),
  ]);
  searches = searchesMs;
}
const heaps = await Promise.all(readers.map(({ worker }) => worker.getHeapStatistics()));
const graphMb = bytesOf(arraysOf(graph)) / MB;
const packedMb = [...states.values()].reduce<number>((sum, state) => sum + encodePlain(state).length, 0) / MB;
const copyMb = graphMb + packedMb;
const arrays = arraysOf(graph);
const writtenMb = bytesOf(new Map([...arrays].filter(([path]) => writes.has(path)))) / MB;
const [patchMs, encodeMs, copyMs, takeMs] = [cost.patch, cost.encode, cost.copy, taken].map((ms) =>
  mean(ms),
) as [number, number, number, number];
const memory = [1, 2, 8].map((threads) => [
  `arrays MB, main thread, ${threads} search and a spare`,
  figure(graphMb + (threads + 1) * copyMb),
  figure(2 * copyMb + (threads + 2) * writtenMb),
]);
for (const { worker } of readers) await worker.terminate();

console.log(
  table(
    [`seeded, ${poolCount} pools; blocks of ${changes}`, "private copies", "two shared versions"],
    [
      ...memory,
      [
        "objects MB a thread, which cannot be shared, garbage included",
        ...both(heaps[0]!.used_heap_size / MB),
      ],
      ["CPU ms a block, the writer", figure(patchMs + encodeMs), figure(patchMs + copyMs)],
      ["CPU ms a block, each thread", figure(takeMs), "0"],
      ...waits,
      ["a search, p50 / p99 / max ms", ...[spread(searches), spread(searches)]],
    ],
  ),
);
console.log(
  `A search itself writes to ${writes.size} of the graph's ${arrays.size} arrays, ${figure(writtenMb)} of ${figure(graphMb)} MB: every thread would need those for itself.`,
);

function both(value: number): [string, string] {
  return [figure(value), figure(value)];
}
