import { type Costs, createCosts } from "../../core/callers/costs.ts";
import { BraidError } from "../../core/errors.ts";
import type { Hex } from "../../core/types.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { MarketPort } from "../ports/ports.ts";
import { type Priced, type PriceRequest, prepare, price } from "../pricing/price.ts";

/** An event of a followed request: an offer, or the failure in its place. */
export type FeedEvent =
  | { readonly kind: "offer"; readonly priced: Priced }
  | { readonly kind: "failed"; readonly failure: BraidError };

type Listener = (event: FeedEvent) => void;

/**
 * Streams of offers: each followed request is priced again for each block, once for all of its listeners. Callers get
 * equal shares of the time, however many requests they follow and however long these take.
 */
export type Feed = {
  /**
   * Calls `tell` with the newest offer for a request as soon as there is one, and again after each block.
   *
   * @returns a function that ends the subscription
   * @param caller on whose behalf
   * @throws BraidError as `prepare`
   */
  follow(request: PriceRequest, caller: string, tell: Listener): () => void;
  /** Number of distinct requests that are followed. */
  topics(): number;
};

/** The newest block of a market; number -1 before the first. */
type Block = { readonly number: number; readonly hash: Hex | undefined };

type Topic = {
  readonly request: PriceRequest;
  /** Listeners, each with its caller. */
  readonly listeners: Map<Listener, string>;
  /** The last event, and the block that it was made in. */
  last: { readonly event: FeedEvent; readonly block: Block } | undefined;
  /** Failures in a row, but for those before a search, which cost nothing: of a chain that cannot be priced now. */
  failures: number;
  /** Whether its offer must be made again although there is no new block. */
  isDue: boolean;
};

