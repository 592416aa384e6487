import { leastInput } from "../../core/math/least-input.ts";
import { isqrt } from "../../core/math/roots.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import {
  type Half,
  isOn,
  limitAfter,
  type Oracle,
  type Scale,
  type State,
  sharedLimit,
  UNLIMITED,
} from "./state.ts";

/**
 * Gas units of a crossing through the router, of one half or of both: two operations at the layer that holds the tokens,
 * the pool's own work and an allowance. An estimate, since no bytecode of the contract is at hand to measure.
 */
export const GAS = { one: 180_000, both: 215_000 } as const;

export const PPM = 1_000_000n;
const REVENUE_UNIT = 100_000_000n;
const CENTER_UNIT = 100_000_000n;
const PRICE_UNIT = 10n ** 27n;
const ORACLE_UNIT = 10n ** 18n;

/** Bounds of an amount, in 1e-12 of a token and in smallest units. */
export const LEAST_ADJUSTED = 1_000_000n;
export const LEAST_AMOUNT = 100n;
export const MOST_ADJUSTED = 2n ** 96n - 1n;
export const MOST_AMOUNT = 2n ** 128n - 1n;
/** Least reserve of the token bought after a swap, as a fraction of the other's worth at the centre price. */
export const RESERVE_RATIO = 10_000n;
/** Largest change of the price since the last block with a swap: 5 %. */
const MOST_CHANGE = ORACLE_UNIT / 20n;
/** What the pool sends may exceed what is booked by 1 %, in ten-thousandths. */
const MOST_SENT = 10_100n;
const BOOKED = 10_000n;

/** A half in the direction of a swap; `room` and `limit` are what it may take and pay, smallest units. */
export type Lane = {
  readonly isOn: boolean;
  readonly realIn: bigint;
  readonly realOut: bigint;
  readonly inReserve: bigint;
  readonly outReserve: bigint;
  readonly room: bigint;
  readonly limit: bigint;
};

/** The pool in the direction of a swap. */
export type Way = {
  readonly zeroForOne: boolean;
  readonly timestamp: number;
  readonly scaleIn: Scale;
  readonly scaleOut: Scale;
  readonly collateral: Lane;
  readonly debt: Lane;
  /** What both halves may pay together, smallest units. */
  readonly limit: bigint;
};

/** What a swap puts into one half and takes out of it, in units of 1e-12 of a token. */
type Leg = { readonly lane: Lane; readonly taken: bigint; readonly paid: bigint };

export type Swap = { readonly i: number; readonly amount: bigint; readonly timestamp: number };

export function wayOf(state: State, { i, timestamp }: Omit<Swap, "amount">): Way {
  const [x, y] = i === 0 ? ([0, 1] as const) : ([1, 0] as const);
  const elapsed = BigInt(timestamp - state.readAt);
  const [scaleIn, scaleOut] = [state.scales[x], state.scales[y]];
  const laneOf = (half: Half, room: bigint, limit: bigint): Lane => ({
    isOn: isOn(half),
    realIn: half.real[x],
    realOut: half.real[y],
    inReserve: half.imaginary[x],
    outReserve: half.imaginary[y],
    room,
    limit,
  });
  return {
    zeroForOne: i === 0,
    timestamp,
    scaleIn,
    scaleOut,
    limit: sharedLimit(state.withdrawable[y], state.borrowable[y]),
    collateral: laneOf(state.collateral, UNLIMITED, limitAfter(state.withdrawable[y], elapsed)),
    debt: laneOf(state.debt, inUnits(state.debts[x], scaleIn), limitAfter(state.borrowable[y], elapsed)),
  };
}

function adjusted(amount: bigint, { numerator, denominator }: Scale): bigint {
  return (amount * numerator) / denominator;
}

function inUnits(amount: bigint, { numerator, denominator }: Scale): bigint {
  return (amount * denominator) / numerator;
}

/** Whether the contract accepts an amount at all. @source FluidDexT1 _verifySwapAndNonPerfectActions */
function isInBounds(amount: bigint, inner: bigint): boolean {
  return amount >= LEAST_AMOUNT && amount <= MOST_AMOUNT && inner >= LEAST_ADJUSTED && inner <= MOST_ADJUSTED;
}

/**
 * Divides an amount between the halves so that their prices after the swap are equal, fees aside; `share` is what the
 * collateral half gets, and may be below 0 or above the amount.
 */
