import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Pool, PoolId } from "../../core/types.ts";
import { elapsedMs } from "../elapsed.ts";
import type { EndpointHead } from "../node/node.ts";
import { backoff, sleep } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import { type Adoption, firstAdoptions } from "./adopt.ts";
import { advance, type Indexing } from "./advance.ts";
import { createAging } from "./aging.ts";
import { checkBeginning, leave, type Place, pathTo } from "./forks.ts";
import type { Plan } from "./plan.ts";
import { floorAt, indexOf } from "./ring.ts";
import { createSuspects, isRead } from "./suspects.ts";
import { NOTHING_SETTLED, type Settled, sync, type Target } from "./sync.ts";
import { createTargets, type Targets } from "./targets.ts";
import { unprovenOf } from "./unproven.ts";

export type Indexer = {
  /** To be called when an endpoint has reported something. Cheap, and allowed at any time. */
  wake(): void;
  /** Has pools read again at the newest block. */
  reload(pools: readonly PoolId[]): void;
  /**
   * Brings pools into the market with the states that they had at a block.
   *
   * @returns whether they were taken; false where that block is no longer in the ring: the pools must then be read
   *   again
   */
  adopt(batch: Omit<Adoption, "done">): Promise<boolean>;
  /**
   * To be called when states were found to differ from the chain. If logs of kept blocks were not proven, every state
   * is read again, the deepest pools first, and unproven logs are doubted for DOUBT_BLOCKS blocks. Pools that wait to
   * be read are not priced.
   */
  doubtLogs(): void;
  /**
   * A random sample of pools to compare with the chain first, where the logs of the newest block are not proven: up to
   * `count` that the logs touch, and up to half as many that the block's bloom says may have changed. Empty where the
   * logs are proven.
   */
  unproven(count: number): Pool[];
  /** Whether the logs of the newest block are proven by its header. */
  isProven(): boolean;
  /** Takes pools out of the market. */
  release(pools: readonly PoolId[]): void;
  /**
   * Takes the next blocks towards the reported head, and pending reads, adoptions and removals, into the market.
   *
   * @returns whether there may be more to do at once; false where there was nothing to do
   * @throws NodeFailure; nothing is committed then
   */
  step(): Promise<boolean>;
  /** Steps until `stop`. Never rejects. */
  run(): Promise<void>;
  stop(): Promise<void>;
};

type IndexerRequest = Omit<Indexing, "suspects" | "aging"> & {
  readonly heads: () => readonly EndpointHead[];
  /** Makes the nodes prove their chain again, since a fork below all kept blocks may be of another chain. */
  readonly distrust: () => void;
  /** Lets the head of an endpoint count only where no other one reports a head, for a while. */
  readonly disbelieve: (label: string, why: string) => void;
  /**
   * Called when the market starts or restarts, empty, at the newest block; pools then enter it by `adopt`. Absent: the
   * market is built from the logs of the whole chain.
   */
  readonly onOpened?: () => void;
  /** Milliseconds for which a fork at a lower height must last before it is followed. */
  readonly lowerForkMs: number;
  readonly log: Logger;
};

type Request = IndexerRequest & Indexing & { readonly targets: Targets };

/** State of the loop between turns: the kept blocks and the pending requests. */
type Work = Place & {
  settled: Settled;
  readonly reloads: Set<PoolId>;
  readonly leaving: Set<PoolId>;
  adoptions: Adoption[];
  /** Unproven logs of blocks below this one are doubted. */
  doubtUntil: number;
};

/** Number of blocks for which unproven logs are doubted after states were found wrong. */
const DOUBT_BLOCKS = 64;

export function createIndexer(given: IndexerRequest): Indexer {
  const request = requestOf(given);
  const over = new AbortController();
  const work = noWork();
  let awake = new AbortController();
  let running: Promise<void> | undefined;

  const loop = async () => {
    for (let failures = 0; !over.signal.aborted; ) {
      awake = new AbortController();
      try {
        const moved = await turn(request, work);
        failures = 0;
        // Yields the event loop between two commits, even where the second needs no request to a node.
        await (moved ? setImmediate() : sleep(1000, AbortSignal.any([over.signal, awake.signal])));
      } catch (error) {
        complain(request, error, failures);
        await sleep(backoff(failures++, 50, 2000), over.signal);
      }
    }
  };
  return {
    wake: () => awake.abort(),
    reload(pools) {
      for (const pool of pools) work.reloads.add(pool);
      awake.abort();
    },
    adopt: (batch) =>
      new Promise((done) => {
        if (over.signal.aborted) return done(false);
        work.adoptions.push({ ...batch, done });
        awake.abort();
      }),
    doubtLogs() {
      doubt(request, work);
      awake.abort();
    },
    isProven: () => work.ring.at(-1)?.trust === "proven",
    unproven: (count) => unprovenOf(request, work.ring.at(-1), count),
    release(pools) {
      for (const pool of pools) work.leaving.add(pool);
      awake.abort();
    },
    step: () => turn(request, work),
    run: () => {
      running ??= loop();
      return running;
    },
    async stop() {
      over.abort();
      await running;
      for (const { done } of work.adoptions) done(false);
    },
  };
}

