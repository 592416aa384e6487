import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { allowedBy } from "../../core/allowance.ts";
import type { Registry } from "../../core/protocol.ts";
import type { Engine } from "../../core/routing/types.ts";
import type { Address, At, Chain, Head, PoolId, StateId } from "../../core/types.ts";
import type { FindRequest, MarketPort, SearchSession } from "../../service/ports/ports.ts";
import type { ChainStatus } from "../../service/ports/ports-status.ts";
import { elapsedMs } from "../elapsed.ts";
import { nextAt } from "../next-at.ts";
import type { SearchThreads } from "../workers/search-threads.ts";
import type { StateBus } from "../workers/state-bus.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { type Aside, createAside } from "./aside.ts";
import { type Book, type Change, createBook } from "./book.ts";
import { type Counts, createCounts } from "./counts.ts";
import { isEmptyOf } from "./emptiness.ts";
import { concernedBy, createOffers, type Offers } from "./offers.ts";
import { createOverlay, type Overlay } from "./overlay.ts";
import { createWaiters } from "./waiters.ts";

/** The market of one chain: the indexer commits to it, the services read it through `port`. */
export type Market = {
  readonly book: Book;
  readonly port: MarketPort;
  head(): Head | undefined;
  /** Commits the changes of a block atomically. */
  commit(change: Change, facts: CommitFacts): void;
  /**
   * Commits states that do not come from a block, such as makers' levels, atomically; `onCommit` listeners are not
   * called.
   *
   * @returns false where there is no head yet; nothing is committed then
   */
  amend(change: Pick<Change, "slots" | "removed" | "added">): boolean;
  /**
   * Prices these states of the block that is being built in the place of the committed ones. Each call replaces the
   * states of the one before, and the next commit removes them. The book and the head do not change, and no listener is
   * called.
   */
  preview(states: ReadonlyMap<StateId, unknown>): void;
  /** Records that the committed head was the newest one at this time of `elapsedMs`. */
  confirm(atMs: number): void;
  /** Sets the reason in the status of a market that has no head yet. */
  explain(reason: string): void;
  /** Quarantines a pool for all callers for a while. Only for a proof that no request can influence. */
  quarantine(poolId: PoolId, reason: string): void;
  /** Reports the market as starting, though it may have a head, until `open`. */
  hold(reason: string): void;
  open(): void;
  /** Pools whose quarantine is over at this block. */
  due(blockNumber: number): readonly PoolId[];
  depthNative: Engine["depthNative"];
  onCommit(listener: (head: Head) => void): void;
  /** Calls the listener with every change once it is in the book, before it can be priced. */
  onChange(listener: (change: Change) => void): void;
};

type CommitFacts = {
  /** Pools to release from quarantine. */
  readonly released: readonly PoolId[];
  /** When this head was seen to be the newest, by `elapsedMs`; undefined where it is not. */
  readonly seenAt: number | undefined;
};

type MarketRequest = {
  readonly chain: Chain;
  readonly registry: Registry;
  readonly engine: Engine;
  /** Whether a token is vetted: a request may limit its search to pools of vetted tokens. */
  readonly isVetted: (token: Address) => boolean;
  /** Search threads with replicas of the market, and the bus that keeps them; absent: this thread searches. */
  readonly search?: MarketSearch | undefined;
  readonly log: Logger;
};

export type MarketSearch = { readonly bus: StateBus; readonly threads: SearchThreads };

export function createMarket(request: MarketRequest): Market {
  const { chain, engine, log } = request;
  const book = createBook();
  const priced = createOverlay(book);
  const aside = createAside();
  const answers = createAnswers();
  const offers = createOffers({ ...request, book: priced, aside, answers, head: () => head });
  const waiters = createWaiters();
  const listeners: ((head: Head) => void)[] = [];
  const watchers: ((change: Change) => void)[] = [];
  let head: Head | undefined;
  const freshness = createFreshness();

  const at = () => atOf(chain, head);
  const setAside = (poolId: PoolId, why: string) => {
    if (head === undefined || !book.pools.has(poolId)) return;
    log.warn({ pool: poolId, reason: why }, "pool quarantined");
    offers.setAside(poolId, at(), why);
  };
  const counts = createCounts({ book, aside, engine });
  const shared = { ...request, book, priced, aside, answers, counts, at };
  const takeOver = takingOver({ ...shared, offers, watchers });
  return {
    book,
    port: portOf({ ...shared, freshness, waiters, head: () => head }),
    quarantine: setAside,
    head: () => head,
    commit(change, { released, seenAt }) {
      freshness.arrived(change.head, seenAt);
      head = change.head;
      takeOver(change, released, true);
      waiters.reached(head.number);
      for (const listener of listeners) listener(head);
    },
    amend(change) {
      if (head !== undefined) takeOver({ ...change, head, reset: false }, [], false);
      return head !== undefined;
    },
    preview: previewing({ ...shared, offers, head: () => head }),
    ...{ confirm: freshness.confirm, explain: freshness.explain },
    ...{ hold: freshness.hold, open: freshness.open },
    due: (blockNumber) => aside.due(blockNumber),
    depthNative: (token) => engine.depthNative(token),
    onCommit: (listener) => void listeners.push(listener),
    onChange: (listener) => void watchers.push(listener),
  };
}

type Previewing = Pick<TakingOver, "book" | "priced" | "offers" | "at"> & {
  readonly head: () => Head | undefined;
};

