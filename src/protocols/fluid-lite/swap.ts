import { leastInput } from "../../core/math/least-input.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { bitsOf, withBits } from "../shared/packed-word.ts";
import { PRICE_UNIT, type Prices, pricesAt, statusAfter } from "./prices.ts";
import { FIELDS, type Pair, SHIFT, type State } from "./state.ts";

/** Gas units of a crossing through the router: an estimate, as no bytecode of the contract is at hand to measure. */
export const GAS = 105_000;

export const PPM = 1_000_000n;
const PERCENT = 100n;
/** Decimals of the contract's amounts. */
const DECIMALS = 9n;
/** Bounds of an amount and of a supply, in units of 1e-9 of a token. */
export const LEAST = 10_000n;
export const MOST = 2n ** 60n - 1n;
/** Least supply of the token bought after a swap, as a fraction of the other's worth at the centre price. */
export const RATIO = 10_000n;
const MOST_AMOUNT = 2n ** 128n - 1n;

/** Factor and divisor from smallest units to units of 1e-9 of a token; one of them is 1. */
export type Scale = { readonly factor: bigint; readonly divisor: bigint };

export function scaleOf(decimals: bigint): Scale {
  return decimals > DECIMALS
    ? { factor: 1n, divisor: 10n ** (decimals - DECIMALS) }
    : { factor: 10n ** (DECIMALS - decimals), divisor: 1n };
}

/** An amount in units of 1e-9 of a token, rounded down. */
function adjusted(amount: bigint, { factor, divisor }: Scale): bigint {
  return (amount * factor) / divisor;
}

export function scalesOf({ variables }: State): Pair<Scale> {
  return [scaleOf(bitsOf(variables, FIELDS.decimals0)), scaleOf(bitsOf(variables, FIELDS.decimals1))];
}

/** The pool in the direction of a swap, in units of 1e-9 of a token. */
export type Way = {
  readonly zeroForOne: boolean;
  readonly inReserve: bigint;
  readonly outReserve: bigint;
  readonly supplyIn: bigint;
  readonly supplyOut: bigint;
  readonly scaleIn: Scale;
  readonly scaleOut: Scale;
};

export function wayOf({ state, imaginary }: Prices, i: number): Way {
  const supplies = [bitsOf(state.variables, FIELDS.supply0), bitsOf(state.variables, FIELDS.supply1)];
  const [x, y] = i === 0 ? ([0, 1] as const) : ([1, 0] as const);
  const scales = scalesOf(state);
  return {
    zeroForOne: i === 0,
    inReserve: imaginary[x],
    outReserve: imaginary[y],
    supplyIn: supplies[x]!,
    supplyOut: supplies[y]!,
    scaleIn: scales[x],
    scaleOut: scales[y],
  };
}

type Swap = { readonly prices: Prices; readonly way: Way; readonly timestamp: number };

/** What a swap pays, in smallest units, and the state after it. */
type Sold = { readonly amountOut: bigint; readonly next: State };

/**
 * Sells an exact input.
 *
 * @param swap prices of the state at the swap's second, and its direction
 * @returns undefined if the contract would revert, or pays nothing
 * @source Instadapp/fluid-contracts-public contracts/protocols/dexLite/core/coreInternals.sol _swapIn
 */
function swapIn(before: State, { prices, way, timestamp }: Swap, amount: bigint): Sold | undefined {
  const { inReserve, outReserve, scaleIn, scaleOut } = way;
  const taken = adjusted(amount, scaleIn);
  if (taken < LEAST || taken > MOST || taken > inReserve / 2n) return undefined;
  const fee = (taken * bitsOf(before.variables, FIELDS.fee)) / PPM;
  const net = taken - fee;
  const paid = (net * outReserve) / (inReserve + net);
  const supplies = suppliesAfter(way, prices.center, {
    supplyIn: way.supplyIn + taken - (fee * bitsOf(before.variables, FIELDS.revenueCut)) / PERCENT,
    supplyOut: way.supplyOut - paid,
  });
  const amountOut = (paid * scaleOut.divisor) / scaleOut.factor;
  const [given, left] = [inReserve + taken, outReserve - paid];
  const price = way.zeroForOne ? (left * PRICE_UNIT) / given : (given * PRICE_UNIT) / left;
  const after = statusAfter(before.variables, prices, price, timestamp);
  if (supplies === undefined || after === undefined || amountOut === 0n) return undefined;
  return { amountOut, next: settled(before, after, supplies, timestamp) };
}

