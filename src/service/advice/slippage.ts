import type { Address, Chain } from "../../core/types.ts";
import { NATIVE } from "../../core/types.ts";
import type { Prices } from "./values.ts";

/** Expected price movement of a pair within seconds, judged by its tokens and their depth without measurements. */
export type PairClass = "wrap" | "pegged" | "deep" | "shallow" | "unknown";

/**
 * Allowed slippage of each class in parts per million, for pairs without measurements: 0.1 % where the price is fixed,
 * 0.2 % between dollar tokens, 0.5 % where both tokens have a depth of at least a million dollars, 1 % where one has
 * less, 3 % where the depth is not known.
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

/** Loss to one trade of a tenth of the size that executes first, as a share of the price impact. */
const AHEAD_PART = 0.2;
/** A pair with little measured movement still gets at least this share of its class's allowance. */
const LEAST_PART = 0.2;
/**
 * Measured movement counts at most as this multiple of its class's allowance. Whoever creates and empties pools of a
 * pair can falsify its measurements, and the suggestion is the loss that others then allow.
 */
const MOST_PART = 4;
const LEAST_PPM = 1_000;
/** Suggestions are multiples of a hundredth of a percent. */
const STEP_PPM = 100;

/**
 * The suggested slippage, in parts per million: the pair's price movement until the transaction is mined, plus an
 * allowance for one trade of a tenth of the size that executes first. Where the price falls linearly with the size
 * sold, an equally large trade ahead costs twice the price impact, so one of a tenth of the size costs a fifth of the
 * impact.
 *
 * @param driftPpm measured loss of the pair within seconds; undefined where there are too few measurements
 * @returns at least 1,000, at most four times the class's allowance plus 200,000; rounded up to hundredths of a percent
 */
export function suggestedSlippagePpm(
  kind: PairClass,
  driftPpm: number | undefined,
  priceImpactBps: number | undefined,
): number {
  const sizePpm = AHEAD_PART * 100 * (priceImpactBps ?? 0);
  const ofClass = CLASS_PPM[kind];
  const movePpm = Math.min(Math.max(driftPpm ?? ofClass, ofClass * LEAST_PART), ofClass * MOST_PART);
  return Math.max(LEAST_PPM, Math.ceil((movePpm + sizePpm) / STEP_PPM) * STEP_PPM);
}
