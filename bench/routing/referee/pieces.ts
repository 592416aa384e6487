import { TICK_GAS } from "../market/gas.ts";
import { type Board, type Edge, gasAt } from "../orders/board.ts";
import { profitOf } from "../orders/directions.ts";

/** A line above a curve in worth: bought ≤ slope·sold + height. */
export type Tangent = { readonly slope: number; readonly height: number };
/** A point of a curve in worth. */
export type Point = { readonly sold: number; readonly bought: number };

/**
 * One direction of a pool between lines that touch it and points that lie on it. Amounts are in worth: smallest units at prices of the
 * tokens, times a scale. Lines and points are added where the program asks for more precision.
 */
export type Piece = {
  readonly edge: Edge;
  /** The most worth that can be sold to it. */
  readonly most: number;
  /** Gas of a crossing in units of gas. */
  readonly gas: number;
  /** Worth sold from which on `gas` more is used: initialised ticks. Ascending. */
  readonly ticks: readonly { readonly from: number; readonly gas: number }[];
  /** Worth sold up to which all ticks are among these. */
  readonly priced: number;
  readonly tangents: readonly Tangent[];
  readonly points: readonly Point[];
  /** A tangent and a point where so much worth is sold, and points around. */
  readonly refine: (sold: number) => void;
  /** Smallest units sold for a worth. */
  readonly units: (sold: number) => number;
};

export type Scale = {
  /** Worth of a smallest unit of the token sold to the edge, and of the one bought from it. */
  readonly sell: number;
  readonly buy: number;
  /** Worth above which the order never sells to the edge. */
  readonly most: number;
  /** Worth that does not count: lines that lie nearer to each other than this cost a solver its accuracy. */
  readonly precision: number;
};

/** Shares of the most that is sold at which a curve is touched before anything is known. */
const FIRST = [0.01, 0.1, 0.3, 1];
/** Distances of further points from one that is asked for, as shares of it. */
const AROUND = [1e-5, 1e-4, 1e-3, 1e-2, 0.1];
/** Ticks beyond so many are taken as free by the outer program, and not crossed by the inner one. */
const MOST_TICKS = 40;

/** A curve that takes less than this share of the order's worth is left out: what it earns is far below the bracket. */
export function pieceOf(board: Board, edge: Edge, scale: Scale): Piece {
  const { direction } = edge;
  const capacity = direction.amountAt(direction.spot * 1e-12) * scale.sell;
  const most = Math.min(scale.most, capacity);
  const tangents: Tangent[] = [];
  const points = new Map<number, Point>([[0, { sold: 0, bought: 0 }]]);
  const touch = (price: number) => {
    const height = profitOf(direction, price) * scale.buy;
    tangents.push({
      slope: (price * scale.buy) / scale.sell,
      height: height > 0 ? Math.max(height, scale.precision) : 0,
    });
  };
  /** How far the lowest tangent is above the curve. */
  const excess = (sold: number) =>
    tangents.reduce((least, { slope, height }) => Math.min(least, slope * sold + height), Infinity) -
    direction.out(sold / scale.sell) * scale.buy;
  const mark = (sold: number) => {
    if (!(sold > 0 && sold <= most)) return;
    points.set(sold, { sold, bought: direction.out(sold / scale.sell) * scale.buy });
  };
  const refine = (sold: number) => {
    if (!(sold > 0)) return;
    if (excess(Math.min(sold, most)) > 2 * scale.precision)
      touch(slopeAt(edge, Math.min(sold, most) / scale.sell));
    mark(Math.min(sold, most));
    for (const away of AROUND) for (const side of [1 - away, 1 + away]) mark(sold * side);
  };
  touch(direction.spot);
  for (const share of FIRST) {
    touch(slopeAt(edge, (most * share) / scale.sell));
    mark(most * share);
  }
  const ticks = ticksOf(board, edge, most / scale.sell).map(({ from, gas }) => ({
    from: from * scale.sell,
    gas,
  }));
  return {
    edge,
    most,
    gas: gasAt(edge, board, 0),
    ticks: ticks.slice(0, MOST_TICKS),
    priced: ticks[MOST_TICKS]?.from ?? most,
    tangents,
    get points() {
      return [...points.values()].sort((a, b) => a.sold - b.sold);
    },
    refine,
    units: (sold) => sold / scale.sell,
  };
}

/** The marginal price; where it need not be exact, since any price gives a tangent. */
function slopeAt({ direction }: Edge, x: number): number {
  const step = x * 1e-5;
  const inside = direction.out(x + step) > 0 ? x + step : x;
  return (direction.out(inside) - direction.out(x - step)) / (inside - x + step);
}

/** Where ticks are crossed up to `most` units, each from the largest amount on that may still be short of it. */
function ticksOf(board: Board, edge: Edge, most: number) {
  const { direction, pool } = edge;
  if (board.market.gas.has(pool.id)) return [];
  const ticks: { from: number; gas: number }[] = [];
  const first = direction.crossed(0);
  const last = direction.crossed(most);
  for (let count = first; count < last && ticks.length <= MOST_TICKS; ) {
    let [low, high] = [0, most];
    for (let k = 0; k < 80; k++) {
      const middle = (low + high) / 2;
      if (direction.crossed(middle) > count) high = middle;
      else low = middle;
    }
    const reached = direction.crossed(high);
    ticks.push({ from: high, gas: TICK_GAS * (reached - count) });
    count = reached;
  }
  return ticks;
}
