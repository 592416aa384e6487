import type { RouteResult } from "../../core/routing/types.ts";
import type { FindRequest, SearchSession } from "../../service/ports/ports.ts";

/**
 * A cache of search results at the present state. A complete result depends on the request and the state alone, so the
 * same request is searched once for all callers; every change of the state empties the cache.
 */
export type Answers = {
  /** Empties the cache; to be called at every change of the priceable pools or their states. */
  forget(): void;
  /** Wraps a session: cached results are returned without a search, and new ones are cached. */
  keeping(session: SearchSession): SearchSession;
  /**
   * Runs a session on cached results alone.
   *
   * @returns undefined where it needs a result that is not cached; the work has to be run again then
   */
  recall<T>(
    block: Omit<SearchSession, "find">,
    work: (session: SearchSession) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
};

/**
 * Most results in the cache; the oldest is evicted first. A caller with many different requests can only cause the
 * requests of others to be searched again.
 */
const MOST_KEPT = 256;

/** Thrown into a session that needs a result which is not cached. */
const UNKNOWN = Symbol("the answer is not known");

export function createAnswers(): Answers {
  let known = new Map<string, RouteResult>();
  return {
    forget: () => {
      if (known.size > 0) known = new Map();
    },
    keeping(session) {
      const ofThisState = known;
      const find = async (request: FindRequest) => {
        const key = keyOf(request);
        const before = ofThisState.get(key);
        if (before !== undefined) return before;
        const result = await session.find(request);
        if (isRepeatable(request, result)) keep(ofThisState, key, result);
        return result;
      };
      return { ...session, find };
    },
    async recall(block, work) {
      if (known.size === 0) return undefined;
      const find = async (request: FindRequest) => {
        const result = known.get(keyOf(request));
        if (result === undefined) throw UNKNOWN;
        return result;
      };
      try {
        return { value: await work({ ...block, find }) };
      } catch (error) {
        if (error === UNKNOWN) return undefined;
        throw error;
      }
    },
  };
}

function keep(known: Map<string, RouteResult>, key: string, result: RouteResult): void {
  known.set(key, result);
  if (known.size <= MOST_KEPT) return;
  const [oldest] = known.keys();
  known.delete(oldest!);
}

/**
 * Whether a result may be cached: not one that ran out of time, nor one with the prices of all tokens, which is
 * megabytes.
 */
function isRepeatable(request: FindRequest, result: RouteResult): boolean {
  return result.kind === "found" && result.search.complete && request.wantsPrices !== true;
}

/**
 * Cache key: all fields of a request that determine the result. `timeoutMs` is left out, since it only determines
 * whether the result is complete.
 */
function keyOf({ allowed, timeoutMs: _, ...asked }: FindRequest): string {
  const { tokenIn, tokenOut, amount, side, gasPriceWei, maxHops, maxLegs, ...wishes } = asked;
  const { isUnproven = false, wantsPrices = false, wantsAccount = false, ...others } = wishes;
  // A new field of FindRequest does not compile here until it is added to the key.
  void (others satisfies Record<string, never>);
  const terms = `${tokenIn} ${tokenOut} ${side} ${amount} ${gasPriceWei} ${maxHops} ${maxLegs}`;
  const told = `${isUnproven} ${wantsPrices} ${wantsAccount}`;
  const sources = allowed.deployments === "all" ? "" : JSON.stringify(allowed.deployments.toSorted());
  const avoided = allowed.avoided.length === 0 ? "" : JSON.stringify(allowed.avoided.toSorted());
  return `${terms} ${told} ${allowed.vetted} ${sources} ${avoided}`;
}
