import type { Logger } from "pino";
import { chains } from "../chains/index.ts";
import { routerArtifact } from "../core/encoding/router-artifact.ts";
import type { Registry } from "../core/protocol.ts";
import { createEngine } from "../core/routing/engine.ts";
import type { Address, Chain, Head, Pool, StateId } from "../core/types.ts";
import { vetting } from "../core/vetted.ts";
import type { PoolCheckPort, ServedChain } from "../service/ports/ports.ts";
import { afterEachBlock } from "./after-block.ts";
import { createDiscovery, type Discovery } from "./discovery/discovery.ts";
import { discoveryPort } from "./discovery/port.ts";
import { reportProgress } from "./discovery/report.ts";
import { createCheckpoint } from "./discovery/restart/checkpoint.ts";
import { loadBulk } from "./discovery/waking/load-bulk.ts";
import { createPreview } from "./flashblocks/preview.ts";
import { openFlashblocks } from "./flashblocks/stream.ts";
import { createGasOracle, type GasOracle } from "./gas-oracle/gas-oracle.ts";
import { createRanks, type Ranks } from "./indexer/audit/ranks.ts";
import { createDispatch, type Dispatch } from "./indexer/dispatch.ts";
import { createIndexer, type Indexer } from "./indexer/indexer.ts";
import { createLens, type Lens, PATIENT, QUIET } from "./lens/lens.ts";
import { createOrderCheck } from "./makers/airswap/order-facts.ts";
import { createAskHead } from "./makers/ask-head.ts";
import { createSignatureCheck } from "./makers/contract-signature.ts";
import { createMakerDesk } from "./makers/desk.ts";
import { type MakerSettings, makerDeployment } from "./makers/makers-file.ts";
import type { Pusher } from "./makers/push/pusher.ts";
import type { MakerMemory } from "./makers/standing/memory.ts";
import type { Change, Slot } from "./market/book.ts";
import { createMarket, type Market, type MarketSearch } from "./market/market.ts";
import { type ChainNode, openNode } from "./node/node.ts";
import { createArchivePort } from "./node/ports/archive-port.ts";
import { createBodiesPort } from "./node/ports/bodies-port.ts";
import { createNodePort } from "./node/ports/node-port.ts";
import { isLoopback } from "./node/transport/loopback.ts";
import type { ChainReader } from "./node/types.ts";
import { createPoolCheck } from "./pool-check/pool-check.ts";
import { createProofPort } from "./proof/proof-port.ts";
import { type EdgeSettings, nodeSettings, pollMsOf } from "./settings.ts";
import type { PoolStore } from "./store/pool-store.ts";
import type { TokenRegistry } from "./token-lists/registry.ts";
import { engineBeside, openMarketSearch, prepareFor } from "./workers/market-search.ts";

type ServeRequest = {
  readonly chain: Chain;
  /** http(s) and ws(s) URLs of nodes of this chain. */
  readonly endpoints: readonly string[];
  readonly registry: Registry;
  readonly router: Address;
  /** Token lists of all chains, into which this chain puts its own. */
  readonly tokens: TokenRegistry;
  /** Makers of this chain that the operator allows; none unless given. */
  readonly makers?: readonly MakerSettings[];
  /** Persistent memory of makers; absent = a restart forgets it. */
  readonly makerMemory?: MakerMemory | undefined;
  /** WebSocket URL of a stream of partial blocks; absent = only sealed blocks are priced. */
  readonly flashblocksUrl?: string | undefined;
  readonly settings: EdgeSettings;
  readonly log: Logger;
};

export type RunningChain = ServedChain & {
  /** Starts to follow the chain. Never rejects: a node that is down is retried. */
  start(): Promise<void>;
  /** Resolves once the first state can be queried. */
  readonly ready: Promise<void>;
  /** Every pool that was discovered, priced or not. */
  pools(): Iterable<Pool>;
  /** Makers that push their levels. */
  readonly pushers: readonly Pusher[];
  /** Stops everything that runs for this chain. */
  stop(): Promise<void>;
};

