import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Curve } from "../../core/protocol.ts";
import { bitsOf } from "../shared/packed-word.ts";
import { PRICE_UNIT, pricesAt } from "./prices.ts";
import { FIELDS, type State } from "./state.ts";
import { LEAST, MOST, PPM, RATIO, type Scale, wayOf } from "./swap.ts";

/** One direction in doubles; amounts in units of 1e-9 of a token where not said otherwise. */
type Direction = {
  readonly inReserve: number;
  readonly outReserve: number;
  readonly supplyIn: number;
  readonly supplyOut: number;
  /** The least supply of the token bought per supply of the token sold. */
  readonly leastLeft: number;
  /** Largest input that reserves and supplies allow. */
  readonly most: number;
  /** Factor and divisor from smallest units to 1e-9 of a token. */
  readonly scaleIn: readonly [number, number];
  readonly scaleOut: readonly [number, number];
};

export type Mirror = {
  /** Undefined if the contract would revert. */
  readonly directions: readonly [Direction, Direction] | undefined;
  /** Shares of an input that are the fee, and the protocol's. */
  readonly fee: number;
  readonly cut: number;
};

const PERCENT = 100;

export function mirror(state: State, timestamp: number): Mirror {
  const prices = pricesAt(state, timestamp);
  const fee = Number(bitsOf(state.variables, FIELDS.fee)) / Number(PPM);
  const cut = (fee * Number(bitsOf(state.variables, FIELDS.revenueCut))) / PERCENT;
  if (prices === undefined || state.isClosed) return { directions: undefined, fee, cut };
  const directionOf = (i: number): Direction => {
    const { zeroForOne, scaleIn, scaleOut, ...way } = wayOf(prices, i);
    const center = Number(prices.center) / Number(PRICE_UNIT);
    const [inReserve, supplyIn] = [Number(way.inReserve), Number(way.supplyIn)];
    return {
      ...{ inReserve, supplyIn, outReserve: Number(way.outReserve), supplyOut: Number(way.supplyOut) },
      leastLeft: (zeroForOne ? center : 1 / center) / Number(RATIO),
      most: Math.min(inReserve / 2, (Number(MOST) - supplyIn) / (1 - cut)),
      scaleIn: numbersOf(scaleIn),
      scaleOut: numbersOf(scaleOut),
    };
  };
  return { directions: [directionOf(0), directionOf(1)], fee, cut };
}

function numbersOf({ factor, divisor }: Scale): readonly [number, number] {
  return [Number(factor), Number(divisor)];
}

/** What is paid for an input, in units of 1e-9 of a token. */
function paidFor({ inReserve, outReserve }: Direction, net: number): number {
  return (net * outReserve) / (inReserve + net);
}

/** What the supply of the token bought exceeds its least by after a swap. */
function spareAfter(way: Direction, { cut }: Mirror, taken: number, paid: number): number {
  return way.supplyOut - paid - (way.supplyIn + taken * (1 - cut)) * way.leastLeft;
}

type Sale = { readonly i: number; readonly x: number; readonly least: number };

function output(mirror: Mirror, { i, x, least }: Sale, rounded: (amount: number) => number): number {
  const way = mirror.directions?.[i === 0 ? 0 : 1];
  if (way === undefined || !(x > 0)) return 0;
  const [factor, divisor] = way.scaleIn;
  const taken = rounded((x * factor) / divisor);
  if (!(taken >= least && taken <= way.most)) return 0;
  const paid = rounded(paidFor(way, taken - rounded(taken * mirror.fee)));
  if (!(spareAfter(way, mirror, taken, paid) >= 0)) return 0;
  const [factorOut, divisorOut] = way.scaleOut;
  return rounded((paid * divisorOut) / factorOut);
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. Rounds where the contract does. */
export function quoteFloat(mirror: Mirror, i: number, _j: number, x: number): number {
  return output(mirror, { i, x, least: Number(LEAST) }, Math.floor);
}

/**
 * The concave curve of a direction. It is drawn without roundings, and from the first unit on: units of 1e-9 of a token may be
 * many smallest units, and steps of that width between two amounts look like prices that they are not.
 */
export function curve(mirror: Mirror, i: number, _j: number): Curve | undefined {
  return sampledCurve((x) => output(mirror, { i, x, least: 0 }, (amount) => amount));
}
