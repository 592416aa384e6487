import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Pool, PoolId } from "../../core/types.ts";
import { fillOf } from "../node/logs/bloom.ts";
import type { EndpointHead } from "../node/node.ts";
import { backoff, sleep } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import { type Adoption, firstAdoptions } from "./adopt.ts";
import { advance, type Indexing } from "./advance.ts";
import { createAging } from "./aging.ts";
import { choose } from "./choose.ts";
import type { BlockRecord } from "./draft.ts";
import { type Plan, planTo } from "./plan.ts";
import { floorAt, indexOf, type Ring } from "./ring.ts";
import { createSuspects, isRead } from "./suspects.ts";
import { NOTHING_SETTLED, type Settled, sync, type Target } from "./sync.ts";

export type Indexer = {
  /** Says that the endpoints reported something; cheap, and safe to call at any time. */
  wake(): void;
  /** Asks for pools to be read afresh at the newest block. */
  reload(pools: readonly PoolId[]): void;
  /**
   * Brings pools into the market with the states that they had at a block.
   *
   * @returns whether they were taken; false where that block is no longer one of the newest: read them again
   */
  adopt(batch: Omit<Adoption, "done">): Promise<boolean>;
  /**
   * Says that states were found to be other than logs say that nothing proves: every state is read again, the deepest pools
   * first, and such logs are not believed for some time. Pools that wait to be read are not priced.
   */
  doubtLogs(): void;
  /**
   * Pools by chance, some that the newest block changed and some that it may have changed, where its logs were only told:
   * the first to be compared with the chain. None where they were proven.
   */
  unproven(count: number): Pool[];
  /** Whether the logs of the newest block hash to its header. */
  isProven(): boolean;
  /** Takes pools out of the market. */
  release(pools: readonly PoolId[]): void;
  /**
   * Takes over what the endpoints reported last.
   *
   * @returns whether anything was committed
   * @throws NodeFailure; nothing is committed then
   */
  step(): Promise<boolean>;
  /** Steps until `stop`. Never rejects. */
  run(): Promise<void>;
  stop(): Promise<void>;
};

type IndexerRequest = Omit<Indexing, "suspects" | "aging"> & {
  readonly heads: () => readonly EndpointHead[];
  /** Makes the nodes prove their chain again: a history that changed wholly may be that of another chain. */
  readonly distrust: () => void;
  /**
   * Called when the market begins anew, empty, at the newest block: what comes into it is adopted. Absent: the market is
   * built from the logs of the whole chain.
   */
  readonly onOpened?: () => void;
  /** A fork at a lower height must last this long before it is believed. */
  readonly lowerForkMs: number;
  readonly log: Logger;
};

type Request = IndexerRequest & Indexing;

/** What one turn of the loop works on. */
type Work = {
  ring: Ring;
  settled: Settled;
  readonly reloads: Set<PoolId>;
  readonly leaving: Set<PoolId>;
  adoptions: Adoption[];
  lowerSince: number | undefined;
  /** Logs that nothing proves are doubted below this block. */
  doubtUntil: number;
};

/** Blocks for which logs are doubted after states were found wrong. */
const DOUBT_BLOCKS = 64;

