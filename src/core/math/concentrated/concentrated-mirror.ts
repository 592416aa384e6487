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
  /** Empty where nothing is sold. */
  readonly ranges: Ranges;
  /** Which range the price is in. */
  readonly at: number;
  readonly sqrtPrice: number;
  /** How far the square-root price is from the ends of its range. */
  readonly below: number;
  readonly above: number;
};

/** More than this a curve does not show: it ends where they end. */
const MAX_SEGMENTS = 1024;
const Q96 = 2 ** 96;
/** Farther from the price than by this part of it, a boundary is known well enough in doubles. */
const CLOSE = 2e-5;

const NOWHERE: Ranges = [];

const EMPTY: Curve = {
  x: [0],
  y: [0],
  m: [0],
  c: [0],
  end: 0,
};

/** Rebuilt once per event: the ranges stay for as long as positions do. */
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

/** A price may be a hair from a boundary: that difference is taken in integers, where nothing cancels. */
function exactDistance(pool: Concentrated, boundary: number): number {
  const exact = pool.sqrtPriceX96 - sqrtRatioAtTick(boundaryTick(pool, boundary));
  return Math.abs(Number(exact)) / Q96;
}

/** Part of a range as a direction sees it: what it takes and pays in all, the price where it begins, and how that falls. */
type Stretch = { takes: number; pays: number; price: number; bend: number };

/** Fills `stretch` with what the price is in the midst of. */
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

/** Fills `stretch` with all of a range. */
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

/** What part of a range of liquidity `held` pays from the square-root price `s` on: the closed form with a single quotient. */
function paidWithin(s: number, held: number, down: boolean, taken: number): number {
  return down ? (s * s * taken * held) / (held + s * taken) : (taken * held) / (s * (s * held + taken));
}

/** Ranges that are taken whole are sums; only the last one's price counts. */
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

/** One exact segment a range with liquidity; an empty direction has one segment of length 0. */
export function concentratedCurve(pool: ConcentratedMirror, i: number, _j: number): Curve {
  const { ranges, at, keep } = pool;
  if (ranges.length === 0) return EMPTY;
  const down = i === 0;
  const last = down ? 0 : (ranges.length - 1) / LANES - 1;
  // Beyond the outermost ticks there is most often nothing.
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

/** A curve in the making. */
type Drawing = {
  readonly x: number[];
  readonly y: number[];
  readonly m: number[];
  readonly c: number[];
  shown: number;
  /** So far, without the fee. */
  taken: number;
  /** The same with it. */
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
  // The last digits of neighbouring prices may make them seem to rise.
  const m = Math.min(price * keep, drawing.price);
  const fall = 1 + bend * takes;
  drawing.x[shown] = from;
  drawing.y[shown] = drawing.paid;
  drawing.m[shown] = m;
  // Beside amounts of many digits the range's own is cut: what its price falls by is to stay as it is.
  drawing.c[shown] = (bend * takes) / (to - from);
  drawing.price = m / (fall * fall);
  drawing.shown = shown + 1;
  drawing.taken = taken;
  drawing.end = to;
  drawing.paid += pays;
}

function drawn({ x, y, m, c, shown, end }: Drawing): Curve {
  if (shown === 0) return EMPTY;
  // To set a length takes as long as some segments, even where it is what it was.
  if (shown < x.length) for (const lane of [x, y, m, c]) lane.length = shown;
  return { x, y, m, c, end };
}
