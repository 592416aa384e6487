import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Address, Hex } from "../../core/types.ts";
import type { EndpointReport } from "../../service/ports/ports-endpoints.ts";
import type { ExpectedRouter } from "../router/router-probe.ts";
import { createRouterWatch } from "../router/router-watch.ts";
import { type Endpoint, openEndpoint } from "./endpoint.ts";
import { distrust, doubtOf, isUsable, median, noteDoubt, p95 } from "./health.ts";
import { createBlockLogs } from "./logs/block-logs.ts";
import { logsBackwards, logsInRange, type RangeSettings } from "./logs/range-logs.ts";
import type { Urgency } from "./pace/token-bucket.ts";
import { createPinned, type Pinned } from "./pinned.ts";
import { type Identity, type Probe, type ProbeContext, startProbe } from "./probe.ts";
import { createReads, type ReadSettings } from "./reads.ts";
import { readHeader } from "./sealed/read-header.ts";
import { createReceiptsAhead, type ReceiptsAhead } from "./sealed/receipts-ahead.ts";
import { createSeals, type Seals } from "./sealed/seal.ts";
import { createRpc, type RequestOptions, type Rpc, type RpcSettings } from "./transport/rpc.ts";
import type { ChainReader, Header, Request } from "./types.ts";

export type NodeSettings = RpcSettings &
  RangeSettings &
  ReadSettings & {
    /** Between two questions for the head. */
    readonly pollMs: number;
    /** Whether \`pollMs\` is a guess, from which the follower may depart. */
    readonly adapts: boolean;
    readonly blockTimeMs: number;
    readonly maxBytes: number;
    /** Requests in one HTTP body. */
    readonly batchSize: number;
    /** The logs of every so many blocks are proven where that is possible; 1 = of each. */
    readonly proofBlocks: number;
    /** Whether a second endpoint is asked about blocks that cannot be proven. */
    readonly opinions: boolean;
  };

/** The nodes of one chain as one. */
export type ChainNode = {
  readonly rpc: Rpc;
  readonly reader: ChainReader;
  /** Why nothing can be swapped through the router; undefined where it is there. */
  routerTrouble(): string | undefined;
  /** Large calls on one block, with overrides where an endpoint takes them. */
  pinned(urgency: Urgency): Pinned;
  /** Hash of block 0; undefined until an endpoint told it. */
  genesis(): Hex | undefined;
  /** What each endpoint reported last, where it still answers and is of this chain. */
  heads(): readonly EndpointHead[];
  /** Items that all endpoints answered since the start, and those a second that they take together, where it is known. */
  pace(): { readonly requests: number; readonly perSecond: number | undefined };
  /** Each endpoint, for operators. */
  endpoints(): readonly EndpointReport[];
  /** Makes every endpoint prove its chain again before it is believed. */
  distrust(): void;
  /** Resolves once one endpoint was asked for its head, what it offers, and the router. */
  readonly asked: Promise<void>;
  /** Begins to ask the endpoints. */
  start(): void;
  stop(): Promise<void>;
};

export type EndpointHead = {
  readonly label: string;
  readonly head: Header;
  /** The highest block that this endpoint ever reported. */
  readonly highest: number;
  /** Monotonic milliseconds of the report. */
  readonly at: number;
};

/** A call that reads many pools may take a node seconds, and wait for its turn on a slow endpoint. */
const LARGE_CALLS = { attemptMs: 15_000, deadlineMs: 60_000 };

type NodeRequest = {
  readonly chainId: number;
  /** Hash of block 0, where it is known beforehand. */
  readonly genesis: Hex | undefined;
  readonly multicall: Address;
  readonly router: ExpectedRouter;
  /** http(s) and ws(s) URLs. */
  readonly urls: readonly string[];
  readonly settings: NodeSettings;
  readonly log: Logger;
  /** Called after each report of a head, new or not. */
  readonly onHead: (header: Header) => void;
  /** Told when an endpoint is found not to serve: by its place, as its address may hold a key. */
  readonly onTrouble?: (why: string) => void;
};

/** Connects to the nodes of a chain. Never throws for a node that is down: it is retried until `stop`. */
export function openNode(request: NodeRequest): ChainNode {
  const { chainId, genesis, multicall, urls, settings, log, onHead } = request;
  const over = new AbortController();
  const identity: Identity = { chainId, genesis };
  const probes: Probe[] = [];
  const seals = createSeals();
  const isWorthwhile = seals.provesReceipts;
  const ahead = createReceiptsAhead({ ...settings, isWorthwhile, signal: over.signal });
  const endpoints: Endpoint[] = urls.map((url, index) => {
    const onWake = (pushed: unknown) => {
      probes[index]?.wake();
      ahead.begin(endpoints[index] as Endpoint, pushed);
    };
    return openEndpoint(url, index, { ...settings, listens: settings.adapts, onWake });
  });
  const onDoubt = doubting(endpoints, log);
  const rpc = createRpc(endpoints, settings, over.signal, (label, why) => onDoubt([label], why));
  const { signal } = over;
  const routerWatch = createRouterWatch({
    router: request.router,
    attemptMs: settings.attemptMs,
    signal,
    log,
  });
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const context = { identity, ...settings, seals, signal, log, routerWatch, onHead, onAsked };
  return {
    rpc,
    reader: createReader({ rpc, multicall, settings, seals, ahead, onDispute: onDoubt, log }),
    routerTrouble: routerWatch.trouble,
    pinned: (urgency) => createPinned({ rpc, options: { ...LARGE_CALLS, urgency }, log }),
    genesis: () => identity.genesis,
    heads: () => endpoints.flatMap((endpoint) => reported(endpoint, settings)),
    pace: () => paceOf(endpoints),
    endpoints: () => reportOf(endpoints),
    asked,
    distrust: () => {
      for (const { health } of endpoints) distrust(health);
    },
    start: () => {
      if (probes.length === 0) probes.push(...startProbes(endpoints, context, request));
    },
    async stop() {
      over.abort();
      for (const endpoint of endpoints) endpoint.close();
      await Promise.all(probes.map(({ done }) => done));
    },
  };
}