/** Serves one chain: nodes → indexer → market, with gas prices from block to block. */
export function serveChain(given: ServeRequest): RunningChain {
  const request = { ...given, log: given.log.child({ chain: given.chain.id }) };
  const { chain, router, settings, log } = request;
  const { discovery, ...parts } = openParts(request);
  const { market, node, indexer, gas, search } = parts;
  const isVetted = vetting(chain, listedOf(request));
  const { ready, know } = afterEachBlock(request, { ...parts, load: loadToCompare(request, parts) });
  const port = discovery && discoveryPort(discovery, { market, node, know });
  const endReport = port === undefined ? () => undefined : reportProgress(port.coverage, log);
  const makers = makersOf(request, parts);
  const beside = [makers, flashblocksOf(request, parts)];
  return {
    discovery: port,
    chain: { ...chain, deployments: [...chain.deployments, ...(request.makers ?? []).map(makerDeployment)] },
    makers,
    pushers: makers?.pushers ?? [],
    router,
    routerTrouble: node.routerTrouble,
    market: market.port,
    node: createNodePort(node.rpc, settings.readDeadlineMs, chain.blockTimeMs),
    proof: createProofPort(node.rpc, chain),
    bodies: settings.readBlocks ? createBodiesPort(node.rpc) : undefined,
    archive: createArchivePort(node.rpc, { ...chain, ...settings, log }),
    gas,
    endpoints: node.endpoints,
    checks: checksOf(request, parts, isVetted),
    isVetted,
    ready: Promise.all([ready, node.asked, search?.threads.level]).then(() => undefined),
    pools: () => market.book.pools.values(),
    async start() {
      node.start();
      discovery?.start();
      void indexer.run();
      for (const one of beside) one?.start();
    },
    async stop() {
      endReport();
      const all = [...beside, indexer, node, discovery, search?.threads];
      await Promise.all(all.map((one) => one?.stop()));
    },
  };
}

/** Gas of one request that compares pools on nodes of this machine: a few milliseconds of their work, the most that a new block waits. */
const LOCAL_COMPARE_GAS = 2_000_000;

/**
 * The reader of pool states that are compared with the chain. Nobody waits for them, so they are read by one request after the other:
 * each is full, and there are fewer of them. Nodes of this machine do not count requests, so theirs are small. Requests stay large where
 * the newest logs are not proven: the comparison is what notices false logs then, and many small requests take several times as long.
 */
function loadToCompare(
  { endpoints, log }: ServeRequest,
  { node, registry, reader, indexer }: Parts,
): Parts["load"] {
  const pinned = node.pinned("normal");
  const whole = createLens(pinned, log, { lanes: 1 });
  const small = createLens(pinned, log, { lanes: 1, mostGas: LOCAL_COMPARE_GAS });
  const isLocal = endpoints.every(isLoopback);
  return (pools, block) => {
    const lens = isLocal && indexer.isProven() ? small : whole;
    return loadBulk(pools, block, { registry, reader, lens });
  };
}

/** The parts of one chain, joined and not yet running. */
function openParts(request: ServeRequest): Parts & { readonly discovery: Discovery | undefined } {
  const { chain, registry, settings, log } = request;
  const listed = listedOf(request);
  const isVetted = vetting(chain, listed);
  const search = openMarketSearch({ chain, listed, count: settings.searchThreads, log });
  const market = createMarket({
    ...{ chain, registry, isVetted, search, log },
    engine: engineBeside(search, createEngine(registry, chain, isVetted), log),
  });
  const node = nodeOf(request, market, () => indexer.wake());
  const dispatch = createDispatch(chain, registry, log);
  const ranks = createRanks({ market, registry });
  const lens = createLens(node.pinned("normal"), log);
  const { reader } = node;
  const indexing = {
    ...{ market, registry, reader, blockTimeMs: chain.blockTimeMs },
    load: (pools: readonly Pool[], block: Head) => loadBulk(pools, block, { registry, reader, lens }),
    byDepth: ranks.sorted,
    prepare: (change: Change) => prepareFor(search, change),
  };
  const discovery = openDiscovery(request, { ...indexing, dispatch, node, lens }, () => indexer);
  const indexer = createIndexer({
    ...{ ...indexing, dispatch },
    ...(discovery === undefined
      ? {}
      : { onOpened: discovery.opened, onFound: discovery.found, onTouched: discovery.touched }),
    heads: node.heads,
    distrust: node.distrust,
    disbelieve: node.disbelieve,
    lowerForkMs: 4 * pollMsOf(chain, settings),
    log,
  });
  return {
    ...{ ...indexing, dispatch },
    ranks,
    indexer,
    gas: createGasOracle({
      ...{ rpc: node.rpc, log, leastSeconds: chain.blockTimeMs < 1000 ? 3 : 0 },
      nextBaseFeeWei: ({ hash }) => node.heads().find(({ head }) => head.hash === hash)?.head.nextBaseFeeWei,
    }),
    node,
    discovery,
    search,
  };
}