type Supplies = { readonly supplyIn: bigint; readonly supplyOut: bigint };

/** Supplies of token 0 and 1 after a swap; undefined if the contract refuses them. */
function suppliesAfter(
  { zeroForOne }: Way,
  center: bigint,
  { supplyIn, supplyOut }: Supplies,
): Pair<bigint> | undefined {
  if (supplyIn > MOST || supplyOut < 0n) return undefined;
  const least = zeroForOne
    ? (supplyIn * center) / (PRICE_UNIT * RATIO)
    : (supplyIn * PRICE_UNIT) / (center * RATIO);
  if (supplyOut < least) return undefined;
  return zeroForOne ? [supplyIn, supplyOut] : [supplyOut, supplyIn];
}

/** The state with new supplies, and with the second of the swap where the centre price moves. */
function settled(before: State, after: State, [supply0, supply1]: Pair<bigint>, timestamp: number): State {
  const isShifting = bitsOf(before.variables, FIELDS.isCenterShifting) === 1n;
  const isMoved = isShifting || bitsOf(after.variables, FIELDS.status) > 1n;
  const variables = withBits(after.variables, FIELDS.supply0, supply0);
  return {
    ...after,
    variables: withBits(variables, FIELDS.supply1, supply1),
    isClosed: true,
    centerShift: isMoved ? withBits(after.centerShift, SHIFT.last, BigInt(timestamp)) : after.centerShift,
  };
}

/** Sells, or buys by the least input that pays for it, since the router only sells. */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (state.isClosed || amount <= 0n || amount > MOST_AMOUNT) return undefined;
  const { timestamp } = at;
  const prices = pricesAt(state, timestamp);
  if (prices === undefined) return undefined;
  const way = wayOf(prices, i);
  const sell = (amountIn: bigint) => swapIn(state, { prices, way, timestamp }, amountIn);
  const amountIn =
    side === "in"
      ? amount
      : leastInput((x) => sell(x)?.amountOut, amount, inputFor(state, way, amount) ?? MOST_AMOUNT);
  const sold = amountIn === undefined ? undefined : sell(amountIn);
  if (amountIn === undefined || sold === undefined) return undefined;
  const amountOut = side === "in" ? sold.amountOut : amount;
  return { amountIn, amountOut, gas: GAS, next: sold.next };
}

/** The input that the contract computes for an output, before its checks; undefined if the reserve has less. */
function inputFor({ variables }: State, way: Way, amount: bigint): bigint | undefined {
  const { inReserve, outReserve, scaleIn, scaleOut } = way;
  const paid = adjusted(amount, scaleOut);
  if (paid >= outReserve) return undefined;
  const net = (paid * inReserve) / (outReserve - paid);
  const taken = (net * PPM) / (PPM - bitsOf(variables, FIELDS.fee));
  return (taken * scaleIn.divisor) / scaleIn.factor;
}

/**
 * What the contract's own swap of an exact output takes. The router only sells: recorded swaps are compared with it.
 *
 * @source contracts/protocols/dexLite/core/coreInternals.sol _swapOut
 */
export function swapOut(state: State, i: number, amount: bigint, timestamp: number): bigint | undefined {
  const prices = pricesAt(state, timestamp);
  if (prices === undefined) return undefined;
  const way = wayOf(prices, i);
  const paid = adjusted(amount, way.scaleOut);
  return paid < LEAST || paid > way.outReserve / 2n ? undefined : inputFor(state, way, amount);
}