function divided(amount: bigint, { collateral, debt }: Way, share: () => bigint): readonly [bigint, bigint] {
  if (!debt.isOn) return [amount, 0n];
  if (!collateral.isOn) return [0n, amount];
  const part = share();
  if (part <= 0n) return [0n, amount];
  return part >= amount ? [amount, 0n] : [part, amount - part];
}

/** The square root of a half's invariant, with nine more digits. */
export function rootOf({ inReserve, outReserve }: Lane): bigint {
  return isqrt(inReserve * outReserve * ORACLE_UNIT);
}

/** What the pool pays, smallest units, and the gas of the swap. */
export type Sold = { readonly amountOut: bigint; readonly gas: number };

/**
 * Sells an exact input.
 *
 * @returns undefined if the contract would revert, or pays nothing
 * @source Instadapp/fluid-contracts-public contracts/protocols/dex/poolT1/coreModule/core/main.sol _swapIn
 */
export function swapIn(state: State, swap: Swap): Sold | undefined {
  const way = wayOf(state, swap);
  const { collateral, debt } = way;
  const total = adjusted(swap.amount, way.scaleIn);
  if (!isInBounds(swap.amount, total) || total > (collateral.inReserve + debt.inReserve) / 2n)
    return undefined;
  const parts = divided(total, way, () => {
    const [ours, other] = [rootOf(collateral), rootOf(debt)];
    return ((debt.inReserve + total) * ours - collateral.inReserve * other) / (ours + other);
  });
  const sell = (lane: Lane, taken: bigint): Leg => {
    const net = (taken * (PPM - state.fee)) / PPM;
    return { lane, taken, paid: taken === 0n ? 0n : (net * lane.outReserve) / (lane.inReserve + net) };
  };
  const legs = [sell(collateral, parts[0]), sell(debt, parts[1])] as const;
  if (!isAccepted(state, way, { legs, sent: swap.amount, by: "taken" })) return undefined;
  const amountOut = legs.reduce((sum, { paid }) => sum + inUnits(paid, way.scaleOut), 0n);
  const gas = parts[0] > 0n && parts[1] > 0n ? GAS.both : GAS.one;
  return amountOut > 0n ? { amountOut, gas } : undefined;
}

/**
 * What the contract's swap of an exact output takes. The router only sells: quotes use it as a guess.
 *
 * @returns smallest units; undefined if the contract would revert
 * @source Instadapp/fluid-contracts-public contracts/protocols/dex/poolT1/coreModule/core/main.sol _swapOut
 */
export function swapOut(state: State, swap: Swap): bigint | undefined {
  const way = wayOf(state, swap);
  const { collateral, debt } = way;
  const total = adjusted(swap.amount, way.scaleOut);
  if (!isInBounds(swap.amount, total) || total > (collateral.outReserve + debt.outReserve) / 2n)
    return undefined;
  const parts = divided(total, way, () => {
    const [ours, other] = [rootOf(collateral), rootOf(debt)];
    return (total * ours + collateral.outReserve * other - debt.outReserve * ours) / (ours + other);
  });
  if (parts[0] > collateral.realOut || parts[1] > debt.realOut) return undefined;
  const buy = (lane: Lane, paid: bigint): Leg => {
    if (paid === 0n) return { lane, taken: 0n, paid };
    const net = (paid * lane.inReserve) / (lane.outReserve - paid);
    return { lane, taken: (net * PPM) / (PPM - state.fee), paid };
  };
  if (parts[0] >= collateral.outReserve && parts[0] > 0n) return undefined;
  if (parts[1] >= debt.outReserve && parts[1] > 0n) return undefined;
  const legs = [buy(collateral, parts[0]), buy(debt, parts[1])] as const;
  const amountIn = inUnits(legs[0].taken + legs[1].taken, way.scaleIn);
  return isAccepted(state, way, { legs, sent: amountIn, by: "paid" }) ? amountIn : undefined;
}

type Terms = {
  readonly legs: readonly [Leg, Leg];
  /** What the trader sends, smallest units. */
  readonly sent: bigint;
  /** The amounts by which the contract chooses the half whose price counts: inputs less the cut, or outputs. */
  readonly by: "taken" | "paid";
};

/**
 * The checks of both kinds of swap once their amounts are known: the halves' reserves, their limits, what is booked of
 * the input, and the change of the price.
 *
 * @source FluidDexT1 _swapIn, _updateOracle; contracts/liquidity/userModule/main.sol operate
 */
