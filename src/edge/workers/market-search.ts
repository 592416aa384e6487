import type { Logger } from "pino";
import type { Engine } from "../../core/routing/types.ts";
import type { Address, Chain } from "../../core/types.ts";
import { type Change, stateOf } from "../market/book.ts";
import type { MarketSearch } from "../market/market.ts";
import { createInProcessBus } from "./in-process-bus.ts";
import { patchedInParts } from "./patched-in-parts.ts";
import { openSearchThreads } from "./search-threads.ts";
import type { ThreadLimits } from "./thread.ts";

/** Module of the registry, which threads import themselves, since functions cannot be sent to a worker. */
export const REGISTRY_URL = new URL("../../protocols/index.ts", import.meta.url).href;

export const THREAD_LIMITS: ThreadLimits = {
  graceMs: 2_000,
  answerMs: 10_000,
  levelMs: 60_000,
  spareMs: 15_000,
  restartMs: 1_000,
  oldMb: 768,
  youngMb: 24,
};

type SearchRequest = {
  readonly chain: Chain;
  /** Tokens of the token lists that ship with the program. */
  readonly listed: readonly Address[];
  /** Threads that search at the same time; 0 = the main thread searches. */
  readonly count: number;
  readonly log: Logger;
};

/** Starts the search threads of one chain, and the bus that keeps their replicas; undefined where `count` is 0. */
export function openMarketSearch({ chain, listed, count, log }: SearchRequest): MarketSearch | undefined {
  if (count === 0) return undefined;
  const bus = createInProcessBus(chain.id, Date.now());
  const data = { chain, registryUrl: REGISTRY_URL, listed };
  const queue = { waitMs: 2_000, mostWaiting: 512 };
  return { bus, threads: openSearchThreads({ count, bus, data, limits: THREAD_LIMITS, ...queue, log }) };
}

/** The engine of the committing thread: where other threads search, it applies large changes in parts. */
export function engineBeside(search: MarketSearch | undefined, engine: Engine, log: Logger): Engine {
  if (search === undefined) return engine;
  return patchedInParts(engine, (pool, err) => log.error({ pool, err }, "the engine threw on a pool"));
}

/** Encodes the states of a commit for the bus ahead of it, in steps between which requests are served. */
export async function prepareFor(search: MarketSearch | undefined, { slots }: Change): Promise<void> {
  const states = [...slots.values()].map(stateOf).filter((state) => state !== undefined);
  await search?.bus.prepare(states);
}
