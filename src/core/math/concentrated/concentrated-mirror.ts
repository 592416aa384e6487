import type { Curve } from "../../protocol.ts";
import {
  AMOUNT_0,
  AMOUNT_1,
  boundaryTick,
  LANES,
  LIQUIDITY,
  type Ranges,
  rangesOf,
} from "./concentrated-ranges.ts";
import type { Concentrated } from "./concentrated-swap.ts";
import { sqrtRatioAtTick } from "./tick-math.ts";

/**
 * A concentrated-liquidity pool in doubles. A range of constant liquidity L that a swap enters at square-root price s
 * pays
 *
 *   downwards: out = s²·x / (1 + s·x/L)      upwards: out = x/s² / (1 + x/(s·L))
 *
 * Nothing is rounded in the pool's favour, so the result is never below the contract's but for the error of doubles.
 */
export type ConcentratedMirror = {
  /** 1 - fee, 0 … 1. */
  readonly keep: number;
  /** Empty if the pool cannot be swapped with. */
  readonly ranges: Ranges;
  /** Index of the range that contains the price. */
  readonly at: number;
  readonly sqrtPrice: number;
  /** Distance of the square-root price from the lower and the upper end of its range. */
  readonly below: number;
  readonly above: number;
};

/** Cap on the segments of a curve; the curve ends with the last of them. */
const MAX_SEGMENTS = 1024;
const Q96 = 2 ** 96;
/** Relative distance from the price above which the distance of a boundary is computed in doubles. */
const CLOSE = 2e-5;

const NOWHERE: Ranges = [];

const EMPTY: Curve = {
  x: [0],
  y: [0],
  m: [0],
  c: [0],
  end: 0,
};

/** The mirror of a state. Ranges are cached for as long as positions do not change. */
export function concentratedMirror(pool: Concentrated): ConcentratedMirror {
  const keep = (1_000_000 - pool.feePpm) / 1_000_000;
  const found = rangesOf(pool);
  if (found === undefined) return { keep, ranges: NOWHERE, at: 0, sqrtPrice: 0, below: 0, above: 0 };
  const { ranges, at } = found;
  const sqrtPrice = Number(pool.sqrtPriceX96) / Q96;
  const close = CLOSE * sqrtPrice;
  const down = sqrtPrice - ranges[at * LANES]!;
  const up = ranges[(at + 1) * LANES]! - sqrtPrice;
  const below = down > close ? down : exactDistance(pool, at);
  const above = up > close ? up : exactDistance(pool, at + 1);
  return { keep, ranges, at, sqrtPrice, below, above };
}

/** Distance of the price from a boundary next to it: subtracted in integers, which avoids cancellation. */
function exactDistance(pool: Concentrated, boundary: number): number {
  const exact = pool.sqrtPriceX96 - sqrtRatioAtTick(boundaryTick(pool, boundary));
  return Math.abs(Number(exact)) / Q96;
}

/**
 * Part of a range in the direction of a swap: its whole input and output, the price where it begins, and its
 * curvature.
 */
type Stretch = { takes: number; pays: number; price: number; bend: number };

/** The rest of the range that contains the price. */
function begin({ ranges, at, sqrtPrice: s, below, above }: ConcentratedMirror, down: boolean): Stretch {
  const held = ranges[at * LANES + LIQUIDITY]!;
  if (down) {
    const moved = held * below;
    return { takes: moved / (s * ranges[at * LANES]!), pays: moved, price: s * s, bend: s / held };
  }
  const moved = held * above;
  const pays = moved / (s * ranges[(at + 1) * LANES]!);
  return { takes: moved, pays, price: 1 / (s * s), bend: 1 / (s * held) };
}

