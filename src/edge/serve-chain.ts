import type { Logger } from "pino";
import type { Registry } from "../core/protocol.ts";
import { createEngine } from "../core/routing/index.ts";
import type { Address, Chain } from "../core/types.ts";
import type { ServedChain } from "../service/ports.ts";
import { createGasOracle } from "./gas-oracle/gas-oracle.ts";
import { createDispatch } from "./indexer/dispatch.ts";
import { createIndexer } from "./indexer/indexer.ts";
import { createMarket, type Market } from "./market/market.ts";
import { openNode } from "./node/node.ts";
import { createNodePort } from "./node/node-port.ts";
import { type EdgeSettings, nodeSettings, pollMsOf } from "./settings.ts";

export type ServeRequest = {
  readonly chain: Chain;
  /** http(s) and ws(s) URLs of nodes of this chain. */
  readonly endpoints: readonly string[];
  readonly registry: Registry;
  readonly router: Address;
  readonly settings: EdgeSettings;
  readonly log: Logger;
};

export type RunningChain = ServedChain & {
  /** Begins to follow the chain. Never rejects: a node that is down is retried. */
  start(): Promise<void>;
  /** Resolves once the first state can be queried. */
  readonly ready: Promise<void>;
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
    multicall: chain.multicall,
    urls: request.endpoints,
    settings: nodeSettings(chain, settings),
    log,
    onHead: () => indexer.wake(),
  });
  const indexer = createIndexer({
    market,
    registry,
    dispatch: createDispatch(chain, registry, log),
    reader: node.reader,
    blockTimeMs: chain.blockTimeMs,
    heads: node.heads,
    lowerForkMs: 4 * pollMsOf(chain, settings),
    log,
  });
  const gas = createGasOracle(node.rpc, log);
  market.onCommit((head) => void gas.refresh(head));
  return {
    chain,
    router,
    market: market.port,
    node: createNodePort(node.rpc, settings.readDeadlineMs),
    gas,
    ready: firstCommit(market),
    async start() {
      node.start();
      void indexer.run();
    },
    async stop() {
      await Promise.all([indexer.stop(), node.stop()]);
    },
  };
}

function firstCommit(market: Market): Promise<void> {
  return new Promise((resolve) => market.onCommit(() => resolve()));
}
