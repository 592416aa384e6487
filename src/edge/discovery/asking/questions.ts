import type { PoolId } from "../../../core/types.ts";

/** Result of reading the pools of a pair. */
export type Answer = {
  /** When it was read, monotonic milliseconds. */
  readonly at: number;
  /** Pools of the pair's tokens that were found or known. */
  readonly pools: readonly PoolId[];
};

export type QuestionLimits = {
  /** Most pools that all answers together hold. */
  readonly mostPools: number;
  /** Most answers that are remembered, where an answer counts once for each caller that holds it. */
  readonly mostAnswers: number;
};

/**
 * Remembers which callers asked for which pair. Where there are too many pools or answers, the caller with the largest
 * share loses the answer that it used least recently; the answer stays if other callers asked for it too.
 */
export type Questions = {
  /** The answer for a pair. It counts as used by this caller now, unless that needs room beyond `mostAnswers`. */
  use(caller: string, pair: string): Answer | undefined;
  /** Stores the answer for a pair. @returns pools that no answer holds any more */
  put(caller: string, pair: string, answer: Answer): PoolId[];
  /** Number of pools that some answer holds. */
  pools(): number;
  clear(): void;
};

type Entry = { readonly answer: Answer; readonly callers: Set<string> };
/**
 * Pairs of one caller, the least recently used first, and the caller's weight: 1 for each pair and 1 for each pool of
 * its answer.
 */
type Share = { readonly pairs: Set<string>; weight: number };

export function createQuestions({ mostPools, mostAnswers }: QuestionLimits): Questions {
  const entries = new Map<string, Entry>();
  const shares = createShares();
  const holders = new Map<PoolId, number>();
  const leave = (caller: string, pair: string): PoolId[] => {
    const entry = entries.get(pair)!;
    shares.remove(caller, pair, weightOf(entry));
    entry.callers.delete(caller);
    if (entry.callers.size > 0) return [];
    entries.delete(pair);
    return entry.answer.pools.filter((id) => release(holders, id));
  };
  const join = (caller: string, pair: string, entry: Entry) => {
    shares.add(caller, pair, weightOf(entry));
    entry.callers.add(caller);
  };
  const shrink = (): PoolId[] => {
    const freed: PoolId[] = [];
    while (holders.size > mostPools || shares.pairs() > mostAnswers) freed.push(...leave(...shares.first()));
    return freed;
  };
  return {
    use(caller, pair) {
      const entry = entries.get(pair);
      if (entry === undefined) return undefined;
      if (entry.callers.has(caller) || shares.pairs() < mostAnswers) join(caller, pair, entry);
      return entry.answer;
    },
    put(caller, pair, answer) {
      const before = [...(entries.get(pair)?.callers ?? [])];
      const freed = before.flatMap((one) => leave(one, pair));
      const entry: Entry = { answer, callers: new Set() };
      entries.set(pair, entry);
      for (const id of answer.pools) holders.set(id, (holders.get(id) ?? 0) + 1);
      for (const one of new Set([...before, caller])) join(one, pair, entry);
      return [...new Set([...freed, ...shrink()])].filter((id) => !holders.has(id));
    },
    pools: () => holders.size,
    clear() {
      entries.clear();
      shares.clear();
      holders.clear();
    },
  };
}

function weightOf({ answer }: Entry): number {
  return 1 + answer.pools.length;
}

/** Shares of the callers. */
function createShares() {
  const shares = new Map<string, Share>();
  let count = 0;
  return {
    pairs: () => count,
    /** Adds a pair to a caller's share, or marks it as used again. */
    add(caller: string, pair: string, weight: number): void {
      const share = shares.get(caller) ?? { pairs: new Set<string>(), weight: 0 };
      shares.set(caller, share);
      if (!share.pairs.delete(pair)) {
        share.weight += weight;
        count++;
      }
      share.pairs.add(pair);
    },
    remove(caller: string, pair: string, weight: number): void {
      const share = shares.get(caller);
      if (share === undefined || !share.pairs.delete(pair)) return;
      share.weight -= weight;
      count--;
      if (share.pairs.size === 0) shares.delete(caller);
    },
    /** The next pair to drop: the least recently used one of the caller with the largest weight. */
    first(): [caller: string, pair: string] {
      const [caller, { pairs }] = [...shares].reduce((a, b) => (b[1].weight > a[1].weight ? b : a));
      return [caller, pairs.values().next().value!];
    },
    clear(): void {
      shares.clear();
      count = 0;
    },
  };
}

/** Counts one holder of the pool less. @returns whether none is left */
function release(holders: Map<PoolId, number>, id: PoolId): boolean {
  const left = (holders.get(id) ?? 1) - 1;
  if (left > 0) holders.set(id, left);
  else holders.delete(id);
  return left <= 0;
}
