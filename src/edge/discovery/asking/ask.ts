import { forgetOldest } from "../../../core/forget-oldest.ts";
import { type Address, NATIVE, type Pool, type PoolId } from "../../../core/types.ts";
import type { DiscoveryContext } from "../types.ts";
import { sleepPools } from "../waking/floor.ts";
import { readPair, readRemembered } from "./pair.ts";
import { type Answer, createQuestions } from "./questions.ts";
import { createTurns } from "./turns.ts";

/** Most pools that are kept in the market because callers asked for them, and most answers that are remembered. */
const LIMITS = { mostPools: 4_000, mostAnswers: 20_000 };
/** Milliseconds after which a pair without pools is asked for again, unless a pool of its tokens is announced before. */
const AGAIN_AFTER_MS = 600_000;
/** Most tokens whose newest announcement is remembered. */
const MOST_ANNOUNCED = 20_000;

const NOBODY = "";

/** Finds the pools of tokens for which callers ask a price. */
export type Asking = {
  /**
   * Whether the pools of these tokens were read and are in the market; counts as a use by this caller. While the market
   * of the last run is being read again: whether the pools of the pair's routes there were.
   */
  isCovered(tokens: readonly [Address, Address], caller: string): boolean;
  /**
   * Reads the pools of these tokens unless they are covered; callers take turns.
   *
   * @throws NodeFailure `rate-limit` where too many pairs wait already
   */
  cover(tokens: readonly [Address, Address], caller: string): Promise<void>;
  /**
   * Notes a pool that a new log announced: pairs of its tokens for which no pool was found are asked for again. Pairs with
   * pools are not, so that nobody who creates pools makes the callers of traded tokens wait.
   */
  announced(pool: Pool): void;
  /** Keeps pools that callers of an earlier run asked for, as those of no caller, so that they are the first to go. */
  recall(pools: readonly PoolId[]): void;
  /** Forgets all answers. To be called when the market restarts. */
  reset(): void;
};

/** @param now monotonic milliseconds */
export function createAsking(everywhere: DiscoveryContext, now: () => number): Asking {
  const context = { ...everywhere, lens: everywhere.askedLens };
  const { chain, recollection } = context;
  const wrapped = (token: Address) => (token === NATIVE ? chain.wrappedNative : token);
  const keyOf = (tokens: readonly Address[]) => tokens.map(wrapped).sort().join();
  const questions = createQuestions(LIMITS);
  /** Pairs for which the pools of the last run's routes were read again, as "tokenIn,tokenOut". */
  const remembered = new Set<string>();
  const isHubs = hubsTraded(context);
  const announcements = createAnnouncements((token) => !chain.hubs.includes(token), now);
  const isCovered: Asking["isCovered"] = (tokens, caller) => {
    const key = keyOf(tokens);
    if (recollection.memory !== undefined) return remembered.has(tokens.join());
    if (isHubs(tokens.map(wrapped))) return true;
    const answer = questions.use(caller, key);
    if (answer === undefined || answer.pools.length > 0) return answer !== undefined;
    return now() - answer.at < AGAIN_AFTER_MS && !announcements.cameSince(answer.at, tokens.map(wrapped));
  };
  const keep = (caller: string, key: string, answer: Answer) =>
    sleepPools(context, questions.put(caller, key, answer), "asked");
  const turns = createTurns(async ({ tokens, key, caller }) => {
    // The time before the read, which may miss a pool that is announced meanwhile.
    const at = now();
    const isRemembered = await readRemembered(context, tokens);
    if (!isRemembered)
      keep(caller, key, { at, pools: await readPair(context, tokens.map(wrapped) as [Address, Address]) });
    if (recollection.memory !== undefined) remembered.add(tokens.join());
  });
  return {
    isCovered,
    cover(tokens, caller) {
      if (isCovered(tokens, caller)) return Promise.resolve();
      return turns({ caller, key: keyOf(tokens), tokens });
    },
    announced: ({ tokens }) => announcements.note(tokens.map(wrapped)),
    recall(pools) {
      for (const id of pools) keep(NOBODY, id, { at: now(), pools: [id] });
    },
    reset() {
      questions.clear();
      remembered.clear();
    },
  };
}

/**
 * Whether tokens are hubs with pools in the market. The deepest pools are read first, so that a hub with one has the
 * deepest.
 */
function hubsTraded({ chain, market }: DiscoveryContext) {
  const isHub = (token: Address) => chain.hubs.includes(token);
  return (tokens: readonly Address[]) =>
    tokens.every((token) => isHub(token) && market.book.poolsOf(token).size > 0);
}

/** Remembers when pools of a token were announced last, for the tokens that `counts` accepts. */
function createAnnouncements(counts: (token: Address) => boolean, now: () => number) {
  const lastAt = new Map<Address, number>();
  return {
    note(tokens: readonly Address[]): void {
      for (const token of tokens.filter(counts)) {
        lastAt.delete(token);
        lastAt.set(token, now());
      }
      forgetOldest(lastAt, MOST_ANNOUNCED);
    },
    cameSince: (at: number, tokens: readonly Address[]) =>
      tokens.some((token) => (lastAt.get(token) ?? Number.NEGATIVE_INFINITY) >= at),
  };
}
