import type { Graph } from "./graph.ts";
import type { Problem } from "./problem.ts";
import { addWeights, clearMatrix, factor, type Skyline, solveMatrix } from "./skyline.ts";

/**
 * Where the interior-point method stands, by edge of the problem, in value: what each edge sells, what it could sell
 * more, the multipliers of both limits, its output with the first and (negated) second derivative, and the last step.
 */
export type Point = {
  x: Float64Array;
  room: Float64Array;
  low: Float64Array;
  high: Float64Array;
  out: Float64Array;
  slope: Float64Array;
  bend: Float64Array;
  /** Inverse of the second derivative with the barriers: how far an edge gives way. */
  ease: Float64Array;
  gain: Float64Array;
  dx: Float64Array;
  /** By node: what flows in less what flows out, the right-hand side, and the step of the price. */
  excess: Float64Array;
  rhs: Float64Array;
  dy: Float64Array;
  /** Complementarity of the point kept. */
  mu: number;
  /** A point on the way, well off all limits, from which a problem with more edges starts. */
  readonly inside: {
    edges: number;
    nodes: number;
    x: Float64Array;
    room: Float64Array;
    low: Float64Array;
    high: Float64Array;
    price: Float64Array;
  };
};

const lanes = () => new Float64Array(256);

export function emptyPoint(): Point {
  return {
    x: lanes(),
    room: lanes(),
    low: lanes(),
    high: lanes(),
    out: lanes(),
    slope: lanes(),
    bend: lanes(),
    ease: lanes(),
    gain: lanes(),
    dx: lanes(),
    excess: lanes(),
    rhs: lanes(),
    dy: lanes(),
    mu: 0,
    inside: { edges: 0, nodes: 0, x: lanes(), room: lanes(), low: lanes(), high: lanes(), price: lanes() },
  };
}

/** Share of the way to the nearest limit that a step goes, and the least share of itself that a price keeps in one. */
const NEAR = 0.99;
const PRICE_KEPT = 0.2;

/** How far from the optimum, as shares of the supply: complementarity, tokens left over, marginal prices off balance. */
export type Distance = { readonly gap: number; readonly surplus: number; readonly slack: number };

/** Evaluates all edges at the point. */
export function look(point: Point, problem: Problem, graph: Graph): Distance {
  const { x, room, low, high, out, slope, excess } = point;
  const { edges, nodes, tail, head, price, free, source, sink, supply } = problem;
  bendEdges(point, problem, graph);
  for (let n = 0; n < nodes; n++) excess[n] = free[n]!;
  excess[source]! += supply;
  let gap = 0;
  let slack = 0;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    excess[u]! -= x[e]!;
    excess[v]! += out[e]!;
    gap += x[e]! * low[e]! + room[e]! * high[e]!;
    const off = Math.abs(price[v]! * slope[e]! - price[u]! + low[e]! - high[e]!);
    if (off > slack) slack = off;
  }
  let surplus = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) surplus = Math.max(surplus, Math.abs(excess[n]!));
  return { gap: gap / supply, surplus: surplus / supply, slack };
}

/** Output, slope and curvature of every edge. */
function bendEdges(point: Point, problem: Problem, { curves }: Graph): void {
  const { x, out, slope, bend } = point;
  const { edges, edge, tail, head, ref, lane } = problem;
  const { lanes, at, count } = curves;
  for (let e = 0; e < edges; e++) {
    const refIn = ref[tail[e]!]!;
    const sold = x[e]! / refIn;
    const first = at[edge[e]!]!;
    const last = first + (count[edge[e]!]! - 1) * 4;
    let l = lane[e]!;
    while (l > first && lanes[l]! > sold) l -= 4;
    while (l < last && lanes[l + 4]! <= sold) l += 4;
    lane[e] = l;
    const scale = ref[head[e]!]!;
    const h = sold - lanes[l]!;
    const m = lanes[l + 2]!;
    const c = lanes[l + 3]!;
    const share = 1 / (1 + c * h);
    out[e] = (lanes[l + 1]! + m * h * share) * scale;
    const steep = (m * share * share * scale) / refIn;
    slope[e] = steep;
    bend[e] = (2 * c * share * steep) / refIn;
  }
}

