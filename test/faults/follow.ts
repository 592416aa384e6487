import { pino } from "pino";
import type { Protocol, Registry } from "../../src/core/protocol.ts";
import type { Engine } from "../../src/core/routing/types.ts";
import type { Chain, Hex, Pool } from "../../src/core/types.ts";
import { elapsedMs } from "../../src/edge/elapsed.ts";
import type { Indexing } from "../../src/edge/indexer/advance.ts";
import { createDispatch } from "../../src/edge/indexer/dispatch.ts";
import { createIndexer, type Indexer } from "../../src/edge/indexer/indexer.ts";
import { createMarket, type Market } from "../../src/edge/market/market.ts";
import type { Answer, Endpoint } from "../../src/edge/node/endpoint.ts";
import { newHealth } from "../../src/edge/node/health.ts";
import { createReader, type EndpointHead } from "../../src/edge/node/node.ts";
import { header } from "../../src/edge/node/parse.ts";
import { createSeals } from "../../src/edge/node/sealed/seal.ts";
import { failureOf } from "../../src/edge/node/transport/failure.ts";
import { createRpc } from "../../src/edge/node/transport/rpc.ts";
import type { ChainReader, Header } from "../../src/edge/node/types.ts";
import { defaultEdgeSettings, nodeSettings } from "../../src/edge/settings.ts";
import { counter, counterChain, type State } from "./counter.ts";

export const silent = pino({ level: "silent" });

/** An engine that keeps what it is given and finds nothing. */
export function memoryEngine(): Engine & { readonly offered: Map<string, Pool> } {
  const offered = new Map<string, Pool>();
  return {
    offered,
    patch({ pools, removed }) {
      for (const id of removed) offered.delete(id);
      for (const pool of pools) offered.set(pool.id, pool);
    },
    prepare() {},
    find: () => ({ kind: "missing", reason: "no-path", largestAmount: undefined, isCutShort: false }),
    nativePer: () => undefined,
    priceDepth: () => 0,
    depthNative: () => 0,
    counters: () => ({ searches: 0, notConverged: 0, outOfTime: 0, threw: 0, boundsViolated: 0 }),
    graphBytes: () => 0,
    quarantined: () => new Map(),
  };
}

/** As much of a chain as a follower asks. */
export type Answering = {
  tip(): { readonly hash: Hex };
  answer(method: string, params: readonly unknown[]): unknown;
};

/** An endpoint in the same process: `before` sees every request, and may change the chain under way. */
export function directEndpoint(chain: Answering, before: () => void = () => undefined): Endpoint {
  return {
    label: "direct",
    pushes: false,
    isLocal: true,
    isWaking: () => false,
    health: { ...newHealth(), verified: true },
    async send(requests) {
      return requests.map(({ method, params }): Answer => {
        before();
        try {
          return { ok: true, result: structuredClone(chain.answer(method, params)) };
        } catch (error) {
          return { ok: false, failure: failureOf(error) };
        }
      });
    },
    waitMs: () => 0,
    rate: () => undefined,
    total: () => 0,
    batchSize: () => 1,
    close: () => undefined,
  };
}

export type Follower = {
  readonly market: Market;
  readonly indexer: Indexer;
  readonly reader: ChainReader;
  readonly engine: ReturnType<typeof memoryEngine>;
  /** Steps until the newest head is committed. */
  catchUp(): Promise<void>;
};

export type FollowOptions = {
  readonly before?: () => void;
  readonly protocol?: Protocol<State, number>;
  readonly chain?: Chain;
  /** Designs that the chain's records name beside the counters. */
  readonly beside?: readonly Protocol[];
  /** Blocks of the first page of logs. */
  readonly firstWindow?: number;
  /** Reads the states in place of single calls. */
  readonly load?: Indexing["load"];
  /** Makes the endpoint prove its chain. */
  readonly distrust?: () => void;
  readonly disbelieve?: (label: string) => void;
  /** The heads that endpoints report, given that of the endpoint itself. */
  readonly heads?: (own: EndpointHead) => readonly EndpointHead[];
  /** Where given, the market begins empty at the newest block. */
  readonly onOpened?: () => void;
};

/** A follower without sockets and timers, stepped by hand. */
export function follow(fake: Answering, options: FollowOptions = {}): Follower {
  const chain = options.chain ?? counterChain();
  const designs = [options.protocol ?? counter(), ...(options.beside ?? [])];
  const registry: Registry = new Map(designs.map((design) => [design.name, design as Protocol]));
  const engine = memoryEngine();
  const market = createMarket({ chain, registry, engine, isVetted: () => true, log: silent });
  const settings = {
    ...nodeSettings(chain, defaultEdgeSettings),
    deadlineMs: 2000,
    firstWindow: options.firstWindow ?? 50,
  };
  const rpc = createRpc([directEndpoint(fake, options.before)], settings, new AbortController().signal);
  const newest = () => header(structuredClone(fake.answer("eth_getBlockByNumber", ["latest"]))) as Header;
  const reader = createReader({
    ...{ rpc, multicall: chain.multicall, settings, seals: createSeals(), log: silent },
    onDispute: () => undefined,
  });
  const { heads = (own) => [own] } = options;
  const reported = { label: "direct", highest: Number.MAX_SAFE_INTEGER, isBelieved: true };
  const indexer = createIndexer({
    market,
    registry,
    dispatch: createDispatch(chain, registry, silent),
    reader,
    blockTimeMs: chain.blockTimeMs,
    heads: () => heads({ ...reported, head: newest(), at: elapsedMs() }),
    distrust: options.distrust ?? (() => undefined),
    disbelieve: options.disbelieve ?? (() => undefined),
    ...(options.onOpened === undefined ? {} : { onOpened: options.onOpened }),
    lowerForkMs: 0,
    ...(options.load === undefined ? {} : { load: options.load }),
    log: silent,
  });
  const catchUp = async () => {
    for (let tries = 0; tries < 1000; tries++) {
      await indexer.step().catch((error: unknown) => {
        if ((error as Error).name !== "NodeFailure") throw error;
      });
      if (market.head()?.hash === fake.tip().hash) return;
    }
    throw new Error("the follower does not arrive");
  };
  return { market, indexer, reader, engine, catchUp };
}

/** Everything that a market says, in a form that can be compared. */
export function contents({ market, engine }: Pick<Follower, "market" | "engine">) {
  const view = market.book.view();
  const states = [...market.book.pools.values()].map(
    (pool) => [pool.id, view.get(pool.stateIds[0])] as const,
  );
  return {
    head: market.head(),
    states: new Map(states.sort(([a], [b]) => (a < b ? -1 : 1))),
    offered: [...engine.offered.keys()].sort(),
  };
}
