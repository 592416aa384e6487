import { BraidError } from "../../core/errors.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { MarketPort } from "../ports/ports.ts";
import { type Priced, type PriceRequest, prepare, price } from "../pricing/price.ts";

/** What followers of a request are told: an offer, or why there is none. */
export type FeedEvent =
  | { readonly kind: "offer"; readonly priced: Priced }
  | { readonly kind: "failed"; readonly failure: BraidError };

type Listener = (event: FeedEvent) => void;

/** Offers that are made again for each block, once for all who follow the same request. */
export type Feed = {
  /**
   * Tells the newest offer for a request as soon as there is one, and again after each block.
   *
   * @returns ends it
   * @throws BraidError as `price`, but for what the search finds; OVERLOADED where too many requests are followed
   */
  follow(request: PriceRequest, tell: Listener): () => void;
  /** Different requests that are followed. */
  topics(): number;
};

type Topic = {
  readonly request: PriceRequest;
  readonly listeners: Set<Listener>;
  /** What was told last, and the number of the block that it was found in. */
  last: { readonly event: FeedEvent; readonly block: number } | undefined;
  /** Its offer is to be made again although no block has come. */
  isDue: boolean;
};

type FeedOptions = {
  /** Different requests at most. */
  readonly mostTopics: number;
  /** Resolves once nobody waits for an answer, and after so long at the latest: a feed's searches come after theirs. */
  readonly idle: (mostMs: number) => Promise<void>;
  /** Told of what nobody foresaw; followers are told that something went wrong. */
  readonly onBug: (error: unknown) => void;
};

/** Without a block for so long, all offers are made again: the state may have become too old. */
const QUIET_MS = 15_000;
/** Under a load that never ends, offers of a feed take one part in so many of the time, and one is made in so many milliseconds at least. */
const PART = 20;
const MOST_GIVEN_WAY_MS = 2_000;
/** Weight of the newest offer in the mean time that one takes. */
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
  /** Chains on which something is followed, each with what tells that a topic is new there. */
  readonly running: Map<number, () => void>;
  /** Mean time that it takes to make an offer and to tell it. */
  paceMs: number;
};

/** Makes the offers that are due on one chain, one at a time, until nothing is followed there. */
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

/** Of the topics without an offer of this block, the one whose offer is oldest; first of all those that have none. */
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
