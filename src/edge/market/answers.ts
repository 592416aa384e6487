import type { RouteResult } from "../../core/routing/types.ts";
import type { FindRequest, SearchSession } from "../../service/ports/ports.ts";

/**
 * What searches of the present state have answered. An answer follows from the request and the state alone, so the same
 * request at the same state is searched once, whoever asks; the next change of the state empties it.
 */
export type Answers = {
  /** Called at every change of what may be priced. */
  forget(): void;
  /** The session with its answers kept; one that is known is not searched again. */
  keeping(session: SearchSession): SearchSession;
  /**
   * Runs a session on known answers alone.
   *
   * @returns undefined where it asks for one that is not known; the work is then to be run again
   */
  recall<T>(
    block: Omit<SearchSession, "find">,
    work: (session: SearchSession) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
};

/** Answers kept of one state. The oldest goes first, so that a caller with many requests costs others a search at most. */
const MOST_KEPT = 256;

/** Thrown into a session that asks for what is not known. */
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

/** What ran out of time would be better another time; prices of every token are megabytes. */
function isRepeatable(request: FindRequest, result: RouteResult): boolean {
  return result.kind === "found" && result.search.complete && request.wantsPrices !== true;
}

/** All that decides an answer, field by field. The time that it may take decides only whether it is complete. */
function keyOf({ allowed, timeoutMs: _, ...asked }: FindRequest): string {
  const { tokenIn, tokenOut, amount, side, gasPriceWei, maxHops, maxLegs, ...wishes } = asked;
  const { isUnproven = false, wantsPrices = false, wantsAccount = false, ...others } = wishes;
  // A field that is not in the key yet does not compile here.
  void (others satisfies Record<string, never>);
  const terms = `${tokenIn} ${tokenOut} ${side} ${amount} ${gasPriceWei} ${maxHops} ${maxLegs}`;
  const told = `${isUnproven} ${wantsPrices} ${wantsAccount}`;
  const sources = allowed.deployments === "all" ? "" : JSON.stringify(allowed.deployments.toSorted());
  const avoided = allowed.avoided.length === 0 ? "" : JSON.stringify(allowed.avoided.toSorted());
  return `${terms} ${told} ${allowed.vetted} ${sources} ${avoided}`;
}
