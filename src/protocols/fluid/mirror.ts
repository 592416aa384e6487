import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Curve } from "../../core/protocol.ts";
import type { State } from "./state.ts";
import {
  keepsCenter,
  type Lane,
  LEAST_ADJUSTED,
  LEAST_AMOUNT,
  MOST_ADJUSTED,
  MOST_AMOUNT,
  priceBefore,
  RESERVE_RATIO,
  rootOf,
  wayOf,
} from "./swap.ts";

/** A half in doubles; amounts in units of 1e-12 of a token, but for `room` and `limit`. */
type Book = {
  readonly isOn: boolean;
  readonly realIn: number;
  readonly realOut: number;
  readonly inReserve: number;
  readonly outReserve: number;
  /** What it may take and pay, smallest units. */
  readonly room: number;
  readonly limit: number;
};

/** One direction in doubles. */
type Direction = {
  readonly zeroForOne: boolean;
  /** Factor and divisor from smallest units to units of 1e-12 of a token, of the token sold and of the one bought. */
  readonly scaleIn: Units;
  readonly scaleOut: Units;
  readonly collateral: Book;
  readonly debt: Book;
  /** The collateral half's share of an amount x is `offset + slope · x`. */
  readonly offset: number;
  readonly slope: number;
  /** The least reserve of the token bought per reserve of the token sold. */
  readonly leastLeft: number;
  /** Largest amount, in units of 1e-12 of a token. */
  readonly most: number;
  /** What both halves may pay together, smallest units. */
  readonly limit: number;
  /** Token1 per token0 before the swap, as the pool's oracle has it. */
  readonly price: number;
};

export type Mirror = {
  /** Undefined if the pool cannot be priced. */
  readonly directions: readonly [Direction, Direction] | undefined;
  /** Fee in parts per million, and the protocol's part of an input in parts per hundred million. */
  readonly fee: number;
  readonly cut: number;
};

const PPM = 1e6;
const REVENUE_UNIT = 1e8;
/** What is sent may exceed what is booked by 1 %. */
const MOST_SENT = 1.01;
const PRICE_UNIT = 1e27;
/** Largest change of the price of a swap. */
const MOST_CHANGE = 0.05;

export function mirror(state: State, timestamp: number): Mirror {
  const isPriced = state.isOpen && keepsCenter(state, timestamp);
  return {
    directions: isPriced ? [directionOf(state, 0, timestamp), directionOf(state, 1, timestamp)] : undefined,
    fee: Number(state.fee),
    cut: Number(state.revenueCut * state.fee),
  };
}

function bookOf({ isOn, ...lane }: Lane): Book {
  return {
    isOn,
    realIn: Number(lane.realIn),
    realOut: Number(lane.realOut),
    inReserve: Number(lane.inReserve),
    outReserve: Number(lane.outReserve),
    room: Number(lane.room),
    limit: Number(lane.limit),
  };
}

function directionOf(state: State, i: 0 | 1, timestamp: number): Direction {
  const { zeroForOne, scaleIn, scaleOut, collateral, debt, limit } = wayOf(state, { i, timestamp });
  const center = Number(state.centerPrice) / PRICE_UNIT;
  const [ours, other] = [rootOf(collateral), rootOf(debt)];
  const both = collateral.isOn && debt.isOn;
  const sum = both ? ours + other : 1n;
  return {
    zeroForOne,
    scaleIn: [Number(scaleIn.numerator), Number(scaleIn.denominator)],
    scaleOut: [Number(scaleOut.numerator), Number(scaleOut.denominator)],
    collateral: bookOf(collateral),
    debt: bookOf(debt),
    offset: both ? Number((debt.inReserve * ours - collateral.inReserve * other) / sum) : 0,
    slope: both ? Number(ours) / Number(sum) : collateral.isOn ? 1 : 0,
    leastLeft: (zeroForOne ? center : 1 / center) / Number(RESERVE_RATIO),
    most: Math.min(Number(MOST_ADJUSTED), Number(collateral.inReserve + debt.inReserve) / 2),
    limit: Number(limit),
    price: Number(priceBefore(state.oracle, timestamp)) / PRICE_UNIT,
  };
}

