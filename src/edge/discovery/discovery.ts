import { performance } from "node:perf_hooks";
import type { Pool } from "../../core/types.ts";
import { type Asking, createAsking } from "./ask.ts";
import { readHubs } from "./hubs.ts";
import { createKnown } from "./known.ts";
import type { DiscoveryContext, Progress } from "./types.ts";
import { persistently } from "./wake.ts";

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

export type DiscoveryRequest = Omit<DiscoveryContext, "known" | "signal" | "progress">;

export function createDiscovery(request: DiscoveryRequest): Discovery {
  const over = new AbortController();
  const known = createKnown();
  const progress: Progress = { phase: "connecting", step: "waiting for a node", done: 0, total: 0 };
  const context: DiscoveryContext = { ...request, known, progress, signal: over.signal };
  const asking = createAsking(context, () => performance.now());
  let generation = 0;
  let work: Promise<void> = Promise.resolve();
  const run = async (mine: number) => {
    const start = performance.now();
    const say = (what: string) => {
      const { pools, tokens } = context.market.port.counts();
      context.log.info({ pools, tokens, ms: Math.round(performance.now() - start) }, what);
    };
    const onFirst = () => {
      if (mine !== generation) return;
      context.market.open();
      say("ready: the deepest pools of the hub tokens are priced");
    };
    await persistently(context, () => readHubs(context, onFirst));
    if (over.signal.aborted || mine !== generation) return;
    Object.assign(progress, { phase: "discovering", step: "serving the hubs", done: 0, total: 0 });
    say("all hubs are priced");
  };
  return {
    opened() {
      const mine = ++generation;
      asking.reset();
      work = work
        .then(() => run(mine))
        .catch((error: unknown) => {
          context.log.error({ err: error }, "discovery failed");
        });
    },
    found(pools) {
      for (const pool of pools) known.add(pool);
    },
    asking,
    progress,
    counts: () => ({ pools: known.size(), tokens: known.tokens() }),
    async stop() {
      over.abort();
      await work;
    },
  };
}
