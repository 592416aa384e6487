import { performance } from "node:perf_hooks";
import type { Pool, PoolId } from "../../core/types.ts";
import { type Asking, createAsking } from "./asking/ask.ts";
import { backfill, type Cursor, newCursor } from "./backfill.ts";
import { readHints } from "./hints.ts";
import { readHubs } from "./hubs.ts";
import { createKnown, type Known } from "./known/known.ts";
import type { Checkpoint } from "./restart/checkpoint.ts";
import { noRecollection } from "./restart/recollection.ts";
import { resume } from "./restart/resume.ts";
import type { DiscoveryContext, Progress } from "./types.ts";
import { wakeAgain } from "./waking/again.ts";
import { createAwake } from "./waking/awake.ts";
import { createFresh, type Fresh } from "./waking/fresh.ts";
import { persistently, wake } from "./waking/wake.ts";

/**
 * Finds the pools of a chain while it is served: first those of the hubs, at any time those that callers ask for, then
 * all others.
 */
export type Discovery = {
  /**
   * Begins to read the checkpoint of an earlier run before a node answers, where the chain's genesis hash is
   * configured.
   */
  start(): void;
  /** To be called when the market starts or restarts, empty, at the newest block. */
  opened(): void;
  /** Adds pools that new logs announced. */
  found(pools: readonly Pool[]): void;
  /** Notes pools that new logs may have changed, whether known or not. */
  touched(pools: Iterable<PoolId>): void;
  readonly asking: Asking;
  readonly progress: Readonly<Progress>;
  /** Numbers of known pools and of their tokens. */
  counts(): { readonly pools: number; readonly tokens: number };
  stop(): Promise<void>;
};

type Own = "known" | "awake" | "recollection" | "signal" | "progress" | "save";

type DiscoveryRequest = Omit<DiscoveryContext, Own> & {
  /** Undefined where nothing is kept between runs. */
  readonly checkpoint: Checkpoint | undefined;
};

const SAVE_EVERY_MS = 5_000;
/**
 * States are written at every STATES_EVERY-th save; rarely, since a restart only uses them to choose what to read
 * first.
 */
const STATES_EVERY = 6;

export function createDiscovery(request: DiscoveryRequest): Discovery {
  const over = new AbortController();
  const cursor = newCursor();
  const base = createKnown();
  const saver = createSaver(request, () => ({ cursor, context }));
  const context = contextOf(request, { base, save: saver.save, signal: over.signal });
  const { known, progress } = context;
  const asking = createAsking(context, () => performance.now());
  const fresh = createFresh(context);
  const begin = createStart(context, { request, base, cursor, asking, fresh, onRecalled: saver.begin });
  let generation = 0;
  let work: Promise<void> = Promise.resolve();
  return {
    start: () => void (context.chain.genesis !== undefined && begin.early()),
    opened() {
      const mine = ++generation;
      asking.reset();
      const isOver = () => over.signal.aborted || mine !== generation;
      work = work.then(() => begin.first(isOver)).catch(complainTo(context));
    },
    found(pools) {
      for (const pool of pools.filter(known.add)) {
        fresh.add(pool);
        asking.announced(pool);
      }
    },
    touched: fresh.touched,
    asking,
    progress,
    counts: () => ({ pools: known.size(), tokens: known.tokens() }),
    async stop() {
      if (over.signal.aborted) return;
      over.abort();
      await work;
      await begin.filled();
      await saver.end();
      await request.checkpoint?.close();
    },
  };
}

const complainTo = (context: DiscoveryContext) => (error: unknown) =>
  context.log.error({ err: error }, "discovery failed");

type StartParts = {
  readonly request: DiscoveryRequest;
  readonly base: Known;
  readonly cursor: Cursor;
  readonly asking: Asking;
  readonly fresh: Fresh;
  readonly onRecalled: () => void;
};

/**
 * Steps at each start of the market: first, and only once, the checkpoint of the last run; then the hubs; then the
 * backfill.
 */