type Sale = { readonly i: number; readonly x: number };

/** The least amounts that are accepted, and how amounts are rounded. */
type Grain = {
  readonly least: number;
  readonly leastAdjusted: number;
  readonly rounded: (amount: number) => number;
};

const CONTRACT: Grain = {
  least: Number(LEAST_AMOUNT),
  leastAdjusted: Number(LEAST_ADJUSTED),
  rounded: Math.floor,
};
const SMOOTH: Grain = { least: 0, leastAdjusted: 0, rounded: (amount) => amount };

function output({ directions, fee, cut }: Mirror, { i, x }: Sale, grain: Grain): number {
  const way = directions?.[i === 0 ? 0 : 1];
  if (way === undefined || !(x > 0 && x >= grain.least) || x > Number(MOST_AMOUNT)) return 0;
  const { rounded } = grain;
  const [factor, divisor] = way.scaleIn;
  const total = rounded((x * factor) / divisor);
  if (!(total >= grain.leastAdjusted && total <= way.most)) return 0;
  const part = Math.min(total, rounded(Math.max(0, way.offset + way.slope * total)));
  const first = legOf(way.collateral, way, { taken: part, fee, cut, rounded });
  const second = legOf(way.debt, way, { taken: total - part, fee, cut, rounded });
  const inUnits = (amount: number, scale: Units) => rounded(unitsOf(amount, scale));
  const sent = inUnits(first.booked, way.scaleIn) + inUnits(second.booked, way.scaleIn);
  const { given, left } = first.booked > second.booked ? first : second;
  const change = 1 - way.price / (way.zeroForOne ? left / given : given / left);
  if (!(Math.abs(change) <= MOST_CHANGE) || x > sent * MOST_SENT) return 0;
  const out = inUnits(first.paid, way.scaleOut) + inUnits(second.paid, way.scaleOut);
  return out > 0 && out <= way.limit ? out : 0;
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. Rounds where the contract does. */
export function quoteFloat(mirror: Mirror, i: number, _j: number, x: number): number {
  return output(mirror, { i, x }, CONTRACT);
}

/**
 * The concave curve of a direction. It is drawn without roundings, and from the first unit on: units of 1e-12 of a token may be
 * many smallest units, and steps of that width between two amounts look like prices that they are not. A pool near its limits
 * may take amounts up to a small multiple of the least one only.
 */
export function curve(mirror: Mirror, i: number, _j: number): Curve | undefined {
  return sampledCurve((x) => output(mirror, { i, x }, SMOOTH));
}

type Units = readonly [number, number];

function unitsOf(amount: number, [factor, divisor]: Units): number {
  return (amount * divisor) / factor;
}

type Leg = {
  readonly paid: number;
  /** The part of the input that is not the protocol's. */
  readonly booked: number;
  /** The half's imaginary reserves after the swap. */
  readonly given: number;
  readonly left: number;
};

type Taken = Pick<Mirror, "fee" | "cut"> & Pick<Grain, "rounded"> & { readonly taken: number };

/** What happens to one half; it pays NaN if it would revert. */
function legOf(book: Book, way: Direction, { taken, fee, cut, rounded }: Taken): Leg {
  if (taken === 0) return { paid: 0, booked: 0, given: book.inReserve, left: book.outReserve };
  const net = rounded((taken * (PPM - fee)) / PPM);
  const paid = rounded((net * book.outReserve) / (book.inReserve + net));
  const booked = rounded((taken * (REVENUE_UNIT - cut)) / REVENUE_UNIT);
  const isLeft = book.realOut - paid >= (book.realIn + taken) * way.leastLeft;
  const isTaken = rounded(unitsOf(booked, way.scaleIn)) <= book.room;
  const isPaid = isLeft && isTaken && rounded(unitsOf(paid, way.scaleOut)) <= book.limit;
  return {
    paid: isPaid ? paid : Number.NaN,
    booked,
    given: book.inReserve + booked,
    left: book.outReserve - paid,
  };
}
