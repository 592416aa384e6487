import type { Logger } from "pino";
import { chains } from "../chains/index.ts";
import { routerArtifact } from "../core/encoding/router-artifact.ts";
import type { Registry } from "../core/protocol.ts";
import { createEngine } from "../core/routing/index.ts";
import type { Address, Chain, Head, Pool } from "../core/types.ts";
import { vetting } from "../core/vetted.ts";
import type { PoolCheckPort, ServedChain } from "../service/ports.ts";
import { createGasOracle, type GasOracle } from "./gas-oracle/gas-oracle.ts";
import { createDispatch } from "./indexer/dispatch.ts";
import { createIndexer, type Indexer } from "./indexer/indexer.ts";
import { createSelfCheck } from "./indexer/self-check.ts";
import { latestOnly } from "./latest-only.ts";
import { createMarket, type Market } from "./market/market.ts";
import { createArchivePort } from "./node/archive-port.ts";
import { type ChainNode, openNode } from "./node/node.ts";
import { createNodePort } from "./node/node-port.ts";
import type { ChainReader } from "./node/types.ts";
import { createPoolCheck } from "./pool-check/pool-check.ts";
import { type EdgeSettings, nodeSettings, pollMsOf } from "./settings.ts";
import { followTokens } from "./token-lists/follow-tokens.ts";
import type { TokenRegistry } from "./token-lists/registry.ts";

type ServeRequest = {
  readonly chain: Chain;
  /** http(s) and ws(s) URLs of nodes of this chain. */
  readonly endpoints: readonly string[];
  readonly registry: Registry;
  readonly router: Address;
  /** Tokens of all chains: this one puts its own there. */
  readonly tokens: TokenRegistry;
  readonly settings: EdgeSettings;
  readonly log: Logger;
};

export type RunningChain = ServedChain & {
  /** Begins to follow the chain. Never rejects: a node that is down is retried. */
  start(): Promise<void>;
  /** Resolves once the first state can be queried. */
  readonly ready: Promise<void>;
  /** Every pool that was discovered, priced or not. */
  pools(): Iterable<Pool>;
  /** Ends everything that runs for this chain. */
  stop(): Promise<void>;
};

/** Serves one chain: nodes → indexer → market, with gas prices from block to block. */
export function serveChain(request: ServeRequest): RunningChain {
  const { chain, registry, router, settings } = request;
  const log = request.log.child({ chain: chain.id });
  const market = createMarket({ chain, registry, engine: createEngine(registry, chain), log });
  const node = openNode({
    chainId: chain.id,
    genesis: chain.genesis,
    multicall: chain.multicall,
    router: { address: router, codeHash: routerArtifact.runtimeCodeHash },
    urls: request.endpoints,
    settings: nodeSettings(chain, settings),
    log,
    onHead: () => indexer.wake(),
  });
  const indexing = { market, registry, reader: node.reader, blockTimeMs: chain.blockTimeMs };
  const indexer = createIndexer({
    ...indexing,
    dispatch: createDispatch(chain, registry, log),
    heads: node.heads,
    distrust: node.distrust,
    lowerForkMs: 4 * pollMsOf(chain, settings),
    log,
  });
  const gas = createGasOracle(node.rpc, log);
  const isVetted = vettingOf(request);
  const parts = { ...indexing, indexer, gas, node };
  const ready = afterEachBlock({ ...request, log }, parts);
  return {
    chain,
    router,
    routerTrouble: node.routerTrouble,
    market: market.port,
    node: createNodePort(node.rpc, settings.readDeadlineMs, chain.blockTimeMs),
    archive: createArchivePort(node.rpc, { ...chain, ...settings, log }),
    gas,
    checks: checksOf({ ...request, log }, parts, isVetted),
    isVetted,
    ready,
    pools: () => market.book.pools.values(),
    async start() {
      node.start();
      void indexer.run();
    },
    async stop() {
      await Promise.all([indexer.stop(), node.stop()]);
    },
  };
}

/** The shipped lists speak of real chains: a devnet may have the id of one, and brings its own tokens. */
function vettingOf({ chain, tokens }: ServeRequest): (token: Address) => boolean {
  const listed = chains.includes(chain) ? tokens.lists.all(chain.id) : [];
  return vetting(
    chain,
    listed.map(({ address }) => address),
  );
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
  readonly market: Market;
  readonly registry: Registry;
  readonly reader: ChainReader;
  readonly blockTimeMs: number;
  readonly indexer: Indexer;
  readonly gas: GasOracle;
  readonly node: ChainNode;
};

/** What follows the market, in the background. @returns once the first state and its tokens can be queried */
function afterEachBlock({ chain, settings, tokens, log }: ServeRequest, parts: Parts): Promise<void> {
  const { market, indexer, gas, node } = parts;
  const selfCheck = createSelfCheck({
    ...parts,
    sample: settings.selfCheckPools,
    reload: indexer.reload,
    log,
  });
  const listTokens = followTokens({
    ...parts,
    chain,
    registry: tokens,
    genesis: node.genesis,
    listed: chains.includes(chain),
    activeDepth: settings.activeDepthNative * 10 ** chain.native.decimals,
    rankMs: settings.rankMs,
    log,
  });
  return new Promise((resolve) => {
    const works = [
      latestOnly<Head>(gas.refresh, log),
      latestOnly<Head>(async (head) => void ((await listTokens(head)) && resolve()), log),
    ];
    const check = latestOnly<Head>(async () => void (await selfCheck()), log);
    market.onCommit((head) => {
      for (const work of works) work(head);
      if (settings.selfCheckBlocks > 0 && head.number % settings.selfCheckBlocks === 0) check(head);
    });
  });
}
