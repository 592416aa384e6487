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
import type { Order } from "../own-state.ts";
import { hasExpired, type StableState, scalingAt } from "./state.ts";

const GAS = 106_000;
const GAS_PER_TOKEN = 15_000;
/**
 * What a join or an exit by the pool's own shares needs besides, measured of the real bytecode: 57,000 to 77,000 and 33,000 to
 * 40,000. Both mint the protocol's fees that are due, to whom may hold none yet; shares are taken without an allowance.
 */
const JOIN_GAS = 80_000;
const EXIT_GAS = 43_000;

/** A pool of so many registered tokens, one of which may be its own shares; -1 where none is. */
export type StableSize = { readonly tokens: number; readonly shareIndex: number };

/** Gas units of one crossing through the router: a base, a part for every token that the invariant reads, shares. */
export function stableGas({ tokens, shareIndex }: StableSize, i: number, j: number): number {
  const shares = j === shareIndex ? JOIN_GAS : i === shareIndex ? EXIT_GAS : 0;
  return GAS + GAS_PER_TOKEN * tokens + shares;
}

/** A pool at a time, its own shares left out, in 18 decimals. */
export type Balanced = { readonly balances: readonly bigint[]; readonly d: bigint; readonly amp: bigint };

/** D is what a quote costs most, and many amounts are asked of one state: it is kept as long as the state object. */
const known = new WeakMap<StableState, { readonly key: string; readonly balanced: Balanced | undefined }>();

/** @returns undefined where D cannot be computed, and so every swap reverts */
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

/** Position of a registered token among those without the share token. */
export function skipShares(state: StableState, index: number): number {
  return state.shareIndex >= 0 && index > state.shareIndex ? index - 1 : index;
}

/**
 * What a stable pool answers to the vault; a swap of its shares joins or exits with one token.
 *
 * @returns the amount that was not given, ≥ 0; undefined when the contract would revert, or where the supply of shares
 *          is not known
 */
export function swapStable(state: StableState, order: Order): bigint | undefined {
  const pool = balancedAt(state, order.at.timestamp);
  if (pool === undefined) return undefined;
  const isShares = order.i === state.shareIndex || order.j === state.shareIndex;
  return isShares ? priceShares(state, pool, order) : pricePair(state, pool, order);
}

/**
 * Of two tokens: the fee comes off the input before scaling, or on top of it after.
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
 * Of a token and the pool's shares: scaled as it is, the fee is part of the join or exit.
 *
 * @source balancer/balancer-v2-monorepo pkg/pool-stable/contracts/ComposableStablePool.sol _swapWithBpt
 */
function priceShares(state: StableState, pool: Balanced, order: Order): bigint | undefined {
  const { i, j, amount, side, at } = order;
  // A rate taken over by the swap itself would make fees due that are not in the supply.
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