export function createIndexer(given: IndexerRequest): Indexer {
  const request = { ...given, suspects: createSuspects(given.registry), aging: createAging(given) };
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
        // Others have their turn between two commits, also where the second asks no node.
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

function noWork(): Work {
  return {
    ...{ ring: [], settled: NOTHING_SETTLED, lowerSince: undefined, doubtUntil: -1 },
    ...{ reloads: new Set(), leaving: new Set(), adoptions: [] },
  };
}

/** A bloom that is fuller than this names pools that are not in the block. */
const MOST_FILL = 0.3;

function unprovenOf({ market, suspects }: Request, newest: BlockRecord | undefined, count: number): Pool[] {
  if (newest?.trust !== "told") return [];
  const { header, touched } = newest;
  const known = [...touched].map((id) => market.book.pools.get(id)).filter((pool) => pool !== undefined);
  const isTelling = header.isSealed && fillOf(header.logsBloom) < MOST_FILL;
  const silent = isTelling
    ? suspects(header, market.book.pools.values()).filter(({ id }) => !touched.has(id))
    : [];
  return [...sample(known, count), ...sample(silent, Math.ceil(count / 2))];
}

function sample<T>(list: readonly T[], count: number): T[] {
  const rest = [...list];
  const taken: T[] = [];
  while (taken.length < count && rest.length > 0)
    taken.push(...rest.splice(Math.floor(Math.random() * rest.length), 1));
  return taken;
}

/** Where all logs of the newest blocks were proven, they are not what is wrong. */
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

/** @returns whether anything was committed: then there may be more to do at once */
async function turn(request: Request, work: Work): Promise<boolean> {
  const target = targetOf(request, work);
  if (target === undefined && !hasErrands(work)) return false;
  const plan =
    target === undefined || work.ring.length === 0
      ? { kind: "extend" as const, keep: work.ring.length, headers: [] }
      : await planTo(target.header, work.ring, request.reader);
  if (plan.kind === "too-deep") {
    request.log.warn("the chain left all kept blocks: reading everything again");
    work.ring = [];
    request.distrust();
    return true;
  }
  if (work.ring.length === 0) await begin(request, work);
  else await follow(request, work, plan, target);
  return true;
}

/** The head to go to; undefined where there is none, or the newest is held. */
function targetOf({ heads, market, lowerForkMs }: IndexerRequest, work: Work): Target | undefined {
  const choice = choose(heads(), work.ring);
  if (choice.kind !== "lower") work.lowerSince = undefined;
  if (choice.kind === "confirmed") market.confirm(choice.seenAt);
  if (choice.kind === "go") return choice.target;
  if (choice.kind !== "lower") return undefined;
  work.lowerSince ??= performance.now();
  const lasts = performance.now() - work.lowerSince >= lowerForkMs;
  return lasts ? choice.target : undefined;
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
  // A copy: adoptions that come while blocks are taken over wait for the next turn.
  const adoptions = firstAdoptions(work.adoptions);
  const arrives = plan.headers.at(-1)?.hash === target?.header.hash;
  const { ring, left } = await advance(request, work.ring, plan, {
    ...{ reloads, adoptions, leaving },
    isSuspicious: (target?.header.number ?? -1) < work.doubtUntil,
    seenAt: arrives ? target?.seenAt : undefined,
  });
  work.ring = ring;
  for (const pool of reloads) work.reloads.delete(pool);
  for (const pool of left) work.reloads.add(pool);
  for (const pool of leaving) work.leaving.delete(pool);
  work.adoptions = work.adoptions.slice(adoptions.length);
  for (const { block, done } of adoptions) done(indexOf(work.ring, block.hash) >= 0);
}

/** The newest head that the nodes report. @throws NodeFailure where none does */
function newestOf({ heads }: IndexerRequest): Target {
  const [best] = [...heads()].sort((a, b) => b.head.number - a.head.number);
  if (best === undefined) throw new NodeFailure("transport", "no node answers");
  return { header: best.head, seenAt: best.at };
}

async function begin(request: Request, work: Work): Promise<void> {
  if (request.onOpened === undefined) return resync(request, work);
  const { header, seenAt } = newestOf(request);
  const { number, hash, parentHash, timestamp } = header;
  const empty = { slots: new Map(), removed: [], added: [] };
  const { market } = request;
  market.hold("pools are being read");
  market.commit(
    { head: { number, hash, parentHash, timestamp }, reset: true, ...empty },
    { released: market.due(Number.POSITIVE_INFINITY), seenAt },
  );
  work.ring = [floorAt(header)];
  request.onOpened();
}

async function resync(request: Request, work: Work): Promise<void> {
  const { market, log } = request;
  const start = performance.now();
  const newest = () => newestOf(request);
  const keep = (settled: Settled) => {
    work.settled = settled;
  };
  work.ring = await sync({ indexing: request, settled: work.settled, newest, explain: market.explain, keep });
  const { pools, tokens } = market.port.counts();
  const ms = Math.round(performance.now() - start);
  log.info({ pools, tokens, block: market.head()?.number, ms }, "state built");
}

/** A node that fails is expected; anything else is a bug, and following goes on all the same. */
function complain({ log, market }: IndexerRequest, error: unknown, failures: number): void {
  if (!(error instanceof NodeFailure)) {
    log.error({ err: error }, "following the chain failed");
    return;
  }
  market.explain(`a node failed: ${error.words}`);
  if (failures === 3) log.warn({ why: error.message, kind: error.kind }, "cannot follow the chain: retrying");
}