function isAccepted(state: State, way: Way, { legs, sent, by }: Terms): boolean {
  if (!legs.every((leg) => keepsReserves(state, way, leg))) return false;
  const cut = REVENUE_UNIT - state.revenueCut * state.fee;
  const booked = legs.map(({ taken }) => (taken * cut) / REVENUE_UNIT) as [bigint, bigint];
  const units = booked.map((amount) => inUnits(amount, way.scaleIn)) as [bigint, bigint];
  if (sent > ((units[0] + units[1]) * MOST_SENT) / BOOKED) return false;
  if (legs.some(({ lane }, k) => units[k]! > lane.room)) return false;
  if (!withinLimits(way, [inUnits(legs[0].paid, way.scaleOut), inUnits(legs[1].paid, way.scaleOut)]))
    return false;
  const [first, second] = by === "taken" ? booked : legs.map(({ paid }) => paid);
  const k = first! > second! ? 0 : 1;
  const { lane, paid } = legs[k];
  const [given, left] = [lane.inReserve + booked[k], lane.outReserve - paid];
  if (left <= 0n || given <= 0n) return false;
  const price = way.zeroForOne ? (left * PRICE_UNIT) / given : (given * PRICE_UNIT) / left;
  return acceptsPrice(state, price, way.timestamp);
}

/** Whether the halves may pay so much, smallest units. */
function withinLimits(way: Way, [first, second]: readonly [bigint, bigint]): boolean {
  return first <= way.collateral.limit && second <= way.debt.limit && first + second <= way.limit;
}

/** Whether a half keeps enough of the token that it pays. @source FluidDexT1 _verifyToken0Reserves, _verifyToken1Reserves */
function keepsReserves({ centerPrice }: State, { zeroForOne }: Way, { lane, taken, paid }: Leg): boolean {
  if (taken === 0n && paid === 0n) return true;
  const [given, left] = [lane.realIn + taken, lane.realOut - paid];
  if (left < 0n) return false;
  return zeroForOne
    ? left >= (given * centerPrice) / (PRICE_UNIT * RESERVE_RATIO)
    : left >= (given * PRICE_UNIT) / (centerPrice * RESERVE_RATIO);
}

/** The price that limits a swap's: the last one stored before the block that executes. */
export function priceBefore({ time, price, before }: Oracle, timestamp: number): bigint {
  return timestamp > time ? price : before;
}

/**
 * Whether the centre price may be used again in the block of the last swap.
 *
 * @source FluidDexT1 _updateOracle
 */
export function keepsCenter({ oracle, centerPrice }: State, timestamp: number): boolean {
  if (timestamp > oracle.time) return true;
  return (
    centerPrice >= ((CENTER_UNIT - 1n) * oracle.center) / CENTER_UNIT &&
    centerPrice <= ((CENTER_UNIT + 1n) * oracle.center) / CENTER_UNIT
  );
}

function acceptsPrice(state: State, price: bigint, timestamp: number): boolean {
  if (price === 0n || !keepsCenter(state, timestamp)) return false;
  const change = ORACLE_UNIT - (priceBefore(state.oracle, timestamp) * ORACLE_UNIT) / price;
  return change <= MOST_CHANGE && change >= -MOST_CHANGE;
}

/**
 * Sells, or buys by the least input that pays for it, since the router only sells. The pool is not priced again in the
 * same route: after a swap the contract derives reserves from amounts that are stored with 56 bits of precision at
 * rates that are not known here.
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (!state.isOpen || amount <= 0n || amount > MOST_AMOUNT) return undefined;
  const { timestamp } = at;
  const amountIn = side === "in" ? amount : priceOf(state, { i, amount, timestamp });
  const sold = amountIn === undefined ? undefined : swapIn(state, { i, amount: amountIn, timestamp });
  if (amountIn === undefined || sold === undefined) return undefined;
  const amountOut = side === "in" ? sold.amountOut : amount;
  return { amountIn, amountOut, gas: sold.gas, next: { ...state, isOpen: false } };
}

function priceOf(state: State, swap: Swap): bigint | undefined {
  const { collateral, debt, scaleIn, scaleOut } = wayOf(state, swap);
  const wanted = adjusted(swap.amount, scaleOut);
  if (wanted > collateral.realOut + debt.realOut) return undefined;
  const lane = collateral.isOn ? collateral : debt;
  if (!lane.isOn) return undefined;
  const guess = swapOut(state, swap) ?? inUnits((wanted * lane.inReserve) / lane.outReserve, scaleIn);
  return leastInput((amount) => swapIn(state, { ...swap, amount })?.amountOut, swap.amount, guess);
}
