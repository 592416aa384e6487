import { type Address, NATIVE, type PoolId } from "../../../core/types.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import { createFairQueue } from "../../workers/callers/fair-queue.ts";
import type { DiscoveryContext } from "../types.ts";
import { sleepPools } from "../waking/floor.ts";
import { readPair, readRemembered } from "./pair.ts";
import { createQuestions } from "./questions.ts";

/** Questions under way at once, of all callers and of one. */
const MOST_AT_ONCE = 16;
const MOST_OF_ONE = 4;
/** Questions that wait their turn; more are told to come again. */
const MOST_WAITING = 256;
/** Answers and pools that are kept for having been asked for. */
const LIMITS = { mostPools: 4_000, mostAnswers: 20_000 };
/** Milliseconds after which a pair without pools is asked for again. */
const AGAIN_AFTER_MS = 600_000;

const NOBODY = "";

/** Finds the pools of tokens that somebody asks a price for. */
export type Asking = {
  /** Whether all that can be asked by pair of these tokens is in the market; counts as a use by this caller. */
  isCovered(tokens: readonly [Address, Address], caller: string): boolean;
  /** Reads what is not, callers taking turns. @throws NodeFailure `rate-limit` where too much is being read already */
  cover(tokens: readonly [Address, Address], caller: string): Promise<void>;
  /** Pools that an earlier run had for being asked for: nobody's, so the first to go. */
  recall(pools: readonly PoolId[]): void;
  /** Says that the market begins anew. */
  reset(): void;
};

type Work = {
  readonly caller: string;
  readonly key: string;
  readonly tokens: readonly [Address, Address];
  readonly done: (error?: unknown) => void;
};

/** @param now monotonic milliseconds */
export function createAsking(everywhere: DiscoveryContext, now: () => number): Asking {
  const context = { ...everywhere, lens: everywhere.askedLens };
  const { chain, recollection } = context;
  const wrapped = (token: Address) => (token === NATIVE ? chain.wrappedNative : token);
  const keyOf = (tokens: readonly Address[]) => tokens.map(wrapped).sort().join();
  const questions = createQuestions(LIMITS);
  const waiting = new Map<string, Promise<void>>();
  /** From and to which tokens routes of the last run were read again. */
  const remembered = new Set<string>();
  const isHubs = hubsTraded(context);
  const isCovered: Asking["isCovered"] = (tokens, caller) => {
    const key = keyOf(tokens);
    if (recollection.memory !== undefined) return remembered.has(tokens.join());
    if (isHubs(tokens.map(wrapped))) return true;
    const answer = questions.use(caller, key);
    return answer !== undefined && (answer.pools.length > 0 || now() - answer.at < AGAIN_AFTER_MS);
  };
  const keep = (caller: string, key: string, pools: readonly PoolId[]) =>
    sleepPools(context, questions.put(caller, key, { at: now(), pools }), "asked");
  const turns = createTurns(async ({ tokens, key, caller }) => {
    const isRemembered = await readRemembered(context, tokens);
    if (!isRemembered) keep(caller, key, await readPair(context, tokens.map(wrapped) as [Address, Address]));
    if (recollection.memory !== undefined) remembered.add(tokens.join());
  });
  return {
    isCovered,
    cover(tokens, caller) {
      const key = keyOf(tokens);
      if (isCovered(tokens, caller)) return Promise.resolve();
      const work = waiting.get(key) ?? turns(caller, key, tokens).finally(() => waiting.delete(key));
      waiting.set(key, work);
      return work;
    },
    recall(pools) {
      for (const id of pools) keep(NOBODY, id, [id]);
    },
    reset() {
      questions.clear();
      remembered.clear();
    },
  };
}

/** Whether tokens are hubs that have pools: the deepest come first, so a hub that has one has what counts. */
function hubsTraded({ chain, market }: DiscoveryContext) {
  const isHub = (token: Address) => chain.hubs.includes(token);
  return (tokens: readonly Address[]) =>
    tokens.every((token) => isHub(token) && market.book.poolsOf(token).size > 0);
}

/** Runs works so that callers take turns, and none has more than its share under way. */
function createTurns(run: (work: Work) => Promise<void>) {
  const queue = createFairQueue<Work>(MOST_WAITING);
  const running = new Map<string, number>();
  let count = 0;
  const add = (caller: string, change: number) => {
    const of = (running.get(caller) ?? 0) + change;
    if (of === 0) running.delete(caller);
    else running.set(caller, of);
    count += change;
  };
  const start = () => {
    const later: Work[] = [];
    while (count < MOST_AT_ONCE) {
      const work = queue.next();
      if (work === undefined) break;
      if ((running.get(work.caller) ?? 0) >= MOST_OF_ONE) {
        later.push(work);
        continue;
      }
      add(work.caller, 1);
      void run(work)
        .then(() => work.done(), work.done)
        .finally(() => {
          add(work.caller, -1);
          start();
        });
    }
    for (const work of later) queue.push(work);
  };
  return (caller: string, key: string, tokens: readonly [Address, Address]) =>
    new Promise<void>((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      const refused = queue.push({ caller, key, tokens, done });
      refused?.done(new NodeFailure("rate-limit", "pools of other tokens are being read"));
      start();
    });
}