/** Starts to follow the head of each endpoint. An endpoint that does not serve is reported as `endpoint N`, its place in the list from 1 on. */
function startProbes(
  endpoints: readonly Endpoint[],
  context: Omit<ProbeContext, "onTrouble">,
  { onTrouble = () => undefined }: Pick<NodeRequest, "onTrouble">,
): Probe[] {
  return endpoints.map((endpoint, index) =>
    startProbe(endpoint, { ...context, onTrouble: (why) => onTrouble(`endpoint ${index + 1} ${why}`) }),
  );
}

/** The endpoints for operators: by their place, as their addresses may hold keys. */
function reportOf(endpoints: readonly Endpoint[]): EndpointReport[] {
  const now = performance.now();
  const newest = Math.max(...endpoints.map(({ health }) => health.head?.number ?? -1));
  return endpoints.map(({ health, batchSize }) => {
    const isAnswering = health.latencies.length > 0;
    return {
      usable: isUsable(health, now),
      failures: { ...health.counts },
      medianMs: isAnswering ? median(health) : undefined,
      p95Ms: isAnswering ? p95(health, Math.max(...health.latencies)) : undefined,
      behindBlocks: health.head && newest - health.head.number,
      abilities: health.abilities,
      batchSize: batchSize(),
      doubt: doubtOf(health, now),
    };
  });
}

/** Remembers what endpoints said that cannot be true, and names them in the log, once for each reason. */
function doubting(endpoints: readonly Endpoint[], log: Logger) {
  return (labels: readonly string[], why: string) => {
    for (const { label, health } of endpoints.filter((one) => labels.includes(one.label))) {
      const now = performance.now();
      if (doubtOf(health, now) !== why) log.warn({ endpoint: label, why }, "a node is not believed");
      noteDoubt(health, why, now);
    }
  };
}

function paceOf(endpoints: readonly Endpoint[]) {
  const rates = endpoints.map((endpoint) => endpoint.rate());
  return {
    requests: endpoints.reduce((sum, endpoint) => sum + endpoint.total(), 0),
    perSecond: rates.every((rate) => rate !== undefined)
      ? rates.reduce((sum, rate) => sum + rate, 0)
      : undefined,
  };
}

/** An endpoint that missed several polls no longer speaks for the chain. */
function reported({ label, health }: Endpoint, settings: NodeSettings): EndpointHead[] {
  const { head, headAt, highest, verified } = health;
  const silentMs = performance.now() - headAt;
  const { pollMs, attemptMs, adapts, blockTimeMs } = settings;
  const patienceMs = Math.max(4 * pollMs, attemptMs) + (adapts ? blockTimeMs : 0);
  if (head === undefined || !verified || silentMs > patienceMs) return [];
  return [{ label, head, highest, at: headAt }];
}

export type ReaderRequest = {
  readonly rpc: Rpc;
  readonly multicall: Address;
  readonly settings: NodeSettings;
  readonly seals: Seals;
  readonly ahead?: Pick<ReceiptsAhead, "take"> | undefined;
  /** Told of endpoints that say different things of a block, by their labels. */
  readonly onDispute: (labels: readonly string[], why: string) => void;
  readonly log: Logger;
};

/** What the indexer reads, over any client. */
export function createReader(request: ReaderRequest): ChainReader {
  const { rpc, multicall, settings, seals, log } = request;
  const head: RequestOptions = {
    ...{ deadlineMs: settings.deadlineMs, urgency: "head" },
    doubt: (result) => void readHeader(result, seals),
  };
  return {
    async headerByHash(hash) {
      return readHeader(await rpc.request("eth_getBlockByHash", [hash, false], head), seals);
    },
    async headersByNumber(first, last) {
      const requests: Request[] = [];
      for (let number = first; number <= last; number++) {
        requests.push({ method: "eth_getBlockByNumber", params: [`0x${number.toString(16)}`, false] });
      }
      const answers = await rpc.batch(requests, { ...head, block: last });
      return answers.map((answer) => {
        if (answer.ok) return readHeader(answer.result, seals);
        throw answer.failure;
      });
    },
    logsOf: createBlockLogs(request),
    logsIn: (range) => logsInRange(rpc, range, settings),
    logsBefore: (range) => logsBackwards(rpc, range, settings),
    read: createReads(rpc, multicall, settings, log),
  };
}
