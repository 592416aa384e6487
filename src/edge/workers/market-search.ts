import type { Logger } from "pino";
import type { Engine } from "../../core/routing/types.ts";
import type { Address, Chain } from "../../core/types.ts";
import { type Change, stateOf } from "../market/book.ts";
import type { MarketSearch } from "../market/market.ts";
import { createInProcessBus } from "./in-process-bus.ts";
import { patchedInParts } from "./patched-in-parts.ts";
import { openSearchThreads } from "./search-threads.ts";
import type { ThreadLimits } from "./thread.ts";

/** The registry that threads load: functions cannot be sent to them. */
export const REGISTRY_URL = new URL("../../protocols/index.ts", import.meta.url).href;

export const THREAD_LIMITS: ThreadLimits = {
  graceMs: 2_000,
  answerMs: 10_000,
  levelMs: 60_000,
  spareMs: 15_000,
  oldMb: 768,
  youngMb: 24,
};

type SearchRequest = {
  readonly chain: Chain;
  /** Tokens of the lists that ship with the program. */
  readonly listed: readonly Address[];
  /** Threads that search at a time. */
  readonly count: number;
  readonly log: Logger;
};

/** Search threads of one chain, with the bus that keeps their copies; undefined where none are wanted. */
export function openMarketSearch({ chain, listed, count, log }: SearchRequest): MarketSearch | undefined {
  if (count === 0) return undefined;
  const bus = createInProcessBus(chain.id, Date.now());
  const data = { chain, registryUrl: REGISTRY_URL, listed };
  const queue = { waitMs: 2_000, mostWaiting: 512 };
  return { bus, threads: openSearchThreads({ count, bus, data, limits: THREAD_LIMITS, ...queue, log }) };
}

/** The engine of the thread that commits: where others search, it takes large changes over in parts. */
export function engineBeside(search: MarketSearch | undefined, engine: Engine, log: Logger): Engine {
  if (search === undefined) return engine;
  return patchedInParts(engine, (pool, err) => log.error({ pool, err }, "the engine threw on a pool"));
}

/** Does ahead of a commit what can be done in turns with requests. */
export async function prepareFor(search: MarketSearch | undefined, { slots }: Change): Promise<void> {
  const states = [...slots.values()].map(stateOf).filter((state) => state !== undefined);
  await search?.bus.prepare(states);
}
