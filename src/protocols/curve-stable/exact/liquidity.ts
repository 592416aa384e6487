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

/** One coin put in or taken out. */
export type Move = {
  readonly coin: number;
  /** Smallest units: of the coin where it is put in, of the LP token where it is burnt. > 0 */
  readonly amount: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};

/**
 * A deposit of more than this many times D is refused: somewhere beyond, the contract's own steps for D no longer
 * settle or its fees exceed a balance, and no trade is that large.
 */
export const MOST_GROWTH = 100;

/** What a move pays, in LP tokens or in smallest units of the coin, and the pool after it. */
export type Moved = { readonly paid: bigint; readonly next: State };

/**
 * D per LP token, 18 digits, rounded down.
 *
 * @returns undefined where the contract reverts, or holds no liquidity
 * @source curvefi/curve-contract SwapTemplateBase.vy get_virtual_price
 */
export function virtualPrice(state: State, timestamp: number): bigint | undefined {
  const start = balanced(state, timestamp);
  if (start === undefined || state.lpSupply === 0n) return undefined;
  return (start.d * PRECISION) / state.lpSupply;
}

/** The fee of a one-sided move, of 10^10: an exchange's, spread over the coins. */
function moveFee(state: State): bigint {
  const n = BigInt(state.balances.length);
  return (state.fee * n) / (4n * (n - 1n));
}

const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);

/**
 * LP tokens for one coin put in by `add_liquidity`. Every coin is charged for its distance from where the old
 * proportions would have it; the growth of D that is left is paid in LP tokens, rounded down.
 *
 * @returns undefined where the contract reverts, or mints nothing
 * @source curvefi/curve-contract SwapTemplateBase.vy add_liquidity; curvefi/stableswap-ng CurveStableSwapNG.vy, where
 *         the fee is dynamic
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

/** What each coin is charged, in smallest units. */
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
    return (fee * distance((d1 * before) / d0, balance)) / FEE_DENOMINATOR;
  });
}

/**
 * What the view `calc_token_amount` of pools before stableswap-ng answers for one coin: no fee is taken.
 *
 * @returns LP tokens, rounded down; undefined where the contract reverts
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
 * One coin for LP tokens burnt by `remove_liquidity_one_coin`; its view `calc_withdraw_one_coin` answers the same.
 *
 * @returns undefined where the contract reverts, or pays nothing
 * @source curvefi/curve-contract SwapTemplateBase.vy _calc_withdraw_one_coin; curvefi/stableswap-ng
 *         CurveStableSwapNG.vy, where the fee is dynamic
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

/** Balances after every coin is charged for its distance from the old proportions; negative where that reverts. */
function reducedBy(state: State, xp: readonly bigint[], { coin, free, d0, d1 }: Burning): bigint[] {
  const base = moveFee(state);
  const ys = (d0 + d1) / (2n * BigInt(xp.length));
  return xp.map((x, k) => {
    const ideal = (x * d1) / d0;
    const expected = k === coin ? ideal - free : x - ideal;
    const fee = dynamicFee(k === coin ? (x + free) / 2n : x, ys, base, state.offpegFeeMultiplier);
    return expected < 0n ? -1n : x - (fee * expected) / FEE_DENOMINATOR;
  });
}
