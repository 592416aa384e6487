import { BraidError } from "../../core/errors.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { MarketPort } from "../ports.ts";
import { type Priced, type PriceRequest, prepare, price } from "../price.ts";

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
};

type FeedOptions = {
  /** Different requests at most. */
  readonly mostTopics: number;
  /** Whether somebody waits for an answer: a feed's searches come after theirs. */
  readonly isBusy: () => boolean;
  /** Told of what nobody foresaw; followers are told that something went wrong. */
  readonly onBug: (error: unknown) => void;
};

/** Without a block for so long, what is followed is looked at again: the state may have become too old. */
const QUIET_MS = 15_000;
/** A search of a feed gives way to others for at most so long. */
const GIVE_WAY_MS = 50;

export function createFeed(deps: Deps, options: FeedOptions): Feed {
  const topics = new Map<string, Topic>();
  const context: Running = { deps, options, topics, running: new Set() };
  return {
    topics: () => topics.size,
    follow(request, tell) {
      prepare(deps, request);
      const key = keyOf(request);
      const topic = topics.get(key) ?? newTopic(context, key, request);
      topic.listeners.add(tell);
      if (topic.last !== undefined) tell(topic.last.event);
      if (!context.running.has(request.chainId)) void run(context, request.chainId);
      return () => {
        topic.listeners.delete(tell);
        if (topic.listeners.size === 0) topics.delete(key);
      };
    },
  };
}

function newTopic(context: Running, key: string, request: PriceRequest): Topic {
  const { topics, options, deps } = context;
  if (topics.size >= options.mostTopics) throw tooMany(topics.size);
  const topic: Topic = { request, listeners: new Set(), last: undefined };
  topics.set(key, topic);
  void giveWay(deps, options).then(() => update(context, topic));
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
  /** Chains that are looked after. */
  readonly running: Set<number>;
};

/** Looks after the topics of one chain, one search at a time, until none is left. */
async function run(context: Running, chainId: number): Promise<void> {
  const { deps, options, topics, running } = context;
  const { market } = servedChain(deps, chainId);
  const here = () => [...topics.values()].filter(({ request }) => request.chainId === chainId);
  running.add(chainId);
  for (let block = blockOf(market); here().length > 0; ) {
    const isNew = await market.waitFor(block + 1, QUIET_MS);
    block = blockOf(market);
    for (const topic of here()) {
      if (isNew && topic.last?.block === block) continue;
      await giveWay(deps, options);
      await update(context, topic);
    }
  }
  running.delete(chainId);
}

function blockOf({ status }: MarketPort): number {
  const now = status();
  return now.phase === "live" ? now.head.number : -1;
}

async function giveWay({ pause, monotonicMs }: Deps, { isBusy }: FeedOptions): Promise<void> {
  const start = monotonicMs();
  do await pause();
  while (isBusy() && monotonicMs() - start < GIVE_WAY_MS);
}

async function update({ deps, options }: Running, topic: Topic): Promise<void> {
  if (topic.listeners.size === 0) return;
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
  for (const tell of [...topic.listeners]) tell(event);
}
