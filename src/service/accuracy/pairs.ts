import { forgetOldest } from "../../core/forget-oldest.ts";
import { type Address, NATIVE } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import type { ServedChain } from "../ports/ports.ts";
import type { WatchedPair } from "../ports/ports-accuracy.ts";
import { createSeries, type Series } from "./figures.ts";

/** A watched pair, with its measured losses within ten seconds. */
export type Watched = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly drifts: Series;
  readonly sinceMs: number;
};

/** The pairs that the service quotes by itself, at amounts that it chooses. */
export type Pairs = {
  /** The next pair in round-robin order; undefined where there is none. */
  next(): Watched | undefined;
  /** Adds a pair that a caller requested. Callers influence which pairs are watched, but none of the measurements. */
  want(tokenIn: Address, tokenOut: Address, caller: string): void;
  find(tokenIn: Address, tokenOut: Address): Watched | undefined;
  /** Basis points; undefined before there are enough measurements. */
  driftBps(pair: Watched): number | undefined;
  list(): WatchedPair[];
};

/** Number of tokens of the greatest depth; every pair among them is watched. */
const DEEPEST = 5;
/** Interval after which the tokens are ranked by depth again. */
const RANKED_MS = 300_000;
/** Most pairs requested by callers, in total and per caller; the oldest are evicted. */
const MOST_WANTED = 32;
const MOST_OF_CALLER = 4;
/** Number of newest measurements that count, and the number and time from which they give a result. */
const KEPT = 256;
const LEAST_SAMPLES = 60;
const LEAST_MS = 300_000;
/** The quantile that is reported: one measurement in fifty is above it. */
const QUANTILE = 0.98;

type Wanted = Watched & { readonly caller: string };

export function createPairs(deps: Deps, served: ServedChain): Pairs {
  const { monotonicMs } = deps;
  let deep: ReadonlyMap<string, Watched> = new Map();
  const wanted = new Map<string, Wanted>();
  let rankedMs = Number.NEGATIVE_INFINITY;
  let turn = 0;
  const begin = (ends: Ends): Watched => ({ ...ends, drifts: createSeries(KEPT), sinceMs: monotonicMs() });
  const rank = () => {
    if (monotonicMs() - rankedMs < RANKED_MS) return;
    rankedMs = monotonicMs();
    const ranked = pairsOf(deepest(deps, served)).map((ends) => {
      const key = keyOf(ends);
      return [key, deep.get(key) ?? wanted.get(key) ?? begin(ends)] as const;
    });
    deep = new Map(ranked);
    for (const key of deep.keys()) wanted.delete(key);
  };
  const driftBps = ({ drifts, sinceMs }: Watched) =>
    drifts.count() >= LEAST_SAMPLES && monotonicMs() - sinceMs >= LEAST_MS
      ? Math.max(0, drifts.quantile(QUANTILE)!)
      : undefined;
  const all = () => [...deep.values(), ...wanted.values()];
  return {
    next() {
      rank();
      const pairs = all();
      return pairs.length === 0 ? undefined : pairs[turn++ % pairs.length];
    },
    want(tokenIn, tokenOut, caller) {
      const key = keyOf({ tokenIn, tokenOut });
      if (deep.has(key) || wanted.has(key)) return;
      makeRoom(wanted, caller);
      wanted.set(key, { ...begin({ tokenIn, tokenOut }), caller });
    },
    find(tokenIn, tokenOut) {
      const key = keyOf({ tokenIn, tokenOut });
      return deep.get(key) ?? wanted.get(key);
    },
    driftBps,
    list: () =>
      all().map((pair) => ({
        tokenIn: pair.tokenIn,
        tokenOut: pair.tokenOut,
        samples: pair.drifts.count(),
        driftBps: driftBps(pair),
      })),
  };
}

/**
 * Evicts the caller's oldest pair where the caller is at its limit, or the oldest of all where the total limit is
 * reached.
 */
function makeRoom(wanted: Map<string, Wanted>, caller: string): void {
  let [count, own] = [0, ""];
  for (const [key, pair] of wanted) {
    if (pair.caller !== caller) continue;
    if (count === 0) own = key;
    count += 1;
  }
  if (count >= MOST_OF_CALLER) wanted.delete(own);
  else forgetOldest(wanted, MOST_WANTED - 1);
}

type Ends = Pick<Watched, "tokenIn" | "tokenOut">;

function pairsOf(tokens: readonly Address[]): Ends[] {
  return tokens.flatMap((tokenIn) =>
    tokens.filter((other) => other !== tokenIn).map((tokenOut) => ({ tokenIn, tokenOut })),
  );
}

const keyOf = ({ tokenIn, tokenOut }: Ends): string => `${tokenIn} ${tokenOut}`;

/** The native coin and the vetted listed tokens of the greatest depth. */
function deepest({ tokens }: Deps, { chain, market, isVetted }: ServedChain): Address[] {
  const known = tokens
    .all(chain.id)
    .map(({ address }) => address)
    .filter((token) => token !== NATIVE && token !== chain.wrappedNative && isVetted(token))
    .map((token) => ({ token, depth: market.priceDepth(token) }))
    .filter(({ depth }) => depth > 0)
    .sort((a, b) => b.depth - a.depth || (a.token < b.token ? -1 : 1));
  return [NATIVE, ...known.slice(0, DEEPEST - 1).map(({ token }) => token)];
}
