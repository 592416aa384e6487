import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Address, Hex } from "../../core/types.ts";
import type { EndpointReport } from "../../service/ports/ports-endpoints.ts";
import { elapsedMs } from "../elapsed.ts";
import type { ExpectedRouter } from "../router/router-probe.ts";
import { createRouterWatch } from "../router/router-watch.ts";
import { type Answer, type Endpoint, openEndpoint } from "./endpoint.ts";
import { believed, doubtOf, isBelieved, isUsable, median, p95 } from "./health.ts";
import { doubting, judging } from "./judging.ts";
import { createBlockLogs } from "./logs/block-logs.ts";
import { logsBackwards, logsInRange, type RangeSettings } from "./logs/range-logs.ts";
import type { Urgency } from "./pace/token-bucket.ts";
import { createPinned, type Pinned } from "./pinned.ts";
import { type Identity, type Probe, type ProbeContext, startProbe } from "./probe.ts";
import { createReads, type ReadSettings } from "./reads.ts";
import { readHeader } from "./sealed/read-header.ts";
import { createReceiptsAhead, type ReceiptsAhead } from "./sealed/receipts-ahead.ts";
import { createSeals, type Seals } from "./sealed/seal.ts";
import { NodeFailure } from "./transport/failure.ts";
import { createRpc, type RequestOptions, type Rpc, type RpcSettings } from "./transport/rpc.ts";
import type { ChainReader, Header, Request } from "./types.ts";

export type NodeSettings = RpcSettings &
  RangeSettings &
  ReadSettings & {
    /** Milliseconds between two requests for the head. */
    readonly pollMs: number;
    /** Whether `pollMs` is a guess, so that the head may be polled at another interval. */
    readonly adapts: boolean;
    readonly blockTimeMs: number;
    readonly maxBytes: number;
    /** Requests in one HTTP body. */
    readonly batchSize: number;
    /** The logs of every `proofBlocks`-th block are proven where that is possible; 1 = of every block. */
    readonly proofBlocks: number;
    /** Whether a second endpoint is asked for the logs of blocks that cannot be proven. */
    readonly opinions: boolean;
  };

/** All endpoints of one chain behind one client. */
export type ChainNode = {
  readonly rpc: Rpc;
  readonly reader: ChainReader;
  /** Why nothing can be swapped through the router; undefined where its code was found on the chain. */
  routerTrouble(): string | undefined;
  /** Makes large calls on the state of one block, with state overrides where an endpoint supports them. */
  pinned(urgency: Urgency): Pinned;
  /** Hash of block 0; undefined until it is configured or an endpoint has reported it. */
  genesis(): Hex | undefined;
  /** The last reported head of each endpoint that still answers and belongs to this chain. */
  heads(): readonly EndpointHead[];
  /**
   * Items that all endpoints answered since the start, and the items per second that they accept together; the rate is
   * undefined unless it is known for every endpoint.
   */
  pace(): { readonly requests: number; readonly perSecond: number | undefined };
  /** Each endpoint, for operators. */
  endpoints(): readonly EndpointReport[];
  /** Makes every endpoint prove its chain again before it is used. */
  distrust(): void;
  /**
   * Lets the head of this endpoint count only where no other one reports a head, for a minute.
   *
   * @param why for the log and for operators
   */
  disbelieve(label: string, why: string): void;
  /** Resolves once one endpoint has reported its head, and its abilities and the router were asked for. */
  readonly asked: Promise<void>;
  /** Begins to poll the endpoints. */
  start(): void;
  stop(): Promise<void>;
};

export type EndpointHead = {
  readonly label: string;
  readonly head: Header;
  /** Whether it counts beside the heads of other endpoints: false for a while after it could not be followed. */
  readonly isBelieved: boolean;
  /** The highest block that this endpoint ever reported. */
  readonly highest: number;
  /** Time of the report by `elapsedMs`. */
  readonly at: number;
};

/**
 * Limits in milliseconds: a call that reads many pools may take a node seconds, and may wait for the pace of a slow
 * endpoint.
 */
const LARGE_CALLS = { attemptMs: 15_000, deadlineMs: 60_000 };