function previewing({ book, priced, offers, at, head }: Previewing): Market["preview"] {
  return (states) => {
    if (head() === undefined) return;
    const concerned = readersOf(book, priced.replace(states));
    offers.update({ reset: false, concerned }, [], at());
  };
}

function readersOf(book: Book, states: Iterable<StateId>): Set<PoolId> {
  return new Set([...states].flatMap((id) => [...book.readersOf(id)]));
}

type TakingOver = {
  readonly book: Book;
  readonly priced: Overlay;
  readonly counts: Counts;
  readonly offers: Offers;
  readonly watchers: readonly ((change: Change) => void)[];
  readonly at: () => At;
};

/**
 * Applies a change to the book and to everything that follows it, at a cost in proportion to the size of the change.
 */
function takingOver({ book, priced, counts, offers, watchers, at }: TakingOver) {
  return (change: Change, released: readonly PoolId[], isBlock: boolean) => {
    const previewed = isBlock ? readersOf(book, priced.replace(new Map())) : [];
    const gone = change.reset ? [...book.pools.keys()] : [];
    book.apply(change);
    for (const watch of watchers) watch(change);
    const concerned = concernedBy(book, change);
    counts.update(gone);
    counts.update(concerned);
    offers.update({ reset: change.reset, concerned: [...concerned, ...previewed] }, released, at());
  };
}

function atOf(chain: Chain, head: Head | undefined): At {
  if (head === undefined) throw new Error("the market has no state yet");
  return nextAt(head, chain.blockTimeMs);
}

/** The status of the market: whether it is live, and how long ago its head was last confirmed. */
function createFreshness() {
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let newest: Head["hash"] | undefined;
  let arrivedAt = Number.NEGATIVE_INFINITY;
  let reason = "no node has answered yet";
  let isHeld = false;
  let wasLive = false;
  return {
    status(head: Head | undefined): ChainStatus {
      if (head === undefined || isHeld) return { phase: "starting", reason, wasLive };
      const now = elapsedMs();
      return { phase: "live", head, ageMs: Math.max(0, now - confirmedAt), headAgeMs: now - arrivedAt };
    },
    arrived(head: Head, seenAt: number | undefined): void {
      if (seenAt !== undefined) confirmedAt = Math.max(confirmedAt, seenAt);
      if (head.hash !== newest) arrivedAt = elapsedMs();
      newest = head.hash;
    },
    confirm(atMs: number): void {
      confirmedAt = Math.max(confirmedAt, atMs);
    },
    explain(why: string): void {
      reason = why;
    },
    hold(why: string): void {
      isHeld = true;
      reason = why;
    },
    open(): void {
      isHeld = false;
      wasLive = true;
    },
  };
}

type PortParts = MarketRequest & {
  readonly book: Book;
  readonly priced: Overlay;
  readonly aside: Aside;
  readonly at: () => At;
  readonly freshness: ReturnType<typeof createFreshness>;
  readonly waiters: ReturnType<typeof createWaiters>;
  readonly answers: Answers;
  readonly counts: Counts;
  readonly head: () => Head | undefined;
};

/** The interface of the market for the services. */
function portOf({ freshness, waiters, counts, head, ...parts }: PortParts): MarketPort {
  return {
    status: () => ({ ...freshness.status(head()), searchTrouble: parts.search?.threads.trouble() }),
    ...readers({ ...parts, head }),
    waitFor: (blockNumber, timeoutMs) => waiters.wait(blockNumber, timeoutMs, head()?.number ?? -1),
    isTraded: (token) => head() !== undefined && !isEmptyOf(token, { ...parts, at: parts.at() }),
    counts: counts.read,
    quarantined: counts.quarantined,
  };
}

type Reading = MarketRequest & {
  readonly book: Book;
  readonly priced: Overlay;
  readonly answers: Answers;
  readonly at: () => At;
  readonly head: () => Head | undefined;
};

/** The part of the port that reads the engine and the book. */
function readers(reading: Reading) {
  const { engine, book, at, search } = reading;
  return {
    at,
    view: () => book.view(),
    parallel: search?.threads.parallel ?? 1,
    session: <T>(caller: string, work: (session: SearchSession) => Promise<T>) =>
      sessionOf(reading, caller, work),
    nativePer: (token: Address) => engine.nativePer(token),
    priceDepth: (token: Address) => engine.priceDepth(token),
  };
}

/** Runs a session; one whose results are all cached does not wait for a search thread. */
async function sessionOf<T>(
  reading: Reading,
  caller: string,
  work: (session: SearchSession) => Promise<T>,
): Promise<T> {
  const { answers, search } = reading;
  if (search === undefined) return work(answers.keeping(ownSession(reading)));
  const recalled = await answers.recall(blockOf(reading), work);
  if (recalled !== undefined) return recalled.value;
  return search.threads.session(
    caller,
    () => blockOf(reading),
    (session) => work(answers.keeping(session)),
  );
}

function blockOf({ priced, at, head }: Reading): Omit<SearchSession, "find"> {
  return { head: head()!, at: at(), view: priced.view(), isPreconfirmed: priced.isThere() };
}

/** A session that searches on this thread, synchronously. */
function ownSession(reading: Reading): SearchSession {
  const { engine, isVetted } = reading;
  const block = blockOf(reading);
  return {
    ...block,
    find: async ({ allowed, ...query }: FindRequest) => {
      const allows = allowedBy(allowed, query, isVetted);
      return engine.find({ ...query, allows, at: block.at, now: () => performance.now() });
    },
  };
}
