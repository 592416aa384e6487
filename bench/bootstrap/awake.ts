import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import type { Registry } from "../../src/core/protocol.ts";
import { createEngine } from "../../src/core/routing/engine.ts";
import type { Address, Hex, Log, Pool } from "../../src/core/types.ts";
import { createAudit } from "../../src/edge/indexer/audit/audit.ts";
import { createRanks } from "../../src/edge/indexer/audit/ranks.ts";
import { createDispatch } from "../../src/edge/indexer/dispatch.ts";
import { createIndexer } from "../../src/edge/indexer/indexer.ts";
import type { Slot } from "../../src/edge/market/book.ts";
import { createMarket } from "../../src/edge/market/market.ts";
import { bloomOf } from "../../src/edge/node/logs/bloom.ts";
import type { ChainReader, Header } from "../../src/edge/node/types.ts";
import { followTokens } from "../../src/edge/token-lists/follow-tokens.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { syncLog } from "../../test/chain/blocks/events.ts";
import { mix, words } from "../../test/chain/model/hash.ts";
import type { Row } from "./rows.ts";

/** What a block costs the main thread while so many pools are in the market, whatever a node takes to answer. */

const BLOCKS = 40;
/** Pools that a block changes: some 150 transactions of a block of Ethereum swap, over a route of two pools. */
const CHANGED = 300;
const POOLS_AT_ONCE = 300;
const registry: Registry = protocols;
const log = pino({ level: "silent" });
const address = (kind: number, k: number): Address =>
  `0x${(kind * 2 ** 32 + k).toString(16).padStart(40, "0")}`;

/** Pairs of a token of their own with the wrapped coin. */
function pairOf(k: number): Pool {
  const id = address(2, k);
  const shared = { protocol: "uniswap-v2", deployment: "uniswap-v2", facts: { feePpm: 3000 } };
  const tokens = [address(1, k), ethereum.wrappedNative];
  return { id, address: id, tokens, stateIds: [id], ...shared };
}

const reservesOf = (k: number, block: number): [bigint, bigint] => [
  10n ** 21n + BigInt(mix(k, block)),
  10n ** 19n + BigInt(mix(block, k)),
];

/** A chain of headers, each with the logs of so many pairs. */
function chainOf(count: number) {
  const headers = new Map<Hex, { readonly header: Header; readonly logs: readonly Log[] }>();
  const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
  const mine = (number: number): Header => {
    const touched = Array.from({ length: number === 1 ? 0 : CHANGED }, (_, n) => mix(number, n) % count);
    const logs = [...new Set(touched)].map((k) => syncLog(address(2, k), reservesOf(k, number)));
    const header = {
      ...{ number, hash: hash(number), parentHash: hash(number - 1), timestamp: 1_700_000_000 + 12 * number },
      ...{
        logsBloom: bloomOf(logs),
        baseFeeWei: 1n,
        nextBaseFeeWei: 1n,
        receiptsRoot: undefined,
        isSealed: true,
      },
    };
    headers.set(header.hash, { header, logs });
    return header;
  };
  const reader: ChainReader = {
    headerByHash: async (of) => headers.get(of)?.header,
    headersByNumber: async () => [],
    logsOf: async (list) =>
      list.map(({ number, hash: of }) => ({
        logs: headers.get(of)!.logs.map((one, k) => ({ ...one, blockNumber: number, logIndex: k })),
        trust: "told" as const,
        disputed: [],
      })),
    async *logsIn() {},
    async *logsBefore() {},
    read: async (calls) => calls.map(() => words(18)),
  };
  return { mine, reader };
}

