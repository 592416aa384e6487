import { stableJoint } from "../../../core/math/sampling/joint-curves.ts";
import type { Joint } from "../../../core/protocol.ts";
import { pairOf } from "../exact/meta.ts";
import type { State } from "../state.ts";
import { type Coins, coinsOf, FEE_DENOMINATOR, sell } from "./coins.ts";
import { type Deposits, depositsOf, put, take } from "./deposits.ts";

/** A pool in doubles. */
export type Mirror = {
  /** undefined if a metapool's base pool is unknown, and nothing can be sold. */
  readonly coins: Coins | undefined;
  /** The base pool of a metapool; undefined for all other pools. */
  readonly base: Deposits | undefined;
  /** Whether a metapool's next swap uses the base pool's virtual price at that time. */
  readonly isLive: boolean;
};

/** The mirror of a state; it changes in every block while `amp` ramps or a cached virtual price expires. */
export function mirrorOf(state: State, base: State | undefined, timestamp: number): Mirror {
  if (state.base === null) return { coins: coinsOf(state, timestamp), base: undefined, isLive: false };
  const pair = base && pairOf(state, base, timestamp);
  if (pair === undefined) return { coins: undefined, base: undefined, isLive: false };
  const isLive = state.base === "live" || pair.known !== state.base;
  return { coins: coinsOf(pair.meta, timestamp), base: depositsOf(pair.base, timestamp), isLive };
}

/** Output of token `j` for `x` of token `i` in doubles, smallest units; 0 if it cannot fill. */
export function quoteFloat({ coins, base }: Mirror, i: number, j: number, x: number): number {
  if (coins === undefined) return 0;
  const own = coins.xp.length;
  if (i < own && j < own) return sell(coins, i, j, x);
  if (base !== undefined) {
    if (j === 0) return sell(coins, 1, 0, put(base, i - own, x));
    return i === 0 ? take(base, j - own, sell(coins, 0, 1, x)) : 0;
  }
  // A lending pool lists its coins twice: wrapped, then underlying.
  return i >= own && j >= own ? sellUnder(coins, i - own, j - own, x) : 0;
}

function sellUnder(coins: Coins, i: number, j: number, x: number): number {
  return sell(coins, i, j, x / coins.worth[i]!) * coins.worth[j]!;
}

/** The joint node of the pool's own coins, if its fee is constant. */
export function joint({ coins, base }: Mirror, traded: Float64Array): Joint | undefined {
  if (coins === undefined || base !== undefined || !hasJoint(coins, traded)) return undefined;
  const { xp, y, c, fee, rates } = coins;
  const bend = c[0]! / y[0]!;
  const kept = { keepIn: 1, keepOut: 1 - fee / FEE_DENOMINATOR };
  return stableJoint({ balances: xp, bend, scale: rates, ...kept }, traded);
}

function hasJoint({ xp, offpegFeeMultiplier }: Coins, traded: Float64Array): boolean {
  return xp.length === traded.length && offpegFeeMultiplier <= FEE_DENOMINATOR && xp.every((x) => x > 0);
}
