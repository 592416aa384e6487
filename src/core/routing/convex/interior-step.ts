import { LANES } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { addWeights, clearMatrix, factor, type Skyline, solveMatrix } from "./cholesky.ts";
import type { Problem } from "./problem.ts";

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
  /** 1/x and 1/room: many quotients of an iteration are by them. */
  perX: Float64Array;
  perRoom: Float64Array;
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
    perX: lanes(),
    perRoom: lanes(),
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
/** A price that would let no step go further is held back by itself: one that falls and falls would stop all others. */
const LEAST_STRIDE = 0.1;

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
    const perIn = 1 / ref[tail[e]!]!;
    const sold = x[e]! * perIn;
    const first = at[edge[e]!]!;
    const last = first + (count[edge[e]!]! - 1) * LANES;
    let l = lane[e]!;
    while (l > first && lanes[l]! > sold) l -= LANES;
    while (l < last && lanes[l + LANES]! <= sold) l += LANES;
    lane[e] = l;
    const scale = ref[head[e]!]!;
    const h = sold - lanes[l]!;
    const m = lanes[l + 2]!;
    const c = lanes[l + 3]!;
    const share = 1 / (1 + c * h);
    out[e] = (lanes[l + 1]! + m * h * share) * scale;
    const steep = m * share * share * scale * perIn;
    slope[e] = steep;
    bend[e] = 2 * c * share * steep * perIn;
  }
}

/** Factors the system of the point. */
function push(point: Point, problem: Problem, matrix: Skyline): void {
  const { x, room, low, high, bend, ease, slope, perX, perRoom } = point;
  const { edges, head, price } = problem;
  for (let e = 0; e < edges; e++) {
    const [a, b] = [1 / x[e]!, 1 / room[e]!];
    perX[e] = a;
    perRoom[e] = b;
    ease[e] = 1 / (price[head[e]!]! * bend[e]! + low[e]! * a + high[e]! * b);
  }
  clearMatrix(matrix);
  addWeights(matrix, problem, ease, slope);
  factor(matrix);
}

/** The Newton step of the prices towards complementarity `mu`, by the system factored last. */
function aim(point: Point, problem: Problem, matrix: Skyline, mu: number): void {
  const { perX, perRoom, ease, slope, gain, dy, rhs, excess } = point;
  const { edges, nodes, tail, head, price } = problem;
  for (let n = 0; n < nodes; n++) rhs[n] = -excess[n]!;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    const g = price[v]! * slope[e]! - price[u]! + mu * (perX[e]! - perRoom[e]!);
    gain[e] = g;
    const flow = g * ease[e]!;
    rhs[v]! -= slope[e]! * flow;
    rhs[u]! += flow;
  }
  solveMatrix(matrix, rhs, dy, nodes);
}

/** How far a step may go before a limit is met, in shares of itself. */
const FARTHEST = 1 / NEAR;

/**
 * What share of the complementarity a step to none of it would leave, by the system factored last. Sums over all edges
 * say that for any length of the step, so that one pass is enough.
 *
 * @param all complementarity of the point
 */
function promise(point: Point, problem: Problem, all: number): number {
  const { low, high, ease, slope, gain, dy, perX, perRoom } = point;
  const { edges, tail, head } = problem;
  let [near, linear, square] = [NEAR, 0, 0];
  let [short, long] = [-1, -1];
  for (let e = 0; e < edges; e++) {
    const d = (slope[e]! * dy[head[e]!]! - dy[tail[e]!]! + gain[e]!) * ease[e]!;
    const toLow = d * perX[e]!;
    const toHigh = d * perRoom[e]!;
    if (-toLow > near) near = -toLow;
    if (toHigh > near) near = toHigh;
    if (toLow > long) long = toLow;
    if (-toHigh > short) short = -toHigh;
    linear += d * (low[e]! - high[e]!);
    square += d * (low[e]! * (1 + toLow) - high[e]! * (1 - toHigh));
  }
  const primal = 1 / near;
  const dual = Math.min(priceStride(point, problem), 1 / Math.max(NEAR, 1 + long, 1 + short));
  const left = all + primal * linear - dual * (all + linear) - primal * dual * square;
  return left / all;
}

