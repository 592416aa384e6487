import { performance } from "node:perf_hooks";
import type { Pool, PoolId } from "../../core/types.ts";
import { type Asking, createAsking } from "./ask.ts";
import { backfill, newCursor } from "./backfill.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { readHubs } from "./hubs.ts";
import { createKnown, type Known } from "./known.ts";
import type { DiscoveryContext, Progress } from "./types.ts";
import { persistently, wake } from "./wake.ts";

/** Finds the pools of a chain while it is served: hubs first, then what is asked for, then everything. */
export type Discovery = {
  /** The market began anew, empty, at the newest block. */
  opened(): void;
  /** Pools that new logs announced. */
  found(pools: readonly Pool[]): void;
  readonly asking: Asking;
  readonly progress: Readonly<Progress>;
  /** Pools and tokens that were found. */
  counts(): { readonly pools: number; readonly tokens: number };
  stop(): Promise<void>;
};

type DiscoveryRequest = Omit<DiscoveryContext, "known" | "signal" | "progress" | "save"> & {
  /** Absent: what is found ends with the process. */
  readonly checkpoint: Checkpoint | undefined;
};

/** New pools that wait until their depth is asked for. */
const MOST_FRESH = 10_000;
const SAVE_EVERY_MS = 5_000;

export function createDiscovery(request: DiscoveryRequest): Discovery {
  const over = new AbortController();
  const { checkpoint } = request;
  const cursor = newCursor();
  const woken = new Set<PoolId>();
  const base = createKnown();
  let isRecalled = false;
  const save = () => isRecalled && checkpoint?.save(cursor, request.market.head()?.number ?? 0);
  const context = contextOf(request, { woken, base, save, signal: over.signal });
  const { known, progress } = context;
  const saving = setInterval(save, SAVE_EVERY_MS).unref();
  const asking = createAsking(context, () => performance.now());
  const fresh: Pool[] = [];
  let filling: Promise<void> | undefined;
  let generation = 0;
  let work: Promise<void> = Promise.resolve();
  const complain = (error: unknown) => context.log.error({ err: error }, "discovery failed");
  const begin = async (mine: number) => {
    if (!isRecalled) await checkpoint?.recall({ known: base, woken, cursor });
    isRecalled = true;
    const isOver = () => over.signal.aborted || mine !== generation;
    await readFirst(context, woken, isOver);
    if (!isOver()) filling ??= backfill(context, cursor, () => fresh.splice(0)).catch(complain);
  };
  return {
    opened() {
      const mine = ++generation;
      asking.reset();
      work = work.then(() => begin(mine)).catch(complain);
    },
    found(pools) {
      for (const pool of pools) if (known.add(pool) && fresh.length < MOST_FRESH) fresh.push(pool);
    },
    asking,
    progress,
    counts: () => ({ pools: known.size(), tokens: known.tokens() }),
    async stop() {
      const isFirst = !over.signal.aborted;
      over.abort();
      clearInterval(saving);
      await work;
      await filling;
      if (isFirst) save();
    },
  };
}

type ContextParts = Pick<DiscoveryContext, "save" | "signal"> & {
  /** Takes the pools that came into the market. */
  readonly woken: Set<PoolId>;
  readonly base: Known;
};

function contextOf(request: DiscoveryRequest, { woken, base, ...parts }: ContextParts): DiscoveryContext {
  const { checkpoint } = request;
  const progress: Progress = { phase: "connecting", step: "waiting for a node", done: 0, total: 0 };
  const known: Known = {
    ...base,
    add(pool) {
      const isNew = base.add(pool);
      if (isNew) checkpoint?.found(pool);
      return isNew;
    },
  };
  const indexer: DiscoveryContext["indexer"] = {
    ...request.indexer,
    async adopt(batch) {
      const isTaken = await request.indexer.adopt(batch);
      for (const { id } of isTaken ? batch.pools : []) {
        if (!woken.has(id)) checkpoint?.woke(id);
        woken.add(id);
      }
      return isTaken;
    },
  };
  return { ...request, ...parts, indexer, known, progress };
}

/** The hubs, and what was in the market before it began anew. The market is opened as soon as its deepest pools are there. */
async function readFirst(
  context: DiscoveryContext,
  woken: ReadonlySet<PoolId>,
  isOver: () => boolean,
): Promise<void> {
  const start = performance.now();
  const say = (what: string) => {
    const { pools, tokens } = context.market.port.counts();
    context.log.info({ pools, tokens, ms: Math.round(performance.now() - start) }, what);
  };
  const onFirst = () => {
    if (isOver()) return;
    context.market.open();
    say("ready: the deepest pools of the hub tokens are priced");
  };
  await persistently(context, () => readHubs(context, onFirst));
  if (isOver()) return;
  say("all hubs are priced");
  const before = [...woken].map((id) => context.known.get(id)).filter((pool) => pool !== undefined);
  await persistently(context, () => wake(context, before));
}