function requestOf(given: IndexerRequest): Request {
  const parts = { suspects: createSuspects(given.registry), aging: createAging(given) };
  return { ...given, ...parts, targets: createTargets(given) };
}

function noWork(): Work {
  return {
    ...{ ring: [], settled: NOTHING_SETTLED, isDisputed: false, doubtUntil: -1 },
    ...{ began: undefined, isChecked: false, movedAt: Number.NEGATIVE_INFINITY },
    ...{ reloads: new Set(), leaving: new Set(), adoptions: [] },
  };
}

/**
 * Has all states read again and doubts unproven logs, unless the logs of all kept blocks are proven: then logs are not
 * the cause.
 */
function doubt({ market, registry, log }: Request, work: Work): void {
  const head = market.head();
  if (head === undefined || !work.ring.some(({ trust }) => trust === "told")) return;
  if (head.number >= work.doubtUntil)
    log.error({ block: head.number }, "states are other than logs say: all are read again");
  work.doubtUntil = head.number + DOUBT_BLOCKS;
  for (const pool of market.book.pools.values()) if (isRead(registry, pool)) work.reloads.add(pool.id);
}

function hasErrands({ ring, reloads, leaving, adoptions }: Work): boolean {
  return ring.length > 0 && reloads.size + leaving.size + adoptions.length > 0;
}

/** One step of the loop. @returns whether there may be more to do at once */
async function turn(request: Request, work: Work): Promise<boolean> {
  const { targets } = request;
  await checkBeginning(request, work);
  const target = targets.next(work.ring);
  if (target === undefined && !hasErrands(work)) return false;
  try {
    await takeTurn(request, work, target);
    if (target !== undefined) targets.arrived(target);
  } catch (error) {
    if (target !== undefined && error instanceof NodeFailure) targets.failed(target);
    throw error;
  }
  return true;
}

async function takeTurn(request: Request, work: Work, target: Target | undefined): Promise<void> {
  const plan =
    target === undefined || work.ring.length === 0
      ? { kind: "extend" as const, keep: work.ring.length, headers: [] }
      : await pathTo(target, work, request.reader);
  if (plan.kind === "too-deep") return leave(request, work, target as Target);
  if (target !== undefined) work.isDisputed = false;
  if (work.ring.length === 0) await begin(request, work);
  else await follow(request, work, plan, target);
}

async function follow(
  request: Request,
  work: Work,
  plan: Extract<Plan, { kind: "extend" }>,
  target: Target | undefined,
): Promise<void> {
  const depth = work.ring.length - plan.keep;
  if (depth > 0) request.log.info({ depth, from: work.ring.at(-1)?.header.number }, "reorg");
  const reloads = [...work.reloads];
  const leaving = [...work.leaving];
  // A copy, so that adoptions that arrive during this turn wait for the next one.
  const adoptions = firstAdoptions(work.adoptions);
  const arrives = plan.headers.at(-1)?.hash === target?.header.hash;
  const { ring, left } = await advance(request, work.ring, plan, {
    ...{ reloads, adoptions, leaving },
    isSuspicious: (target?.header.number ?? -1) < work.doubtUntil,
    seenAt: arrives ? target?.seenAt : undefined,
  });
  work.ring = ring;
  if (plan.headers.length > 0) work.movedAt = elapsedMs();
  for (const pool of reloads) work.reloads.delete(pool);
  for (const pool of left) work.reloads.add(pool);
  for (const pool of leaving) work.leaving.delete(pool);
  work.adoptions = work.adoptions.slice(adoptions.length);
  for (const { block, done } of adoptions) done(indexOf(work.ring, block.hash) >= 0);
}

async function begin(request: Request, work: Work): Promise<void> {
  if (request.onOpened === undefined) return resync(request, work);
  const newest = request.targets.newest();
  const { header, seenAt } = newest;
  const { number, hash, parentHash, timestamp } = header;
  const empty = { slots: new Map(), removed: [], added: [] };
  const { market } = request;
  market.hold("pools are being read");
  market.commit(
    { head: { number, hash, parentHash, timestamp }, reset: true, ...empty },
    { released: market.due(Number.POSITIVE_INFINITY), seenAt },
  );
  work.ring = [floorAt(header)];
  Object.assign(work, { began: newest, isChecked: false, movedAt: elapsedMs() });
  request.onOpened();
}

async function resync(request: Request, work: Work): Promise<void> {
  const { market, log, targets } = request;
  const start = performance.now();
  const { newest } = targets;
  const keep = (settled: Settled) => {
    work.settled = settled;
  };
  work.ring = await sync({ indexing: request, settled: work.settled, newest, explain: market.explain, keep });
  const { pools, tokens } = market.port.counts();
  const ms = Math.round(performance.now() - start);
  log.info({ pools, tokens, block: market.head()?.number, ms }, "state built");
}

/** Logs an error of a turn. NodeFailure is expected; any other error is a bug, after which the loop goes on too. */
function complain({ log, market }: IndexerRequest, error: unknown, failures: number): void {
  if (!(error instanceof NodeFailure)) {
    log.error({ err: error }, "following the chain failed");
    return;
  }
  market.explain(`a node failed: ${error.words}`);
  if (failures === 3) log.warn({ why: error.message, kind: error.kind }, "cannot follow the chain: retrying");
}
