import type { Curve } from "../protocol.ts";
import { rangesOf } from "./concentrated-ranges.ts";
import { type Concentrated, withinWindow } from "./concentrated-swap.ts";
import { sqrtRatioAtTick } from "./tick-math.ts";
import { countUpTo } from "./tick-table.ts";

/** One direction: segments from the current price to the end of the known ticks. Amounts are without the fee. */
type Side = {
  /** Input at the start of each segment, and at the end of the last. */
  readonly x: Float64Array;
  /** Output at the same points. */
  readonly y: Float64Array;
  /** Price in output units per input unit at the start of each segment: s² going down, 1/s² going up. */
  readonly price: Float64Array;
  /** How the price falls, per input unit: s/L going down, 1/(s·L) going up. */
  readonly curvature: Float64Array;
};

/**
 * A pool of concentrated liquidity in doubles.
 *
 *   going down: out = s²·x / (1 + s·x/L)      going up: out = x/s² / (1 + x/(s·L))
 *
 * within each range of constant liquidity L that begins at square-root price s. It does not round, so it never pays
 * less than the contract.
 */
export type ConcentratedMirror = {
  /** What the fee leaves of the input, 0 … 1. */
  readonly keep: number;
  readonly down: Side;
  readonly up: Side;
};

/** More than this a curve does not show: it ends where they end. */
const MAX_SEGMENTS = 1024;
const Q96 = 2 ** 96;

const CLOSED: Side = {
  x: Float64Array.of(0, 0),
  y: Float64Array.of(0, 0),
  price: Float64Array.of(0),
  curvature: Float64Array.of(0),
};

const EMPTY: Curve = {
  x: Float64Array.of(0),
  y: Float64Array.of(0),
  m: Float64Array.of(0),
  c: Float64Array.of(0),
  end: 0,
};

/** Rebuilt once per event: additions over the ticks after a swap, exponentials only after a change of positions. */
export function concentratedMirror(pool: Concentrated): ConcentratedMirror {
  const keep = (1_000_000 - pool.feePpm) / 1_000_000;
  if (pool.sqrtPriceX96 === 0n || !withinWindow(pool)) return { keep, down: CLOSED, up: CLOSED };
  return { keep, down: sideDown(pool), up: sideUp(pool) };
}

/** A price may be a hair from a boundary: that difference is taken in integers, where nothing cancels. */
function sideDown(pool: Concentrated): Side {
  const at = countUpTo(pool.ticks, pool.tick);
  const { boundaries, sqrtPrice, liquidity, amount0, amount1 } = rangesOf(pool, at);
  const side = sideOf(at + 1);
  const lower = sqrtRatioAtTick(boundaries[at]!);
  const s = Number(pool.sqrtPriceX96) / Q96;
  const step = Number(pool.sqrtPriceX96 - lower) / Q96;
  side.x[1] = (Number(pool.liquidity) * step) / (s * sqrtPrice[at]!);
  side.y[1] = Number(pool.liquidity) * step;
  side.price[0] = s * s;
  side.curvature[0] = s / Number(pool.liquidity);
  for (let k = 1; k <= at; k++) {
    const range = at - k;
    const start = sqrtPrice[range + 1]!;
    side.x[k + 1] = side.x[k]! + amount0[range]!;
    side.y[k + 1] = side.y[k]! + amount1[range]!;
    side.price[k] = start * start;
    side.curvature[k] = start / liquidity[range]!;
  }
  return side;
}

function sideUp(pool: Concentrated): Side {
  const at = countUpTo(pool.ticks, pool.tick);
  const { boundaries, sqrtPrice, liquidity, amount0, amount1 } = rangesOf(pool, at);
  const count = liquidity.length - at;
  const side = sideOf(count);
  const upper = sqrtRatioAtTick(boundaries[at + 1]!);
  const s = Number(pool.sqrtPriceX96) / Q96;
  const step = Number(upper - pool.sqrtPriceX96) / Q96;
  side.x[1] = Number(pool.liquidity) * step;
  side.y[1] = (Number(pool.liquidity) * step) / (s * sqrtPrice[at + 1]!);
  side.price[0] = 1 / (s * s);
  side.curvature[0] = 1 / (s * Number(pool.liquidity));
  for (let k = 1; k < count; k++) {
    const range = at + k;
    const start = sqrtPrice[range]!;
    side.x[k + 1] = side.x[k]! + amount1[range]!;
    side.y[k + 1] = side.y[k]! + amount0[range]!;
    side.price[k] = 1 / (start * start);
    side.curvature[k] = 1 / (start * liquidity[range]!);
  }
  return side;
}

function sideOf(segments: number): Side {
  return {
    x: new Float64Array(segments + 1),
    y: new Float64Array(segments + 1),
    price: new Float64Array(segments),
    curvature: new Float64Array(segments),
  };
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function concentratedFloat(pool: ConcentratedMirror, i: number, _j: number, x: number): number {
  const side = i === 0 ? pool.down : pool.up;
  const net = x * pool.keep;
  const starts = side.x;
  const last = starts.length - 1;
  if (!(net > 0 && net <= starts[last]!)) return 0;
  let k = 0;
  if (net > starts[1]!) {
    // The last start below `net`: ranges without liquidity start where they end, and so are never chosen.
    let high = last;
    k = 1;
    while (high - k > 1) {
      const middle = (k + high) >>> 1;
      if (starts[middle]! < net) k = middle;
      else high = middle;
    }
  }
  const h = net - starts[k]!;
  return side.y[k]! + (side.price[k]! * h) / (1 + side.curvature[k]! * h);
}

/** One exact segment a range with liquidity; an empty direction has one segment of length 0. */
export function concentratedCurve(pool: ConcentratedMirror, i: number, _j: number): Curve {
  const { keep } = pool;
  const side = i === 0 ? pool.down : pool.up;
  const last = side.x.length - 1;
  const shown: number[] = [];
  let k = 0;
  for (; k < last && shown.length < MAX_SEGMENTS; k++) if (side.x[k + 1]! > side.x[k]!) shown.push(k);
  if (shown.length === 0) return EMPTY;
  return {
    x: Float64Array.from(shown, (at) => side.x[at]! / keep),
    y: Float64Array.from(shown, (at) => side.y[at]!),
    m: Float64Array.from(shown, (at) => side.price[at]! * keep),
    c: Float64Array.from(shown, (at) => side.curvature[at]! * keep),
    end: side.x[k]! / keep,
  };
}