type NodeRequest = {
  readonly chainId: number;
  /** Hash of block 0, where it is configured. */
  readonly genesis: Hex | undefined;
  readonly multicall: Address;
  readonly router: ExpectedRouter;
  /** http(s) and ws(s) URLs. */
  readonly urls: readonly string[];
  readonly settings: NodeSettings;
  readonly log: Logger;
  /** Called after each report of a head, whether new or not. */
  readonly onHead: (header: Header) => void;
  /**
   * Called when an endpoint is found unusable. The text names it by its place in the list, since its URL may hold a
   * key.
   */
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
    ...judging(endpoints, onDoubt),
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

/**
 * Starts to follow the head of each endpoint. An unusable endpoint is reported as `endpoint N`, its place in the list
 * from 1 on.
 */
function startProbes(
  endpoints: readonly Endpoint[],
  context: Omit<ProbeContext, "onTrouble">,
  { onTrouble = () => undefined }: Pick<NodeRequest, "onTrouble">,
): Probe[] {
  return endpoints.map((endpoint, index) =>
    startProbe(endpoint, { ...context, onTrouble: (why) => onTrouble(`endpoint ${index + 1} ${why}`) }),
  );
}

/** Reports of the endpoints for operators, in the order of the list and without their URLs, which may hold keys. */
function reportOf(endpoints: readonly Endpoint[]): EndpointReport[] {
  const now = performance.now();
  const newest = Math.max(...believed(endpoints, now).map(({ health }) => health.head?.number ?? -1));
  return endpoints.map(({ health, batchSize }) => {
    const isAnswering = health.latencies.length > 0;
    return {
      usable: isUsable(health, now),
      trouble: health.trouble,
      failures: { ...health.counts },
      medianMs: isAnswering ? median(health) : undefined,
      p95Ms: isAnswering ? p95(health, Math.max(...health.latencies)) : undefined,
      behindBlocks: health.head && Math.max(0, newest - health.head.number),
      abilities: health.abilities,
      batchSize: batchSize(),
      doubt: doubtOf(health, now),
    };
  });
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

/** The endpoint's head, or nothing where it is not verified or has been silent for several polls. */
function reported({ label, health }: Endpoint, settings: NodeSettings): EndpointHead[] {
  const { head, headAt, highest, verified } = health;
  const silentMs = elapsedMs() - headAt;
  const { pollMs, attemptMs, adapts, blockTimeMs } = settings;
  const patienceMs = Math.max(4 * pollMs, attemptMs) + (adapts ? blockTimeMs : 0);
  if (head === undefined || !verified || silentMs > patienceMs) return [];
  return [{ label, head, highest, at: headAt, isBelieved: isBelieved(health, performance.now()) }];
}

export type ReaderRequest = {
  readonly rpc: Rpc;
  readonly multicall: Address;
  readonly settings: NodeSettings;
  readonly seals: Seals;
  readonly ahead?: Pick<ReceiptsAhead, "take"> | undefined;
  /** Called with the labels of endpoints that disagree about a block. */
  readonly onDispute: (labels: readonly string[], why: string) => void;
  readonly log: Logger;
};

/** The indexer's reads, made over the given client. */
export function createReader(request: ReaderRequest): ChainReader {
  const { rpc, multicall, settings, seals, log } = request;
  const head: RequestOptions = { deadlineMs: settings.deadlineMs, urgency: "head" };
  /** Where a node does not know the block, another one or the next machine behind the same URL may. */
  const known = (result: unknown) => {
    const read = readHeader(result, seals);
    if (read === undefined) throw new NodeFailure("missing", "the block is not known");
    return read;
  };
  return {
    async headerByHash(hash) {
      const [answer] = await rpc.batch([{ method: "eth_getBlockByHash", params: [hash, false] }], {
        ...head,
        doubt: (result) => (known(result).hash === hash ? undefined : "another block than the one asked for"),
      });
      return headerIn(answer as Answer, seals);
    },
    async headersByNumber(first, last) {
      const requests: Request[] = [];
      for (let number = first; number <= last; number++) {
        requests.push({ method: "eth_getBlockByNumber", params: [`0x${number.toString(16)}`, false] });
      }
      const answers = await rpc.batch(requests, {
        ...{ ...head, block: last },
        doubt(result, k) {
          const { number } = known(result);
          return number === first + k ? undefined : `block ${number} in the place of ${first + k}`;
        },
      });
      return answers.map((answer) => headerIn(answer, seals));
    },
    logsOf: createBlockLogs(request),
    logsIn: (range) => logsInRange(rpc, range, settings),
    logsBefore: (range) => logsBackwards(rpc, range, settings),
    read: createReads(rpc, multicall, settings, log),
  };
}

/** @returns undefined where no node knows the block; @throws NodeFailure */
function headerIn(answer: Answer, seals: Seals): Header | undefined {
  if (answer.ok) return readHeader(answer.result, seals);
  if (answer.failure.kind === "missing") return undefined;
  throw answer.failure;
}
