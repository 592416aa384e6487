import type { Engine } from "../../core/routing/types.ts";
import { type Address, type At, NATIVE } from "../../core/types.ts";

/** Deepest tokens that are exchanged for each other and for the native coin. */
const TOKENS = 4;
/** Worth of the amounts, in wei of the native coin: routes of one leg and of many. */
const WORTHS_WEI = [1e19, 1e17, 1e21];

type WarmUp = {
  readonly engine: Engine;
  readonly at: At;
  /** The tokens among which the deepest are chosen. */
  readonly listed: readonly Address[];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** No search begins later than this, but the first; milliseconds. */
  readonly budgetMs: number;
};

/**
 * Searches between the deepest tokens and throws the answers away, so that the first answer that somebody waits for comes from
 * compiled code, with the prices of tokens and the curves of the deepest pools made.
 */
export function warmUp({ engine, at, listed, now, budgetMs }: WarmUp): void {
  const endMs = now() + budgetMs;
  for (const [tokenIn, tokenOut, amount] of exchangesOf(engine, listed)) {
    const limits = { maxHops: 4, maxLegs: 16, timeoutMs: budgetMs };
    const request = { tokenIn, tokenOut, amount, side: "in", gasPriceWei: 10n ** 9n, at } as const;
    engine.find({ ...request, ...limits, allows: () => true, now });
    if (now() > endMs) return;
  }
}

function exchangesOf(engine: Engine, listed: readonly Address[]): (readonly [Address, Address, bigint])[] {
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
