import { sqrtPriceAtTick, sqrtPriceGrowth } from "../../core/math/concentrated/tick-math.ts";
import type { Curve } from "../../core/protocol.ts";
import { countUpTo, type Mark, markAt, type State } from "./state.ts";

/**
 * The pool in doubles. With g = input per unit of liquidity at the first point (1/s for sales of X, s for sales of Y) and
 * ρ = sqrt(1.0001), n points of liquidity L take and pay
 *
 *   taken = L·g·(ρ^n - 1)/(ρ - 1)      paid = L/g·ρ·(1 - ρ^-n)/(ρ - 1)
 *
 * The price within a point is constant. A curve of one point a segment would have thousands of them; the hyperbola through the
 * ends of all points, ρ/g²·x/(1 + x·(ρ - 1)/(L·g)), is nowhere below the pool and at most 1.25e-5 of a point's output above.
 */
type Row = {
  readonly input: number;
  readonly paid: number;
  /** Input per unit of liquidity at its first point; the price there is 1/g². */
  readonly g: number;
  /** Liquidity of each of its points; 0 if the row has a single price. */
  readonly liquidity: number;
};

/** One direction. Amounts are net of the fee. */
type Side = {
  readonly rows: readonly Row[];
  /** Input and output at the start of each row, and at the end of the last. */
  readonly x: readonly number[];
  readonly y: readonly number[];
};

/** Sales of X, sales of Y, and the share of their input that the fee leaves. */
export type Mirror = { readonly keep: number; readonly sides: readonly [Side, Side] };

/** Growth of the square-root price from a point to the next, ρ - 1, and its logarithm. */
const GROWTH = sqrtPriceGrowth(1);
const LOG_RATE = Math.log1p(GROWTH);
/** Cap on the segments of a curve; the curve ends with the last of them. */
const MAX_SEGMENTS = 1024;

/** The mirror of a state. */
export function mirror(state: State): Mirror {
  return { keep: 1 - state.feePpm / 1e6, sides: [sideOf(rowsDown(state)), sideOf(rowsUp(state))] };
}

function sideOf(rows: readonly Row[]): Side {
  const [x, y] = [[0], [0]];
  for (const [k, { input, paid }] of rows.entries()) {
    x.push(x[k]! + input);
    y.push(y[k]! + paid);
  }
  return { rows, x, y };
}

/** Liquidity and limit orders at one price. */
function addPoint(rows: Row[], g: number, liquidity: bigint, selling: bigint): void {
  const [held, sold] = [Number(liquidity), Number(selling)];
  if (held > 0 || sold > 0)
    rows.push({ input: held * g + sold * g * g, paid: held / g + sold, g, liquidity: 0 });
}

/** `count` points of liquidity. */
function addRange(rows: Row[], g: number, liquidity: bigint, count: number): void {
  const held = Number(liquidity);
  if (!(held > 0 && count > 0)) return;
  const [input, paid] = takenBy(held, g, count);
  rows.push({ input, paid, g, liquidity: held });
}

/** What `count` points take and pay. */
function takenBy(held: number, g: number, count: number): readonly [number, number] {
  const rise = sqrtPriceGrowth(count);
  return [(held * g * rise) / GROWTH, ((held / g) * (1 + GROWTH) * rise) / ((1 + rise) * GROWTH)];
}

function rowsDown({ point, liquidity, liquidityX, marks }: State): Row[] {
  const rows: Row[] = [];
  const perX = (at: number) => 1 / sqrtPriceAtTick(at);
  const here = markAt(marks, point);
  addPoint(rows, perX(point), liquidity - liquidityX, here?.sellsY ?? 0n);
  let held = liquidity - (here?.delta ?? 0n);
  let top = point - 1;
  for (let k = countUpTo(marks, top) - 1; k >= 0; k--) {
    const mark = marks[k] as Mark;
    const bottom = mark.sellsY > 0n ? mark.point + 1 : mark.point;
    addRange(rows, perX(top), held, top - bottom + 1);
    if (mark.sellsY > 0n) addPoint(rows, perX(mark.point), held, mark.sellsY);
    held -= mark.delta;
    top = mark.point - 1;
  }
  return rows;
}

function rowsUp({ point, liquidity, liquidityX, marks }: State): Row[] {
  const rows: Row[] = [];
  addPoint(rows, sqrtPriceAtTick(point), liquidityX, markAt(marks, point)?.sellsX ?? 0n);
  let held = liquidity;
  let bottom = point + 1;
  for (const mark of marks.slice(countUpTo(marks, point))) {
    addRange(rows, sqrtPriceAtTick(bottom), held, mark.point - bottom);
    held += mark.delta;
    if (mark.sellsX > 0n) addPoint(rows, sqrtPriceAtTick(mark.point), held, mark.sellsX);
    bottom = mark.sellsX > 0n ? mark.point + 1 : mark.point;
  }
  return rows;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat({ keep, sides }: Mirror, i: number, _j: number, x: number): number {
  const side = sides[i === 0 ? 0 : 1];
  const net = x * keep;
  let high = side.rows.length;
  if (!(net > 0 && net <= side.x[high]!)) return 0;
  let k = 0;
  while (high - k > 1) {
    const middle = (k + high) >>> 1;
    if (side.x[middle]! < net) k = middle;
    else high = middle;
  }
  return side.y[k]! + paidWithin(side.rows[k]!, net - side.x[k]!);
}

/** Output of a row: whole points, and a part of the next at its price. */
function paidWithin({ g, liquidity }: Row, net: number): number {
  if (liquidity === 0) return net / (g * g);
  const whole = Math.floor(Math.log1p((net * GROWTH) / (liquidity * g)) / LOG_RATE);
  const [taken, paid] = takenBy(liquidity, g, whole);
  const last = g * (1 + sqrtPriceGrowth(whole));
  return paid + (net - taken) / (last * last);
}

/** One segment per row: a line at one price, else the hyperbola through the ends of its points. */
export function curve({ keep, sides }: Mirror, i: number, _j: number): Curve {
  const { rows, x, y } = sides[i === 0 ? 0 : 1];
  const count = Math.min(rows.length, MAX_SEGMENTS);
  if (count === 0) return { x: [0], y: [0], m: [0], c: [0], end: 0 };
  const [m, c]: [number[], number[]] = [[], []];
  let price = Number.POSITIVE_INFINITY;
  for (const { g, liquidity, input } of rows.slice(0, count)) {
    const bend = liquidity === 0 ? 0 : GROWTH / (liquidity * g);
    const own = (liquidity === 0 ? 1 : 1 + GROWTH) / (g * g);
    // Rounding may make the price seem to rise from one row to the next.
    const start = Math.min(own, price);
    m.push(start * keep);
    c.push(bend * keep);
    price = start / (1 + bend * input) ** 2;
  }
  const starts = x.slice(0, count).map((value) => value / keep);
  return { x: starts, y: y.slice(0, count), m, c, end: x[count]! / keep };
}