type FeedOptions = {
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
/** Interval at which the newest block is compared while no higher one comes: a reorg may replace it at its height. */
const LOOK_MS = 500;
/**
 * Under permanent load, a feed's offers take one part in `PART` of the time, and the wait before an offer is at most
 * `MOST_GIVEN_WAY_MS`.
 */
const PART = 20;
const MOST_GIVEN_WAY_MS = 2_000;
/** Most blocks from one failure to the next attempt. */
const MOST_SKIPPED = 8;
/** Weight of the newest offer in the moving average of the time that one takes. */
const NEWEST = 0.2;

export function createFeed(deps: Deps, options: FeedOptions): Feed {
  const topics = new Map<string, Topic>();
  const context: Running = { deps, options, topics, running: new Map(), costs: createCosts(), paceMs: 0 };
  return {
    topics: () => topics.size,
    follow(request, caller, tell) {
      prepare(deps, request);
      const key = keyOf(request);
      const topic = topics.get(key) ?? newTopic(context, key, request);
      topic.listeners.set(tell, caller);
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

function newTopic({ topics }: Running, key: string, request: PriceRequest): Topic {
  const topic: Topic = { request, listeners: new Map(), last: undefined, failures: 0, isDue: false };
  topics.set(key, topic);
  return topic;
}

function keyOf(request: PriceRequest): string {
  return JSON.stringify(request, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

type Running = {
  readonly deps: Deps;
  readonly options: FeedOptions;
  readonly topics: Map<string, Topic>;
  /** By chain with a running loop: the function that wakes the loop when a topic is added. */
  readonly running: Map<number, () => void>;
  readonly costs: Costs;
  /** Moving average of the time to make an offer and to pass it to its listeners, milliseconds. */
  paceMs: number;
};

/** Makes the due offers of one chain, one at a time, until no request is followed there. */
async function run(context: Running, chainId: number): Promise<void> {
  const { deps, topics, running } = context;
  const { market } = servedChain(deps, chainId);
  const here = () => [...topics.values()].filter(({ request }) => request.chainId === chainId);
  const isQuiet = createQuiet(deps);
  let wait: Promise<void> | undefined;
  running.set(chainId, () => undefined);
  for (let all = here(); all.length > 0; all = here()) {
    const block = blockOf(market);
    const due = all.filter((topic) => isDueAt(topic, block));
    if (isQuiet(block, due.length > 0)) for (const topic of all) topic.isDue = true;
    if (due.length > 0) {
      await giveWay(context);
      await serve(context, due);
      continue;
    }
    wait ??= market.waitFor(block.number + 1, LOOK_MS).then(() => {
      wait = undefined;
    });
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    running.set(chainId, resolve);
    await Promise.race([wait, woken]);
  }
  running.delete(chainId);
}

/** @returns a function that says, at each call, whether for `QUIET_MS` there was neither a new block nor anything to make */
function createQuiet({ monotonicMs }: Deps): (block: Block, isBusy: boolean) => boolean {
  let hash: Block["hash"];
  let sinceMs = monotonicMs();
  return (block, isBusy) => {
    const isQuiet = !isBusy && block.hash === hash;
    const isDue = isQuiet && monotonicMs() - sinceMs >= QUIET_MS;
    if (!isQuiet || isDue) sinceMs = monotonicMs();
    hash = block.hash;
    return isDue;
  };
}

/**
 * Whether a topic has no offer of this block. After failures in a row, 1, 2, 4 … blocks pass before the next attempt: a
 * search that finds nothing often takes the longest.
 */
function isDueAt({ isDue, last, failures }: Topic, block: Block): boolean {
  if (isDue || last === undefined) return true;
  const blocks = block.number - last.block.number;
  if (blocks <= 0) return block.hash !== last.block.hash;
  return blocks >= Math.min(MOST_SKIPPED, 2 ** Math.max(0, failures - 1));
}

type Turn = { readonly topic: Topic; readonly caller: string; readonly tag: number };

/** Updates the topic whose turn it is, on account of the caller of its listeners who was served least. */
async function serve(context: Running, due: readonly Topic[]): Promise<void> {
  const { costs, deps } = context;
  const turns = due.flatMap((topic) =>
    [...new Set(topic.listeners.values())].map((caller) => ({ topic, caller, tag: costs.tag(caller) })),
  );
  // Every listener may have left while others were given way to.
  if (turns.length === 0) return;
  const { topic, caller } = turns.reduce(earlier);
  const record = costs.begin(caller);
  const begunMs = deps.monotonicMs();
  await update(context, topic, caller);
  const ms = deps.monotonicMs() - begunMs;
  record(ms);
  context.paceMs += NEWEST * (ms - context.paceMs);
}

/** The turn of the caller served least; of the turns of one caller, that of the oldest offer, of none before any. */
function earlier(a: Turn, b: Turn): Turn {
  if (a.tag !== b.tag) return a.tag < b.tag ? a : b;
  const age = ({ topic: { last } }: Turn) => last?.block.number ?? Number.NEGATIVE_INFINITY;
  return age(b) < age(a) ? b : a;
}

function blockOf({ status }: MarketPort): Block {
  const now = status();
  return now.phase === "live" ? now.head : { number: -1, hash: undefined };
}

async function giveWay({ deps, options, paceMs }: Running): Promise<void> {
  await options.idle(Math.min(MOST_GIVEN_WAY_MS, (PART - 1) * paceMs));
  await deps.pause();
}

/**
 * Makes the newest offer of a topic and sends it to the listeners.
 *
 * @param caller whose account the search is on, so that one that has to be stopped pauses the streams of this caller and
 * not those of everybody. It is another account than that of the caller's other requests, which may be many.
 */
async function update(context: Running, topic: Topic, caller: string): Promise<void> {
  const { deps, options } = context;
  const block = blockOf(servedChain(deps, topic.request.chainId).market);
  const event = await price(deps, { ...topic.request, caller: `streams of ${caller}` }).then(
    (priced): FeedEvent => ({ kind: "offer", priced }),
    (error: unknown): FeedEvent => {
      if (error instanceof BraidError) return { kind: "failed", failure: error };
      options.onBug(error);
      return { kind: "failed", failure: new BraidError("INTERNAL", "Something went wrong here.") };
    },
  );
  topic.last = { event, block };
  topic.isDue = false;
  if (event.kind === "offer") topic.failures = 0;
  else if (event.failure.reason !== "STALE_STATE") topic.failures += 1;
  for (const tell of [...topic.listeners.keys()]) {
    try {
      tell(event);
    } catch (error) {
      // Nobody awaits the loop of a chain's streams: an error that left it would end the process.
      options.onBug(error);
    }
  }
}