function createStart(context: DiscoveryContext, parts: StartParts) {
  const { cursor, base, asking, fresh, onRecalled } = parts;
  const { checkpoint } = parts.request;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let onFirst = (): void => undefined;
  let isRecalled = false;
  let recalled: ReturnType<typeof resume> | undefined;
  let filling: Promise<void> | undefined;
  const recall = () => {
    if (checkpoint === undefined) return undefined;
    recalled ??= resume(context, { checkpoint, cursor, base, asking, opened, onFirst: () => onFirst() });
    return recalled;
  };
  return {
    /** Begins to read the checkpoint; a failure is ignored here, since `first` awaits the same promise. */
    early: () => void recall()?.catch(() => undefined),
    async first(isOver: () => boolean): Promise<void> {
      const say = reporter(context);
      onFirst = () => {
        if (isOver() || context.market.port.status().phase === "live") return;
        context.market.open();
        say("ready: the deepest pools are priced");
      };
      open();
      const readAgain = isRecalled ? undefined : await recall();
      isRecalled = true;
      onRecalled();
      await readAgain?.();
      await readFirst(context, { isOver, onFirst, say });
      const checkHints = async () => checkpoint && readHints(context, cursor, checkpoint);
      const sources = { checkHints, takeFresh: fresh.take };
      if (!isOver()) filling ??= backfill(context, cursor, sources).catch(complainTo(context));
    },
    filled: () => filling,
  };
}

/** Writes what is new to the checkpoint at intervals and once at the end. */
function createSaver(
  { checkpoint, market }: DiscoveryRequest,
  parts: () => { readonly cursor: Cursor; readonly context: DiscoveryContext },
) {
  let isBegun = false;
  let isSaving = false;
  let count = 0;
  const write = async (withStates: boolean) => {
    if (!isBegun || checkpoint === undefined) return;
    const { cursor, context } = parts();
    const states = withStates ? statesOf(context) : [];
    const everything = () => ({ pools: [...context.known.all()], awake: new Map(context.awake.all()) });
    await checkpoint.save({ cursor, newest: market.head()?.number ?? 0, states, everything });
  };
  const timer = setInterval(async () => {
    if (isSaving) return;
    isSaving = true;
    await write(++count % STATES_EVERY === 0);
    isSaving = false;
  }, SAVE_EVERY_MS).unref();
  return {
    save: () => write(false),
    /** Allows writing. To be called once the old checkpoint has been read, so that nothing in it is lost. */
    begin() {
      isBegun = true;
    },
    end() {
      clearInterval(timer);
      return write(true);
    },
  };
}

function* statesOf({ awake, market }: DiscoveryContext) {
  for (const [id, why] of awake.all()) {
    const slot = market.book.slot(market.book.pools.get(id)?.stateIds[0] ?? id);
    yield [id, slot !== undefined && "state" in slot ? slot.state : undefined, why] as const;
  }
}

type ContextParts = Pick<DiscoveryContext, "save" | "signal"> & { readonly base: Known };

function contextOf(request: DiscoveryRequest, { base, ...parts }: ContextParts): DiscoveryContext {
  const { checkpoint } = request;
  const progress: Progress = { phase: "connecting", step: "waiting for a node", done: 0, total: 0 };
  const renew = (pool: Pool) => checkpoint?.found(pool);
  const known: DiscoveryContext["known"] = {
    ...base,
    add(pool) {
      const isNew = base.add(pool);
      if (isNew) renew(pool);
      return isNew;
    },
    renew,
  };
  const awake = createAwake((id, why) => checkpoint?.moved(id, why));
  return { ...request, ...parts, known, awake, progress, recollection: noRecollection() };
}

/** Logs the number of pools and tokens in the market and the milliseconds since the call of `reporter`. */
function reporter({ market, log }: DiscoveryContext) {
  const start = performance.now();
  return (what: string) => {
    const { pools, tokens } = market.port.counts();
    log.info({ pools, tokens, ms: Math.round(performance.now() - start) }, what);
  };
}

type First = {
  readonly isOver: () => boolean;
  readonly onFirst: () => void;
  readonly say: (what: string) => void;
};

/**
 * Reads the hubs, and then the pools that were in the market before it restarted. The market opens as soon as the
 * deepest pools of the hubs are there.
 */
async function readFirst(context: DiscoveryContext, { isOver, onFirst, say }: First): Promise<void> {
  await persistently(context, () => readHubs(context, onFirst));
  if (isOver()) return;
  say("all hubs are priced");
  const isThere = (id: PoolId) => context.market.book.pools.has(id);
  await wakeAgain({ ...context, isThere }, async (pools, why) => {
    await persistently(context, () => wake(context, pools, { why }));
  });
}
