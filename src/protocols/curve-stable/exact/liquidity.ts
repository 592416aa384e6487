import {
  balanceFor,
  dynamicFee,
  FEE_DENOMINATOR,
  invariant,
  scaled,
} from "../../../core/math/curve/stable-math.ts";
import { roundings, type State } from "../state.ts";
import { balanced } from "./exchange.ts";

const PRECISION = 10n ** 18n;

/** A deposit or withdrawal of one coin. */
export type Move = {
  readonly coin: number;
  /** Smallest units, > 0: of the coin for a deposit, of the LP token for a withdrawal. */
  readonly amount: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};

/**
 * Largest deposit as a multiple of D. Somewhere beyond, the contract's iteration for D no longer converges or its
 * fees exceed a balance, and no trade is that large.
 */
export const MOST_GROWTH = 100;

/** Output of a deposit in LP tokens, or of a withdrawal in smallest units of the coin, and the pool after it. */
export type Moved = { readonly paid: bigint; readonly next: State };

/**
 * D per LP token, 18 digits, rounded down.
 *
 * @returns undefined if the contract reverts, or has no liquidity
 * @source curvefi/curve-contract SwapTemplateBase.vy get_virtual_price
 */
export function virtualPrice(state: State, timestamp: number): bigint | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || state.lpSupply === 0n) return undefined;
  return (start.d * PRECISION) / state.lpSupply;
}

/** The fee of a single-coin deposit or withdrawal, of 10^10: an exchange's fee, spread over the coins. */
function moveFee(state: State): bigint {
  const n = BigInt(state.balances.length);
  return (state.fee * n) / (4n * (n - 1n));
}

const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);

/**
 * LP tokens minted for one coin by `add_liquidity`. Each coin is charged for its distance from the previous
 * proportions; the remaining growth of D is paid in LP tokens, rounded down.
 *
 * @returns undefined if the contract reverts, or mints nothing
 * @source curvefi/curve-contract SwapTemplateBase.vy add_liquidity; curvefi/stableswap-ng CurveStableSwapNG.vy, where
 *   the fee is dynamic
 */
export function mint(state: State, { coin, amount, timestamp }: Move): Moved | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || start.d === 0n || state.lpSupply === 0n) return undefined;
  const { d: d0, amplification } = start;
  if ((amount * state.rates[coin]!) / PRECISION > start.d * BigInt(MOST_GROWTH)) return undefined;
  const { product } = roundings[state.rounding];
  const put = state.balances.with(coin, state.balances[coin]! + amount);
  const d1 = invariant(scaled(put, state.rates), amplification, product);
  if (d1 === undefined || d1 <= d0) return undefined;

  const fees = feesOf(state, put, { d0, d1 });
  const left = put.map((balance, k) => balance - fees[k]!);
  if (left.some((balance) => balance < 0n)) return undefined;
  const d2 = invariant(scaled(left, state.rates), amplification, product);
  if (d2 === undefined || d2 <= d0) return undefined;
  const paid = (state.lpSupply * (d2 - d0)) / d0;
  if (paid === 0n) return undefined;
  const balances = put.map((balance, k) => balance - (fees[k]! * state.adminFee) / FEE_DENOMINATOR);
  return { paid, next: { ...state, balances, lpSupply: state.lpSupply + paid } };
}

/** Fee charged on each coin, in smallest units; more than there is if the contract reverts. */
function feesOf(
  state: State,
  put: readonly bigint[],
  { d0, d1 }: { d0: bigint; d1: bigint },
): readonly bigint[] {
  const base = moveFee(state);
  const ys = (d0 + d1) / BigInt(put.length);
  return put.map((balance, k) => {
    const before = state.balances[k]!;
    const xs = (state.rates[k]! * (before + balance)) / PRECISION;
    const fee = dynamicFee(xs, ys, base, state.offpegFeeMultiplier);
    if (fee === undefined) return balance + 1n;
    return (fee * distance((d1 * before) / d0, balance)) / FEE_DENOMINATOR;
  });
}

/**
 * The view `calc_token_amount` of pools before stableswap-ng for one coin: it takes no fee.
 *
 * @returns LP tokens, rounded down; undefined if the contract reverts
 * @source curvefi/curve-contract SwapTemplateBase.vy calc_token_amount
 */
export function mintBeforeFees(state: State, { coin, amount, timestamp }: Move): bigint | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || start.d === 0n) return undefined;
  const put = state.balances.with(coin, state.balances[coin]! + amount);
  const d1 = invariant(scaled(put, state.rates), start.amplification, roundings[state.rounding].product);
  return d1 === undefined || d1 < start.d ? undefined : ((d1 - start.d) * state.lpSupply) / start.d;
}

/**
 * One coin paid for LP tokens by `remove_liquidity_one_coin`; its view `calc_withdraw_one_coin` answers the same.
 *
 * @returns undefined if the contract reverts, or pays nothing
 * @source curvefi/curve-contract SwapTemplateBase.vy _calc_withdraw_one_coin; curvefi/stableswap-ng
 *   CurveStableSwapNG.vy, where the fee is dynamic
 */
export function burn(state: State, { coin, amount, timestamp }: Move): Moved | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || state.lpSupply === 0n || amount > state.lpSupply) return undefined;
  const { xp, d: d0, amplification } = start;
  const d1 = d0 - (amount * d0) / state.lpSupply;
  const free = balanceFor(coin, xp, d1, amplification);
  if (free === undefined || free > xp[coin]!) return undefined;

  const reduced = reducedBy(state, xp, { coin, free, d0, d1 });
  const y = reduced.some((x) => x < 0n) ? undefined : balanceFor(coin, reduced, d1, amplification);
  if (y === undefined || reduced[coin]! - y < 1n) return undefined;
  const rate = state.rates[coin]!;
  const paid = ((reduced[coin]! - y - 1n) * PRECISION) / rate;
  if (paid === 0n) return undefined;
  const fee = ((xp[coin]! - free) * PRECISION) / rate - paid;
  const balance = state.balances[coin]! - paid - (fee * state.adminFee) / FEE_DENOMINATOR;
  const balances = state.balances.with(coin, balance);
  return { paid, next: { ...state, balances, lpSupply: state.lpSupply - amount } };
}

type Burning = { readonly coin: number; readonly free: bigint; readonly d0: bigint; readonly d1: bigint };

/**
 * Balances after each coin is charged for its distance from the previous proportions; negative if the contract
 * reverts.
 */
function reducedBy(state: State, xp: readonly bigint[], { coin, free, d0, d1 }: Burning): bigint[] {
  const base = moveFee(state);
  const ys = (d0 + d1) / (2n * BigInt(xp.length));
  return xp.map((x, k) => {
    const ideal = (x * d1) / d0;
    const expected = k === coin ? ideal - free : x - ideal;
    const fee = dynamicFee(k === coin ? (x + free) / 2n : x, ys, base, state.offpegFeeMultiplier);
    return expected < 0n || fee === undefined ? -1n : x - (fee * expected) / FEE_DENOMINATOR;
  });
}
