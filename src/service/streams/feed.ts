import { BraidError } from "../../core/errors.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { MarketPort } from "../ports/ports.ts";
import { type Priced, type PriceRequest, prepare, price } from "../pricing/price.ts";

/** An event of a followed request: an offer, or the failure in its place. */
export type FeedEvent =
  | { readonly kind: "offer"; readonly priced: Priced }
  | { readonly kind: "failed"; readonly failure: BraidError };

type Listener = (event: FeedEvent) => void;

/** Streams of offers: each followed request is priced again for each block, once for all of its listeners. */
export type Feed = {
  /**
   * Calls `tell` with the newest offer for a request as soon as there is one, and again after each block.
   *
   * @returns a function that ends the subscription
   * @throws BraidError as `prepare`; OVERLOADED where too many requests are followed
   */
  follow(request: PriceRequest, tell: Listener): () => void;
  /** Number of distinct requests that are followed. */
  topics(): number;
};

type Topic = {
  readonly request: PriceRequest;
  readonly listeners: Set<Listener>;
  /** The last event, and the number of the block that it was made in. */
  last: { readonly event: FeedEvent; readonly block: number } | undefined;
  /** Whether its offer must be made again although there is no new block. */
  isDue: boolean;
};

type FeedOptions = {
  /** Most distinct requests. */
  readonly mostTopics: number;
  /**
   * Resolves once no caller waits for an answer, or after `mostMs`: a feed's searches have a lower priority than
   * theirs.
   */
  readonly idle: (mostMs: number) => Promise<void>;
  /** Called with unexpected errors; the listeners then get an INTERNAL failure. */
  readonly onBug: (error: unknown) => void;
};

/** Without a new block for this long, all offers are made again, because the state may have become too old. */
const QUIET_MS = 15_000;
/**
 * Under permanent load, a feed's offers take one part in `PART` of the time, and the wait before an offer is at most
 * `MOST_GIVEN_WAY_MS`.
 */
const PART = 20;
const MOST_GIVEN_WAY_MS = 2_000;
/** Weight of the newest offer in the moving average of the time that one takes. */
const NEWEST = 0.2;

export function createFeed(deps: Deps, options: FeedOptions): Feed {
  const topics = new Map<string, Topic>();
  const context: Running = { deps, options, topics, running: new Map(), paceMs: 0 };
  return {
    topics: () => topics.size,
    follow(request, tell) {
      prepare(deps, request);
      const key = keyOf(request);
      const topic = topics.get(key) ?? newTopic(context, key, request);
      topic.listeners.add(tell);
      if (topic.last !== undefined) tell(topic.last.event);
      const wake = context.running.get(request.chainId);
      if (wake === undefined) void run(context, request.chainId);
      else wake();
      return () => {
        topic.listeners.delete(tell);
        if (topic.listeners.size === 0) topics.delete(key);
      };
    },
  };
}

function newTopic({ topics, options }: Running, key: string, request: PriceRequest): Topic {
  if (topics.size >= options.mostTopics) throw tooMany(topics.size);
  const topic: Topic = { request, listeners: new Set(), last: undefined, isDue: false };
  topics.set(key, topic);
  return topic;
}

function keyOf(request: PriceRequest): string {
  return JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

function tooMany(topics: number): BraidError {
  return new BraidError(
    "OVERLOADED",
    `Streams of ${topics} different requests are open, which is the most.`,
    {
      retryAfterSeconds: 10,
    },
  );
}

type Running = {
  readonly deps: Deps;
  readonly options: FeedOptions;
  readonly topics: Map<string, Topic>;
  /** By chain with a running loop: the function that wakes the loop when a topic is added. */
  readonly running: Map<number, () => void>;
  /** Moving average of the time to make an offer and to pass it to its listeners, milliseconds. */
  paceMs: number;
};

/** Makes the due offers of one chain, one at a time, until no request is followed there. */
async function run(context: Running, chainId: number): Promise<void> {
  const { deps, topics, running } = context;
  const { market } = servedChain(deps, chainId);
  const here = () => [...topics.values()].filter(({ request }) => request.chainId === chainId);
  let wait: Promise<void> | undefined;
  running.set(chainId, () => undefined);
  for (let all = here(); all.length > 0; all = here()) {
    const due = dueFirst(all, blockOf(market));
    if (due !== undefined) {
      await giveWay(context);
      await update(context, due);
      continue;
    }
    wait ??= market.waitFor(blockOf(market) + 1, QUIET_MS).then((isNew) => {
      wait = undefined;
      if (!isNew) for (const topic of here()) topic.isDue = true;
    });
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    running.set(chainId, resolve);
    await Promise.race([wait, woken]);
  }
  running.delete(chainId);
}

/**
 * The due topic with the oldest offer, topics without any offer first; a topic is due without an offer of this block.
 */
function dueFirst(topics: readonly Topic[], block: number): Topic | undefined {
  const age = ({ last }: Topic) => last?.block ?? Number.NEGATIVE_INFINITY;
  return topics
    .filter(({ isDue, last }) => isDue || last?.block !== block)
    .reduce<Topic | undefined>((a, b) => (a === undefined || age(b) < age(a) ? b : a), undefined);
}

function blockOf({ status }: MarketPort): number {
  const now = status();
  return now.phase === "live" ? now.head.number : -1;
}

async function giveWay({ deps, options, paceMs }: Running): Promise<void> {
  await options.idle(Math.min(MOST_GIVEN_WAY_MS, (PART - 1) * paceMs));
  await deps.pause();
}

async function update(context: Running, topic: Topic): Promise<void> {
  if (topic.listeners.size === 0) return;
  const { deps, options } = context;
  const begunMs = deps.monotonicMs();
  const block = blockOf(servedChain(deps, topic.request.chainId).market);
  const event = await price(deps, topic.request).then(
    (priced): FeedEvent => ({ kind: "offer", priced }),
    (error: unknown): FeedEvent => {
      if (error instanceof BraidError) return { kind: "failed", failure: error };
      options.onBug(error);
      return { kind: "failed", failure: new BraidError("INTERNAL", "Something went wrong here.") };
    },
  );
  topic.last = { event, block };
  topic.isDue = false;
  for (const tell of [...topic.listeners]) tell(event);
  context.paceMs += NEWEST * (deps.monotonicMs() - begunMs - context.paceMs);
}
