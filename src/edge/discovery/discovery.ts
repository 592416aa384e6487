import { performance } from "node:perf_hooks";
import type { Pool, PoolId } from "../../core/types.ts";
import { type Asking, createAsking } from "./ask.ts";
import { backfill, newCursor } from "./backfill.ts";
import { readHubs } from "./hubs.ts";
import { createKnown } from "./known.ts";
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

type DiscoveryRequest = Omit<DiscoveryContext, "known" | "signal" | "progress">;

/** New pools that wait until their depth is asked for. */
const MOST_FRESH = 10_000;

export function createDiscovery(request: DiscoveryRequest): Discovery {
  const over = new AbortController();
  const woken = new Set<PoolId>();
  const context = contextOf(request, woken, over.signal);
  const { known, progress } = context;
  const asking = createAsking(context, () => performance.now());
  const cursor = newCursor();
  const fresh: Pool[] = [];
  let filling: Promise<void> | undefined;
  let generation = 0;
  let work: Promise<void> = Promise.resolve();
  const complain = (error: unknown) => context.log.error({ err: error }, "discovery failed");
  const begin = async (mine: number) => {
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
      over.abort();
      await work;
      await filling;
    },
  };
}

/** @param woken takes the pools that came into the market */
function contextOf(request: DiscoveryRequest, woken: Set<PoolId>, signal: AbortSignal): DiscoveryContext {
  const progress: Progress = { phase: "connecting", step: "waiting for a node", done: 0, total: 0 };
  const indexer: DiscoveryContext["indexer"] = {
    ...request.indexer,
    async adopt(batch) {
      const isTaken = await request.indexer.adopt(batch);
      if (isTaken) for (const { id } of batch.pools) woken.add(id);
      return isTaken;
    },
  };
  return { ...request, indexer, known: createKnown(), progress, signal };
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
