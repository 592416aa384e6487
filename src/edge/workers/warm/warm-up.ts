import type { Engine } from "../../../core/routing/types.ts";
import { type Address, type At, NATIVE } from "../../../core/types.ts";

/** Number of tokens, the deepest ones, that are exchanged for each other and for the native coin. */
const TOKENS = 4;
/** Values of the amounts, wei of the native coin. Small ones give routes of one leg, large ones of many. */
const WORTHS_WEI = [1e19, 1e17, 1e21];

type WarmUpRequest = {
  readonly engine: Engine;
  /** The tokens among which the deepest are chosen. */
  readonly listed: readonly Address[];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Time limit of each search, and the time after which `begin` starts no further search, milliseconds. */
  readonly budgetMs: number;
};

/**
 * Searches between the deepest tokens whose results are discarded. They let V8 compile the hot code, and they make the
 * engine compute the prices of tokens and the curves of the deepest pools, before a caller's search needs them.
 */
export type WarmUp = {
  /** Runs at least one search and as many as the budget allows, each exchange at most once. */
  begin(at: At): void;
  /** Runs the next search, which does the work that the engine defers from a change to the next search. */
  search(at: At): void;
};

type Exchange = readonly [tokenIn: Address, tokenOut: Address, amount: bigint];

export function createWarmUp({ engine, listed, now, budgetMs }: WarmUpRequest): WarmUp {
  let exchanges: Exchange[] = [];
  const search = (at: At) => {
    // The exchanges are chosen again after each round, since the market may have been nearly empty before.
    if (exchanges.length === 0) exchanges = exchangesOf(engine, listed);
    const next = exchanges.shift();
    if (next === undefined) return;
    const [tokenIn, tokenOut, amount] = next;
    const limits = { maxHops: 4, maxLegs: 16, timeoutMs: budgetMs };
    const request = { tokenIn, tokenOut, amount, side: "in", gasPriceWei: 10n ** 9n, at } as const;
    engine.find({ ...request, ...limits, allows: () => true, now });
  };
  return {
    search,
    begin(at) {
      const endMs = now() + budgetMs;
      do search(at);
      while (exchanges.length > 0 && now() <= endMs);
    },
  };
}

function exchangesOf(engine: Engine, listed: readonly Address[]): Exchange[] {
  const depths = new Map(listed.map((token) => [token, engine.depthNative(token)]));
  const deepest = [...depths.keys()].sort((a, b) => depths.get(b)! - depths.get(a)!).slice(0, TOKENS);
  const tokens = [...new Set([NATIVE, ...deepest])];
  return WORTHS_WEI.flatMap((worthWei) =>
    tokens.flatMap((tokenIn) => {
      const unitWei = tokenIn === NATIVE ? 1 : engine.nativePer(tokenIn);
      if (unitWei === undefined || !(unitWei > 0)) return [];
      const amount = BigInt(Math.ceil(worthWei / unitWei));
      return tokens
        .filter((tokenOut) => tokenOut !== tokenIn)
        .map((tokenOut) => [tokenIn, tokenOut, amount] as const);
    }),
  );
}