/** Sets `stretch` to a whole range. */
function pass(stretch: Stretch, ranges: Ranges, range: number, down: boolean): void {
  const lane = range * LANES;
  const liquidity = ranges[lane + LIQUIDITY]!;
  const start = ranges[down ? lane + LANES : lane]!;
  stretch.takes = ranges[lane + (down ? AMOUNT_0 : AMOUNT_1)]!;
  stretch.pays = ranges[lane + (down ? AMOUNT_1 : AMOUNT_0)]!;
  stretch.price = down ? start * start : 1 / (start * start);
  stretch.bend = down ? start / liquidity : 1 / (start * liquidity);
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function concentratedFloat(pool: ConcentratedMirror, i: number, _j: number, x: number): number {
  const { ranges, at, keep, sqrtPrice: s, below, above } = pool;
  const net = x * keep;
  if (!(net > 0) || ranges.length === 0) return 0;
  const down = i === 0;
  const lane = at * LANES;
  const held = ranges[lane + LIQUIDITY]!;
  const moved = held * (down ? below : above);
  const other = moved / (s * ranges[down ? lane : lane + LANES]!);
  const takes = down ? other : moved;
  if (net > takes) return paidBeyond(pool, down, net, { taken: takes, paid: down ? moved : other });
  return paidWithin(s, held, down, net);
}

/** Output of a range of liquidity `held` from square-root price `s` on, in closed form with a single division. */
function paidWithin(s: number, held: number, down: boolean, taken: number): number {
  return down ? (s * s * taken * held) / (held + s * taken) : (taken * held) / (s * (s * held + taken));
}

/** Output beyond the first range: ranges that are crossed whole are summed, and the last one is evaluated. */
function paidBeyond({ ranges, at }: ConcentratedMirror, down: boolean, net: number, first: Sums): number {
  const step = down ? -LANES : LANES;
  const end = down ? -LANES : ranges.length - 1;
  const sold = down ? AMOUNT_0 : AMOUNT_1;
  const bought = AMOUNT_0 + AMOUNT_1 - sold;
  let { taken, paid } = first;
  for (let lane = at * LANES + step; lane !== end; lane += step) {
    const next = taken + ranges[lane + sold]!;
    if (net <= next) {
      const start = ranges[down ? lane + LANES : lane]!;
      return paid + paidWithin(start, ranges[lane + LIQUIDITY]!, down, net - taken);
    }
    taken = next;
    paid += ranges[lane + bought]!;
  }
  return 0;
}

type Sums = { readonly taken: number; readonly paid: number };

/**
 * The curve of a direction: one exact segment per range. A direction that sells nothing has one segment of length 0.
 */
export function concentratedCurve(pool: ConcentratedMirror, i: number, _j: number): Curve {
  const { ranges, at, keep } = pool;
  if (ranges.length === 0) return EMPTY;
  const down = i === 0;
  const last = down ? 0 : (ranges.length - 1) / LANES - 1;
  // The range beyond the outermost tick has no liquidity in most pools.
  const far = ranges[last * LANES + LIQUIDITY] === 0 ? 0 : 1;
  const drawing = emptyDrawing(Math.min(MAX_SEGMENTS, Math.abs(last - at) + far));
  const stretch = begin(pool, down);
  draw(drawing, stretch, keep);
  for (let range = at; range !== last && drawing.shown < MAX_SEGMENTS; ) {
    range += down ? -1 : 1;
    pass(stretch, ranges, range, down);
    draw(drawing, stretch, keep);
  }
  return drawn(drawing);
}

/** A curve under construction. */
type Drawing = {
  readonly x: number[];
  readonly y: number[];
  readonly m: number[];
  readonly c: number[];
  shown: number;
  /** Input so far, net of the fee. */
  taken: number;
  /** Input so far, fee included. */
  end: number;
  paid: number;
  /** Marginal price at the end of the last segment. */
  price: number;
};

function emptyDrawing(room: number): Drawing {
  return {
    x: new Array<number>(room),
    y: new Array<number>(room),
    m: new Array<number>(room),
    c: new Array<number>(room),
    shown: 0,
    taken: 0,
    end: 0,
    paid: 0,
    price: Number.POSITIVE_INFINITY,
  };
}

function draw(drawing: Drawing, { takes, pays, price, bend }: Stretch, keep: number): void {
  const { shown, end: from } = drawing;
  const taken = drawing.taken + takes;
  const to = taken / keep;
  if (!(to > from)) return;
  // Rounding may make the price seem to rise from one range to the next.
  const m = Math.min(price * keep, drawing.price);
  const fall = 1 + bend * takes;
  drawing.x[shown] = from;
  drawing.y[shown] = drawing.paid;
  drawing.m[shown] = m;
  // Computed from the length after rounding, such that the price falls by the same factor over the segment.
  drawing.c[shown] = (bend * takes) / (to - from);
  drawing.price = m / (fall * fall);
  drawing.shown = shown + 1;
  drawing.taken = taken;
  drawing.end = to;
  drawing.paid += pays;
}

function drawn({ x, y, m, c, shown, end }: Drawing): Curve {
  if (shown === 0) return EMPTY;
  // Assigning `length` costs as much as several segments, even if it does not change.
  if (shown < x.length) for (const lane of [x, y, m, c]) lane.length = shown;
  return { x, y, m, c, end };
}
