import { type Address, NATIVE, type PoolId } from "../../../core/types.ts";
import type { DiscoveryContext } from "../types.ts";
import { sleepPools } from "../waking/floor.ts";
import { readPair, readRemembered } from "./pair.ts";
import { createQuestions } from "./questions.ts";
import { createTurns } from "./turns.ts";

/** Most pools that are kept in the market because callers asked for them, and most answers that are remembered. */
const LIMITS = { mostPools: 4_000, mostAnswers: 20_000 };
/** Milliseconds after which a pair without pools is asked for again. */
const AGAIN_AFTER_MS = 600_000;

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
      if (isCovered(tokens, caller)) return Promise.resolve();
      return turns({ caller, key: keyOf(tokens), tokens });
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

/**
 * Whether tokens are hubs with pools in the market. The deepest pools are read first, so that a hub with one has the
 * deepest.
 */
function hubsTraded({ chain, market }: DiscoveryContext) {
  const isHub = (token: Address) => chain.hubs.includes(token);
  return (tokens: readonly Address[]) =>
    tokens.every((token) => isHub(token) && market.book.poolsOf(token).size > 0);
}