type Strides = { readonly primal: number; readonly dual: number };

/** Works the step of all edges out, and how far it may go before an amount, a multiplier or a price reaches its limit. */
function strides(point: Point, problem: Problem, mu: number): Strides {
  const { low, high, ease, slope, gain, dx, dy, perX, perRoom } = point;
  const { edges, tail, head } = problem;
  let near = NEAR;
  let dual = priceStride(point, problem);
  for (let e = 0; e < edges; e++) {
    const d = (slope[e]! * dy[head[e]!]! - dy[tail[e]!]! + gain[e]!) * ease[e]!;
    dx[e] = d;
    if (-d * perX[e]! > near) near = -d * perX[e]!;
    if (d * perRoom[e]! > near) near = d * perRoom[e]!;
    const dLow = (mu - low[e]! * d) * perX[e]! - low[e]!;
    const dHigh = (mu + high[e]! * d) * perRoom[e]! - high[e]!;
    if (-low[e]! > dual * dLow) dual = -low[e]! / dLow;
    if (-high[e]! > dual * dHigh) dual = -high[e]! / dHigh;
  }
  return { primal: 1 / near, dual };
}

function priceStride({ dy }: Point, { nodes, price }: Problem): number {
  let stride = FARTHEST;
  for (let n = 0; n < nodes; n++) {
    const most = (1 - PRICE_KEPT) * price[n]!;
    if (-most > stride * dy[n]!) stride = -most / dy[n]!;
  }
  return Math.max(stride, LEAST_STRIDE);
}

/** Share of its marginal price that an edge keeps in a step, but for a fall at once. */
const SLOPE_KEPT = 0.5;

/**
 * How much more an edge sells where it would sell `wanted`: a stableswap's price is level until it falls off, which a model
 * of the second order at the level part knows nothing of; from beyond the fall the next step would lead all the way back.
 */
function upToFall(
  { x, slope }: Point,
  { tail, head, edge, ref, lane }: Problem,
  { curves: { lanes, at, count } }: Graph,
  { e, wanted }: { readonly e: number; readonly wanted: number },
): number {
  const refIn = ref[tail[e]!]!;
  const least = (SLOPE_KEPT * slope[e]! * refIn) / ref[head[e]!]!;
  const sold = (x[e]! + wanted) / refIn;
  const last = at[edge[e]!]! + (count[edge[e]!]! - 1) * LANES;
  let l = lane[e]!;
  while (l < last && lanes[l + LANES]! <= sold && lanes[l + LANES + 2]! >= least) l += LANES;
  const fall = lanes[l]! + (Math.sqrt(lanes[l + 2]! / least) - 1) / lanes[l + 3]!;
  const end = l < last ? Math.min(fall, lanes[l + LANES]!) : fall;
  return sold > end ? Math.max(0, end * refIn - x[e]!) : wanted;
}

/** One iteration: a step towards the optimum, corrected by what it promises. */
export function move(
  point: Point,
  problem: Problem,
  { graph, matrix }: { readonly graph: Graph; readonly matrix: Skyline },
  gap: number,
): void {
  const { x, room, low, high, dx, dy, perX, perRoom } = point;
  const { edges, nodes, price, sink, supply } = problem;
  push(point, problem, matrix);
  aim(point, problem, matrix, 0);
  const centring = Math.min(1, Math.max(1e-4, promise(point, problem, gap * supply) ** 3));
  const mu = (centring * gap * supply) / (2 * edges);
  aim(point, problem, matrix, mu);
  const most = strides(point, problem, mu);
  const primal = most.primal * NEAR;
  const dual = most.dual * NEAR;
  for (let e = 0; e < edges; e++) {
    const d = dx[e]!;
    low[e]! += dual * ((mu - low[e]! * d) * perX[e]! - low[e]!);
    high[e]! += dual * ((mu + high[e]! * d) * perRoom[e]! - high[e]!);
    const moved = d > 0 ? upToFall(point, problem, graph, { e, wanted: primal * d }) : primal * d;
    x[e]! += moved;
    room[e]! -= moved;
  }
  for (let n = 0; n < nodes; n++)
    if (n !== sink) price[n] = Math.max(price[n]! + dual * dy[n]!, PRICE_KEPT * price[n]!);
}