/** The parts of a served chain that follow a block, without a node. */
function open(count: number) {
  const { mine, reader } = chainOf(count);
  const isVetted = () => true;
  const market = createMarket({
    chain: ethereum,
    registry,
    engine: createEngine(registry, ethereum),
    isVetted,
    log,
  });
  const ranks = createRanks({ market, registry });
  let head = mine(1);
  const load = async (pools: readonly Pool[]) =>
    new Map(pools.map(({ id }): [string, Slot] => [id, market.book.slot(id)!]));
  const shared = { market, registry, reader, load, blockTimeMs: ethereum.blockTimeMs, log };
  const indexer = createIndexer({
    ...shared,
    dispatch: createDispatch(ethereum, registry, log),
    byDepth: ranks.sorted,
    heads: () => [{ label: "bench", head, highest: head.number, isBelieved: true, at: performance.now() }],
    distrust: () => undefined,
    disbelieve: () => undefined,
    onOpened: () => market.open(),
    onFound: () => undefined,
    lowerForkMs: 0,
  });
  const { unproven, reload, doubtLogs: onWrong } = indexer;
  const audit = createAudit({ ...shared, ranks, deepest: 1000, blocks: 32, unproven, reload, onWrong });
  const tokens = followTokens({
    ...{ chain: ethereum, market, reader, registry: openTokenRegistry(undefined, log), log },
    ...{ genesis: () => "0xaa" as const, listed: true, activeDepth: 1e18, rankMs: 600_000 },
  });
  const next = () => {
    head = mine(head.number + 1);
  };
  return { market, indexer, audit, tokens, next, head: () => head };
}

type Opened = ReturnType<typeof open>;

async function fill({ indexer, tokens, head }: Opened, count: number): Promise<void> {
  await indexer.step();
  for (let start = 0; start < count; start += POOLS_AT_ONCE) {
    const pools = Array.from({ length: Math.min(POOLS_AT_ONCE, count - start) }, (_, n) => pairOf(start + n));
    const slots = new Map(
      pools.map(({ id }, n): [string, Slot] => [
        id,
        { state: { reserves: reservesOf(start + n, 1), feePpm: 3000 } },
      ]),
    );
    const taken = indexer.adopt({ pools, slots, block: head() });
    await indexer.step();
    if (!(await taken)) throw new Error("pools were not taken");
  }
  await tokens.takeOver(head());
}

/** One line: the longest that anybody else had to wait, and the processor time of a block. */
export async function awakeRow(count: number): Promise<Row> {
  const opened = open(count);
  await fill(opened, count);
  const { market, indexer, audit, tokens, next, head } = opened;
  // The first audits work out depths for the first time.
  const stalls: number[] = [];
  let before = process.cpuUsage();
  for (let k = -32; k < BLOCKS; k++) {
    if (k === 0) {
      stalls.length = 0;
      before = process.cpuUsage();
    }
    next();
    const watch = turns(stalls);
    await indexer.step();
    await setImmediate();
    await tokens.takeOver(head());
    await setImmediate();
    // As where the logs of blocks are proven.
    if (k % 8 === 0) await audit(8);
    market.port.counts();
    await watch.end();
  }
  const used = process.cpuUsage(before);
  const each = (used.user + used.system) / 1000 / BLOCKS;
  const counted = market.port.counts().pools;
  if (counted !== count || market.head()?.hash !== head().hash)
    throw new Error(`${counted} pools are priced`);
  const longest = Math.max(...stalls);
  return {
    name: `a block with ${count.toLocaleString("en")} pools in the market`,
    bar: "no stall > 50 ms of CPU",
    measured: `longest turn ${longest.toFixed(0)} ms of CPU, ${each.toFixed(0)} ms a block, ${BLOCKS} blocks`,
    ok: longest <= 50,
  };
}

/** Notes the processor time between two turns of the event loop: what others wait for, whoever else loads the machine. */
function turns(stalls: number[]) {
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const start = process.cpuUsage();
      await setImmediate();
      const { user, system } = process.cpuUsage(start);
      stalls.push((user + system) / 1000);
    }
  })();
  return {
    end: () => {
      isOver = true;
      return loop;
    },
  };
}
