import type { Engine } from "../../../core/routing/types.ts";
import { type Address, type At, NATIVE } from "../../../core/types.ts";

/** Deepest tokens that are exchanged for each other and for the native coin. */
const TOKENS = 4;
/** Worth of the amounts, in wei of the native coin: routes of one leg and of many. */
const WORTHS_WEI = [1e19, 1e17, 1e21];

type WarmUpRequest = {
  readonly engine: Engine;
  /** The tokens among which the deepest are chosen. */
  readonly listed: readonly Address[];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** A search gets no more time, and of `begin` none starts later, but the first; milliseconds. */
  readonly budgetMs: number;
};

/**
 * Searches between the deepest tokens of which nobody waits for the answer, so that answers that somebody waits for come from
 * compiled code, with the prices of tokens and the curves of the deepest pools made.
 */
export type WarmUp = {
  /** As many as the budget allows, each exchange once at most. */
  begin(at: At): void;
  /** The next one. It works out what the engine puts off until the first search after a change. */
  search(at: At): void;
};

type Exchange = readonly [tokenIn: Address, tokenOut: Address, amount: bigint];

export function createWarmUp({ engine, listed, now, budgetMs }: WarmUpRequest): WarmUp {
  let exchanges: Exchange[] = [];
  const search = (at: At) => {
    // Chosen anew after each turn: a market may have been nearly empty when the last ones were.
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