function nodeOf(
  { chain, router, endpoints, settings, log }: ServeRequest,
  market: Market,
  onHead: () => void,
): ChainNode {
  return openNode({
    ...{ chainId: chain.id, genesis: chain.genesis, multicall: chain.multicall },
    router: { address: router, codeHash: routerArtifact.runtimeCodeHash },
    urls: endpoints,
    settings: nodeSettings(chain, settings, endpoints),
    ...{ log, onHead },
    onTrouble: (why) => market.head() === undefined && market.explain(why),
  });
}

function makersOf({ makers = [], makerMemory, log }: ServeRequest, { market, node }: Parts) {
  if (makers.length === 0) return undefined;
  const askHead = createAskHead(node.rpc, market.head);
  return createMakerDesk({
    ...{ makers, market, memory: makerMemory, log },
    checkSignature: createSignatureCheck(askHead),
    checkOrder: createOrderCheck(askHead),
    readChain: { head: market.head, read: node.reader.read },
    monotonicMs: () => performance.now(),
  });
}

function flashblocksOf({ flashblocksUrl: url, settings, log }: ServeRequest, parts: Parts) {
  if (url === undefined) return undefined;
  return openFlashblocks({ url, preview: createPreview(parts), maxBytes: settings.maxBytes, log });
}

/** Tokens of the shipped lists that live on this chain: none on a devnet, which may share its id with a real chain. */
function listedOf({ chain, tokens }: ServeRequest): Address[] {
  const listed = chains.includes(chain) ? tokens.lists.all(chain.id) : [];
  return listed.map(({ address }) => address);
}

function checksOf(
  { router, settings, log }: ServeRequest,
  parts: Parts,
  isVetted: (token: Address) => boolean,
): PoolCheckPort {
  const { rpc } = parts.node;
  const { reload } = parts.indexer;
  return createPoolCheck({
    ...parts,
    rpc,
    router,
    deadlineMs: settings.readDeadlineMs,
    isVetted,
    reload,
    log,
  });
}

type Parts = {
  readonly dispatch: Dispatch;
  readonly market: Market;
  readonly registry: Registry;
  readonly reader: ChainReader;
  readonly blockTimeMs: number;
  readonly load: (pools: readonly Pool[], block: Head) => Promise<Map<StateId, Slot>>;
  readonly ranks: Ranks;
  readonly indexer: Indexer;
  readonly gas: GasOracle;
  readonly node: ChainNode;
  readonly search: MarketSearch | undefined;
};

/** A pool enters the market from this share of `activeDepthNative` on. A lower share brings in more pools, at more reads and memory. */
const WAKE_SHARE = 0.3;

function isDiscovered(chain: Chain): chain is Chain & { readonly hubs: readonly Address[] } {
  return chain.hubs !== undefined;
}

type Seen = Pick<Parts, "market" | "registry" | "reader" | "node"> & {
  readonly dispatch: Dispatch;
  readonly lens: Lens;
};

/** @returns undefined for a chain that is built from its logs */
function openDiscovery(
  { chain, settings, tokens, log }: ServeRequest,
  { node, ...parts }: Seen,
  indexer: () => Indexer,
): Discovery | undefined {
  if (!isDiscovered(chain)) return undefined;
  return createDiscovery({
    ...{ ...parts, chain, log },
    checkpoint: tokens.openPools && checkpointOf(chain, tokens.openPools(), { node, log }),
    askedLens: createLens(node.pinned("asked"), log),
    patientLens: createLens(node.pinned("normal"), log, PATIENT),
    quietLens: createLens(node.pinned("background"), log, QUIET),
    listed: tokens.lists.all(chain.id).map(({ address }) => address),
    indexer: { adopt: (batch) => indexer().adopt(batch), release: (pools) => indexer().release(pools) },
    wakeDepth: settings.activeDepthNative * WAKE_SHARE * 10 ** chain.native.decimals,
  });
}

/** The checkpoint of the chain's pools, keyed by chain id and genesis hash as everything that outlives a run. */
function checkpointOf(chain: Chain, store: PoolStore, { node, log }: { node: ChainNode; log: Logger }) {
  const key = () => {
    const hash = node.genesis();
    return hash === undefined ? undefined : { chainId: chain.id, genesis: hash };
  };
  return createCheckpoint({ store, key, chain, log });
}
