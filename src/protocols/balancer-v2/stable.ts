import {
  inGivenOut,
  invariantOf,
  outGivenIn,
  type StableSwap,
} from "../../core/math/balancer/balancer-stable-math.ts";
import {
  inGivenSharesOut,
  outGivenSharesIn,
  type SharePool,
  sharesInGivenOut,
  sharesOutGivenIn,
} from "../../core/math/balancer/balancer-stable-shares.ts";
import { ampAt } from "../../core/math/curve/stable-math.ts";
import { divDown, divUp, mulDown, mulUp, ONE } from "../../core/math/fixed-point.ts";
import type { Order } from "../shared/own-state.ts";
import { hasExpired, type StableState, scalingAt } from "./state.ts";

const GAS = 106_000;
const GAS_PER_TOKEN = 15_000;
/**
 * Additional gas of a join and of an exit with the pool's own shares; measured with the real bytecode: 57,000 to
 * 77,000 and 33,000 to 40,000. Both mint protocol fees that are due, possibly to an account without any; shares need
 * no allowance.
 */
const JOIN_GAS = 80_000;
const EXIT_GAS = 43_000;

/** Number of registered tokens, and the index of the pool's own shares among them, -1 if they are not registered. */
export type StableSize = { readonly tokens: number; readonly shareIndex: number };

/**
 * Gas units of one crossing through the router: a base, a part per token read for the invariant, and a part for
 * shares.
 */
export function stableGas({ tokens, shareIndex }: StableSize, i: number, j: number): number {
  const shares = j === shareIndex ? JOIN_GAS : i === shareIndex ? EXIT_GAS : 0;
  return GAS + GAS_PER_TOKEN * tokens + shares;
}

/** State of a pool at a time, without its own shares, 18 decimals. */
export type Balanced = { readonly balances: readonly bigint[]; readonly d: bigint; readonly amp: bigint };

/** Cache by state object: D is the most expensive part of a quote, and many amounts are quoted per state. */
const known = new WeakMap<StableState, { readonly key: string; readonly balanced: Balanced | undefined }>();

/** @returns undefined if D cannot be computed, so that every swap reverts */
export function balancedAt(state: StableState, timestamp: number): Balanced | undefined {
  const amp = ampAt(state.ramp, timestamp);
  const key = `${amp} ${hasExpired(state, timestamp) ? timestamp : ""}`;
  const entry = known.get(state);
  if (entry?.key === key) return entry.balanced;
  const balances = state.balances
    .map((balance, k) => mulDown(balance, scalingAt(state.scaling[k]!, timestamp)))
    .filter((_, k) => k !== state.shareIndex);
  const d = invariantOf(balances, amp, state.rounding);
  const balanced = d === undefined ? undefined : { balances, d, amp };
  known.set(state, { key, balanced });
  return balanced;
}

/** Index of a registered token without the share token. */
export function skipShares(state: StableState, index: number): number {
  return state.shareIndex >= 0 && index > state.shareIndex ? index - 1 : index;
}

/**
 * The pool's answer to the vault. A swap of its own shares is a single-token join or exit.
 *
 * @returns the amount not given, ≥ 0; undefined if the contract would revert, or the supply of shares is unknown
 */
export function swapStable(state: StableState, order: Order): bigint | undefined {
  const pool = balancedAt(state, order.at.timestamp);
  if (pool === undefined) return undefined;
  const isShares = order.i === state.shareIndex || order.j === state.shareIndex;
  return isShares ? priceShares(state, pool, order) : pricePair(state, pool, order);
}

/**
 * A swap of two tokens. The fee is taken from the input before scaling, or added to it after scaling.
 *
 * @source balancer/balancer-v2-monorepo pkg/pool-utils/contracts/BaseGeneralPool.sol _swapGivenIn, _swapGivenOut
 */
function pricePair(state: StableState, pool: Balanced, order: Order): bigint | undefined {
  const { amount, side, at } = order;
  const [scaleIn, scaleOut] = [order.i, order.j].map((k) => scalingAt(state.scaling[k]!, at.timestamp));
  const swap: StableSwap = { ...pool, i: skipShares(state, order.i), j: skipShares(state, order.j) };
  if (side === "in") {
    const out = outGivenIn(swap, mulDown(amount - mulUp(amount, state.swapFee), scaleIn!));
    return out === undefined ? undefined : divDown(out, scaleOut!);
  }
  const cost = inGivenOut(swap, mulDown(amount, scaleOut!));
  return cost === undefined ? undefined : divUp(divUp(cost, scaleIn!), ONE - state.swapFee);
}

/**
 * A swap of a token and the pool's shares. Amounts are scaled without a fee, which is part of the join or exit.
 *
 * @source balancer/balancer-v2-monorepo pkg/pool-stable/contracts/ComposableStablePool.sol _swapWithBpt
 */
function priceShares(state: StableState, pool: Balanced, order: Order): bigint | undefined {
  const { i, j, amount, side, at } = order;
  // If the swap itself updated a rate, fees would become due that are not in the supply.
  if (state.supply === 0n || hasExpired(state, at.timestamp)) return undefined;
  const shares: SharePool = { ...pool, supply: state.supply, swapFee: state.swapFee };
  const joins = j === state.shareIndex;
  const k = skipShares(state, joins ? i : j);
  const scale = (index: number) => scalingAt(state.scaling[index]!, at.timestamp);
  if (side === "in") {
    const given = mulDown(amount, scale(i));
    const out = joins ? sharesOutGivenIn(shares, k, given) : outGivenSharesIn(shares, k, given);
    return out === undefined ? undefined : divDown(out, scale(j));
  }
  const given = mulDown(amount, scale(j));
  const cost = joins ? inGivenSharesOut(shares, k, given) : sharesInGivenOut(shares, k, given);
  return cost === undefined ? undefined : divUp(cost, scale(i));
}
