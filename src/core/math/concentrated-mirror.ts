import type { Curve } from "../protocol.ts";
import { type Ranges, rangesOf, ratioAt } from "./concentrated-ranges.ts";
import { type Concentrated, withinWindow } from "./concentrated-swap.ts";
import { countUpTo } from "./tick-table.ts";

/**
 * One direction: segments from the current price to the end of the known ticks, four numbers each, and two after the last.
 * Amounts are without the fee.
 *
 * - the input at the start of the segment; after the last segment, at its end;
 * - the output at the same points;
 * - the price in output units per input unit at the start: s² going down, 1/s² going up;
 * - how the price falls, per input unit: s/L going down, 1/(s·L) going up.
 *
 * A plain list: typed arrays of this length take longer to make than to fill.
 */
type Side = readonly number[];

const LANES = 4;

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

const CLOSED: Side = [0, 0, 0, 0, 0, 0];

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
  const at = countUpTo(pool.ticks, pool.tick);
  const ranges = rangesOf(pool, at);
  return { keep, down: sideDown(pool, at, ranges), up: sideUp(pool, at, ranges) };
}

/** A price may be a hair from a boundary: that difference is taken in integers, where nothing cancels. */
function sideDown(pool: Concentrated, at: number, ranges: Ranges): Side {
  const { sqrtPrice, liquidity, amount0, amount1 } = ranges;
  const held = Number(pool.liquidity);
  const s = Number(pool.sqrtPriceX96) / Q96;
  const step = Number(pool.sqrtPriceX96 - ratioAt(ranges, at)) / Q96;
  const side = [0, 0, s * s, s / held];
  let x = (held * step) / (s * sqrtPrice[at]!);
  let y = held * step;
  for (let range = at - 1; range >= 0; range--) {
    const start = sqrtPrice[range + 1]!;
    side.push(x, y, start * start, start / liquidity[range]!);
    x += amount0[range]!;
    y += amount1[range]!;
  }
  side.push(x, y);
  return side;
}

function sideUp(pool: Concentrated, at: number, ranges: Ranges): Side {
  const { sqrtPrice, liquidity, amount0, amount1 } = ranges;
  const held = Number(pool.liquidity);
  const s = Number(pool.sqrtPriceX96) / Q96;
  const step = Number(ratioAt(ranges, at + 1) - pool.sqrtPriceX96) / Q96;
  const side = [0, 0, 1 / (s * s), 1 / (s * held)];
  let x = held * step;
  let y = (held * step) / (s * sqrtPrice[at + 1]!);
  for (let range = at + 1; range < liquidity.length; range++) {
    const start = sqrtPrice[range]!;
    side.push(x, y, 1 / (start * start), 1 / (start * liquidity[range]!));
    x += amount1[range]!;
    y += amount0[range]!;
  }
  side.push(x, y);
  return side;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function concentratedFloat(pool: ConcentratedMirror, i: number, _j: number, x: number): number {
  const side = i === 0 ? pool.down : pool.up;
  const net = x * pool.keep;
  const last = (side.length - 2) / LANES;
  if (!(net > 0 && net <= side[last * LANES]!)) return 0;
  let k = 0;
  if (net > side[LANES]!) {
    // The last start below `net`: ranges without liquidity start where they end, and so are never chosen.
    let high = last;
    k = 1;
    while (high - k > 1) {
      const middle = (k + high) >>> 1;
      if (side[middle * LANES]! < net) k = middle;
      else high = middle;
    }
  }
  const lane = k * LANES;
  const h = net - side[lane]!;
  return side[lane + 1]! + (side[lane + 2]! * h) / (1 + side[lane + 3]! * h);
}

/** One exact segment a range with liquidity; an empty direction has one segment of length 0. */
export function concentratedCurve(pool: ConcentratedMirror, i: number, _j: number): Curve {
  const { keep } = pool;
  const side = i === 0 ? pool.down : pool.up;
  const last = side.length - 2;
  let shown = 0;
  let stop = 0;
  for (; stop < last && shown < MAX_SEGMENTS; stop += LANES) if (side[stop + LANES]! > side[stop]!) shown++;
  if (shown === 0) return EMPTY;
  const all = new Float64Array(4 * shown);
  const [x, y] = [all.subarray(0, shown), all.subarray(shown, 2 * shown)];
  const [m, c] = [all.subarray(2 * shown, 3 * shown), all.subarray(3 * shown)];
  for (let lane = 0, k = 0; k < shown; lane += LANES) {
    if (!(side[lane + LANES]! > side[lane]!)) continue;
    x[k] = side[lane]! / keep;
    y[k] = side[lane + 1]!;
    m[k] = side[lane + 2]! * keep;
    c[k++] = side[lane + 3]! * keep;
  }
  return { x, y, m, c, end: side[stop]! / keep };
}
