import type { Logger } from "pino";
import type { Engine, MarketChange } from "../../core/routing/types.ts";
import type { At, Head, Pool, PoolId } from "../../core/types.ts";
import type { StateBus } from "../workers/state-bus.ts";
import type { Answers } from "./answers.ts";
import type { Aside } from "./aside.ts";
import { type Book, type Change, stateOf } from "./book.ts";
import type { Overlay } from "./overlay.ts";

/** Keeps the engine and the search threads in step with the pools that can be priced. */
export type Offers = {
  /** Quarantines a pool, and removes it from the engine. */
  setAside(id: PoolId, at: At, reason: string): void;
  /** Passes a change on that is in the book already. */
  update(change: Concerning, released: readonly PoolId[], at: At): void;
};

type Concerning = {
  /** Whether all earlier pools and states were dropped. */
  readonly reset: boolean;
  /** Pools whose states the change may have changed, or that it may have made priceable or unpriceable. */
  readonly concerned: Iterable<PoolId>;
};

type OffersRequest = {
  /** The book with the states of an unsealed block laid over it. */
  readonly book: Pick<Overlay, "pools" | "slot" | "view">;
  readonly aside: Aside;
  readonly answers: Answers;
  readonly engine: Engine;
  /** Search threads, whose bus receives every change that the engine receives. */
  readonly search?: { readonly bus: StateBus } | undefined;
  readonly head: () => Head | undefined;
  readonly log: Logger;
};

export function createOffers(request: OffersRequest): Offers {
  const { book, aside, answers, engine, search, head, log } = request;
  const offered = new Set<PoolId>();
  const isLive = (pool: Pool | undefined): pool is Pool =>
    pool !== undefined &&
    !aside.has(pool.id) &&
    pool.stateIds.every((id) => stateOf(book.slot(id)) !== undefined);
  const publish = ({ pools, removed }: MarketChange, reset: boolean) => {
    const kept = pools.filter(({ id }) => offered.has(id));
    const thrown = pools.filter(({ id }) => !offered.has(id)).map(({ id }) => id);
    search?.bus.publish({
      head: head()!,
      reset,
      pools: kept,
      removed: [...removed, ...thrown],
      stateOf: (id) => stateOf(book.slot(id)),
    });
  };
  const give = (change: MarketChange, at: At, reset = false) => {
    answers.forget();
    for (const { pool, error } of patchOrName(change, (one) => engine.patch(one, book.view(), at))) {
      log.error({ pool, err: error }, "the engine threw on a pool");
      aside.put(pool, at.blockNumber, "the engine threw on it");
      offered.delete(pool);
    }
    publish(change, reset);
  };
  return {
    setAside(id, at, reason) {
      aside.put(id, at.blockNumber - 1, reason);
      give({ pools: [], removed: offered.delete(id) ? [id] : [] }, at);
    },
    update({ reset, concerned }, released, at) {
      for (const pool of released) aside.release(pool);
      const ids = new Set([...released, ...concerned, ...(reset ? offered : [])]);
      const pools = [...ids].map((id) => book.pools.get(id)).filter(isLive);
      const live = new Set(pools.map(({ id }) => id));
      const removed = [...ids].filter((id) => !live.has(id) && offered.delete(id));
      for (const id of live) offered.add(id);
      give({ pools, removed }, at, reset);
    },
  };
}

/**
 * Pools that a change affects: removed, added, and those that read a changed state. The book has the change already.
 */
export function concernedBy(
  book: Book,
  { removed, added, slots }: Pick<Change, "removed" | "added" | "slots">,
): Set<PoolId> {
  const ids = new Set(removed);
  for (const { id } of added) ids.add(id);
  for (const state of slots.keys()) for (const id of book.readersOf(state)) ids.add(id);
  return ids;
}

type Failed = { readonly pool: PoolId; readonly error: unknown };

/**
 * Applies a change to the engine. Where that throws, the pools are applied one by one, so that an error of one pool
 * leaves out that pool only.
 *
 * @returns the pools on which the engine throws
 */
export function patchOrName(change: MarketChange, patch: (change: MarketChange) => void): Failed[] {
  const thrown = (one: MarketChange): { error: unknown } | undefined => {
    try {
      patch(one);
      return undefined;
    } catch (error) {
      return { error };
    }
  };
  if (thrown(change) === undefined) return [];
  thrown({ pools: [], removed: change.removed });
  return change.pools.flatMap((pool) => {
    const failure = thrown({ pools: [pool], removed: [] });
    return failure === undefined ? [] : [{ pool: pool.id, ...failure }];
  });
}
