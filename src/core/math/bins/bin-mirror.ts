import type { Curve } from "../../protocol.ts";

/**
 * Bins of constant price in doubles: a swap that enters bin k with reserve R at rate r, output units per input unit net
 * of the fee, is paid r·h for h ≤ R/r more input, then enters bin k+1. Building a side takes O(bins), a quote O(log bins).
 */

/** One direction: one straight segment per bin. Amounts include the fee. */
export type BinSide = {
  /** Input at the start of each bin, and at the end of the last. */
  readonly x: Float64Array;
  /** Output at the same points. */
  readonly y: Float64Array;
  /** Output units per input unit in each bin. */
  readonly slope: Float64Array;
};

/** The bins in doubles: sales of X, sales of Y. */
export type BinMirror = readonly [BinSide, BinSide];

/** A direction in which nothing can be sold. */
export const CLOSED: BinSide = {
  x: Float64Array.of(0, 0),
  y: Float64Array.of(0, 0),
  slope: Float64Array.of(0),
};

const SCALE = 2 ** 128;

/** Output units per input unit of a bin. @param fee 18 digits @param price as returned by `binPrice` */
export function binRate(price: bigint, fee: bigint, swapForY: boolean): number {
  const perX = Number(price) / SCALE;
  return (swapForY ? perX : 1 / perX) * (1 - Number(fee) / 1e18);
}

/** @param reserves what each bin pays, > 0, in the order of a swap @param rates as returned by `binRate` */
export function binSide(reserves: readonly number[], rates: readonly number[]): BinSide {
  const count = reserves.length;
  if (count === 0) return CLOSED;
  const [x, y] = [new Float64Array(count + 1), new Float64Array(count + 1)];
  for (let k = 0; k < count; k++) {
    x[k + 1] = x[k]! + reserves[k]! / rates[k]!;
    y[k + 1] = y[k]! + reserves[k]!;
  }
  return { x, y, slope: Float64Array.from(rates) };
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function binFloat(bins: BinMirror, i: number, _j: number, x: number): number {
  const side = bins[i === 0 ? 0 : 1];
  const starts = side.x;
  let high = starts.length - 1;
  if (!(x > 0 && x <= starts[high]!)) return 0;
  let k = 0;
  while (high - k > 1) {
    const middle = (k + high) >>> 1;
    if (starts[middle]! < x) k = middle;
    else high = middle;
  }
  return side.y[k]! + side.slope[k]! * (x - starts[k]!);
}

/** One exact segment per bin; undefined if a falling fee makes a later bin pay a better price than an earlier one. */
export function binCurve(bins: BinMirror, i: number, _j: number): Curve | undefined {
  const { x, y, slope } = bins[i === 0 ? 0 : 1];
  for (let k = 1; k < slope.length; k++) if (slope[k]! > slope[k - 1]!) return undefined;
  return {
    x: x.slice(0, -1),
    y: y.slice(0, -1),
    m: slope,
    c: new Float64Array(slope.length),
    end: x[x.length - 1]!,
  };
}
