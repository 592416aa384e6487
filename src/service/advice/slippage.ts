import type { Address, Chain } from "../../core/types.ts";
import { NATIVE } from "../../core/types.ts";
import type { Prices } from "./values.ts";

/** How much the price of a pair moves within seconds, as far as it can be told without having watched it. */
export type PairClass = "wrap" | "pegged" | "deep" | "shallow" | "unknown";

/**
 * The allowance for each class in parts per million, for pairs that have not been watched: 0.1 % where nothing moves,
 * 0.2 % between dollar tokens, 0.5 % where a million dollars price both tokens, 1 % below, 3 % where the depth is not known.
 */
const CLASS_PPM: Readonly<Record<PairClass, number>> = {
  wrap: 1_000,
  pegged: 2_000,
  deep: 5_000,
  shallow: 10_000,
  unknown: 30_000,
};

/** Depth in dollars from which a pair counts as deep. */
const DEEP_USD = 1_000_000;

export function pairClass(chain: Chain, tokenIn: Address, tokenOut: Address, prices: Prices): PairClass {
  const coin = (token: Address) => (token === chain.wrappedNative ? NATIVE : token);
  if (coin(tokenIn) === coin(tokenOut)) return "wrap";
  const isDollar = (token: Address) => chain.dollarTokens?.includes(token) === true;
  if (isDollar(tokenIn) && isDollar(tokenOut)) return "pegged";
  if (prices.tokenIn === undefined || prices.tokenOut === undefined) return "unknown";
  return Math.min(prices.tokenIn.depthUsd, prices.tokenOut.depthUsd) >= DEEP_USD ? "deep" : "shallow";
}

/** What one trade of a tenth of the size ahead of this one takes from it, as a part of the price impact. */
const AHEAD_PART = 0.2;
/** A pair that was quiet while it was watched gets this part of its class's allowance all the same. */
const LEAST_PART = 0.2;
const LEAST_PPM = 1_000;
const MOST_PPM = 500_000;
/** Suggestions are whole hundredths of a percent. */
const STEP_PPM = 100;

/**
 * The slippage to allow, in parts per million: what the pair moves until the transaction is mined, and room for one trade
 * of a tenth of the size that comes first. A price that falls linearly with the size sold loses twice the impact for a
 * trade as large as the own one, a fifth of it for a tenth.
 *
 * @param driftPpm what the pair was seen to lose within seconds; undefined where it was not watched for long enough
 * @returns 1,000 … 500,000, rounded up to hundredths of a percent
 */
export function suggestedSlippagePpm(
  kind: PairClass,
  driftPpm: number | undefined,
  priceImpactBps: number | undefined,
): number {
  const sizePpm = AHEAD_PART * 100 * (priceImpactBps ?? 0);
  const least = CLASS_PPM[kind] * LEAST_PART;
  const ppm = Math.max(driftPpm ?? CLASS_PPM[kind], least) + sizePpm;
  return Math.min(MOST_PPM, Math.max(LEAST_PPM, Math.ceil(ppm / STEP_PPM) * STEP_PPM));
}