/** Factors the system of the point, and aims a step at complementarity `mu`. */
function push(point: Point, problem: Problem, matrix: Skyline, mu: number): void {
  const { x, room, low, high, bend, ease, slope } = point;
  const { edges, head, price } = problem;
  for (let e = 0; e < edges; e++) {
    ease[e] = 1 / (price[head[e]!]! * bend[e]! + low[e]! / x[e]! + high[e]! / room[e]!);
  }
  clearMatrix(matrix);
  addWeights(matrix, problem, ease, slope);
  factor(matrix);
  aim(point, problem, matrix, mu);
}

/** The Newton step towards complementarity `mu`, by the system factored last. */
function aim(point: Point, problem: Problem, matrix: Skyline, mu: number): void {
  const { x, room, ease, slope, gain, dx, dy, rhs, excess } = point;
  const { edges, nodes, tail, head, price } = problem;
  for (let n = 0; n < nodes; n++) rhs[n] = -excess[n]!;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    const g = price[v]! * slope[e]! - price[u]! + mu / x[e]! - mu / room[e]!;
    gain[e] = g;
    const flow = g * ease[e]!;
    rhs[v]! -= slope[e]! * flow;
    rhs[u]! += flow;
  }
  solveMatrix(matrix, rhs, dy, nodes);
  for (let e = 0; e < edges; e++) {
    dx[e] = (slope[e]! * dy[head[e]!]! - dy[tail[e]!]! + gain[e]!) * ease[e]!;
  }
}

type Strides = { primal: number; dual: number };

/** How far the step may go before an amount, a multiplier or a price reaches its limit. */
function strides(point: Point, problem: Problem, mu: number): Strides {
  return { primal: primalStride(point, problem.edges), dual: dualStride(point, problem, mu) };
}

function primalStride({ x, room, dx }: Point, edges: number): number {
  let stride = 1 / NEAR;
  for (let e = 0; e < edges; e++) {
    const d = dx[e]!;
    if (-x[e]! > stride * d) stride = -x[e]! / d;
    else if (room[e]! < stride * d) stride = room[e]! / d;
  }
  return stride;
}

function dualStride(
  { x, room, low, high, dx, dy }: Point,
  { edges, nodes, price }: Problem,
  mu: number,
): number {
  let stride = 1 / NEAR;
  for (let e = 0; e < edges; e++) {
    const dLow = mu / x[e]! - low[e]! - (low[e]! * dx[e]!) / x[e]!;
    const dHigh = mu / room[e]! - high[e]! + (high[e]! * dx[e]!) / room[e]!;
    if (-low[e]! > stride * dLow) stride = -low[e]! / dLow;
    if (-high[e]! > stride * dHigh) stride = -high[e]! / dHigh;
  }
  for (let n = 0; n < nodes; n++) {
    const most = (1 - PRICE_KEPT) * price[n]!;
    if (-most > stride * dy[n]!) stride = -most / dy[n]!;
  }
  return stride;
}

/** Complementarity that the step would leave. */
function afterStep({ x, room, low, high, dx }: Point, edges: number, { primal, dual }: Strides): number {
  let sum = 0;
  for (let e = 0; e < edges; e++) {
    const d = dx[e]!;
    const dLow = -low[e]! - (low[e]! * d) / x[e]!;
    const dHigh = -high[e]! + (high[e]! * d) / room[e]!;
    sum +=
      (x[e]! + primal * d) * (low[e]! + dual * dLow) + (room[e]! - primal * d) * (high[e]! + dual * dHigh);
  }
  return sum;
}

/** One iteration: a step towards the optimum, corrected by what it promises. */
export function move(point: Point, problem: Problem, matrix: Skyline, gap: number): void {
  const { x, room, low, high, dx, dy } = point;
  const { edges, nodes, price, sink, supply } = problem;
  push(point, problem, matrix, 0);
  const promised = afterStep(point, edges, strides(point, problem, 0)) / (gap * supply);
  const centring = Math.min(1, Math.max(1e-4, promised ** 3));
  const mu = (centring * gap * supply) / (2 * edges);
  aim(point, problem, matrix, mu);
  const most = strides(point, problem, mu);
  const primal = most.primal * NEAR;
  const dual = most.dual * NEAR;
  for (let e = 0; e < edges; e++) {
    const d = dx[e]!;
    low[e]! += dual * (mu / x[e]! - low[e]! - (low[e]! * d) / x[e]!);
    high[e]! += dual * (mu / room[e]! - high[e]! + (high[e]! * d) / room[e]!);
    x[e]! += primal * d;
    room[e]! -= primal * d;
  }
  for (let n = 0; n < nodes; n++) if (n !== sink) price[n]! += dual * dy[n]!;
}
