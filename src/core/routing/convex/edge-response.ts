import { growAll, grown } from "../../math/rows.ts";
import { soldWithin } from "../curves/response.ts";
import { LANES } from "../curves/segments.ts";
import { emptyLaplacian, type Laplacian } from "./laplacian.ts";
import type { Problem } from "./problem.ts";

/** Working memory of `solveNewton`. */
export type Newton = {
  /** By node: inflow less outflow, in value; the step of the logarithm of the price; the price before the step. */
  excess: Float64Array;
  step: Float64Array;
  before: Float64Array;
  /** By node: value of a smallest unit. */
  worth: Float64Array;
  /** By edge: by how much what it sells falls, in value, per relative rise of its price. */
  weight: Float64Array;
  /** By edge: the most that it may sell, in smallest units; Infinity if only its curve limits it. */
  most: Float64Array;
  /** By edge: its price at spot, and what it sells at both ends of the interval of the line search. */
  spot: Float64Array;
  near: Float64Array;
  far: Float64Array;
  /**
   * By edge: its present curve segment, copied next to those of other edges, since reading it from its curve is the
   * slowest part.
   */
  piece: Float64Array;
  /** The linear system of the next step. */
  readonly laplacian: Laplacian;
};

export function emptyNewton(): Newton {
  const nodes = () => new Float64Array(32);
  const edges = () => new Float64Array(64);
  return {
    excess: nodes(),
    step: nodes(),
    before: nodes(),
    worth: nodes(),
    weight: edges(),
    most: edges().fill(Infinity),
    spot: edges(),
    near: edges(),
    far: edges(),
    piece: edges(),
    laplacian: emptyLaplacian(),
  };
}

/** Least curvature of the last segment of an edge, times the supply in units of its input. */
const LEAST_BEND = 1e-9;

/**
 * The least curvature of the last segment of an edge, per smallest unit: it keeps what a straight edge sells finite.
 */
export function leastBend({ tail, ref, supply }: Problem, e: number): number {
  return (LEAST_BEND * ref[tail[e]!]!) / supply;
}

/** Makes room for a problem, and marks all present segments as unknown. */
export function prepare(newton: Newton, { nodes, edges, curves }: Problem): void {
  growAll(newton, ["excess", "step", "before", "worth"], nodes);
  growAll(newton, ["weight", "spot", "near", "far"], edges);
  newton.piece = grown(newton.piece, PIECE * edges);
  const { spot, piece } = newton;
  for (let e = 0; e < edges; e++) {
    spot[e] = curves.lanes[curves.at[e]! + 2]!;
    piece[PIECE * e + BELOW] = Infinity;
  }
}

/** Sets prices to those of before plus `share` of the step. @returns the dual value there */
export function walk(newton: Newton, problem: Problem, share: number): number {
  const { step, before } = newton;
  const { price, nodes } = problem;
  for (let n = 0; n < nodes; n++) {
    price[n] = step[n] === 0 ? before[n]! : before[n]! * Math.exp(share * step[n]!);
  }
  return respond(newton, problem);
}

/** The slope of the dual value along the step, at the prices of the last response. */
export function slopeAlong({ step, excess }: Newton, { nodes, price }: Problem): number {
  let slope = 0;
  for (let n = 0; n < nodes; n++) slope += step[n]! * price[n]! * excess[n]!;
  return slope;
}

/**
 * Offsets in `piece`, the present segment of an edge. It applies to required marginal prices (units bought per unit
 * sold) from `BELOW` up to, but not including, `FROM`. Then follow the amounts sold and bought before it, its first
 * marginal price, its curvature and its width.
 */
const BELOW = 0;
const FROM = 1;
export const SOLD = 2;
export const BOUGHT = 3;
export const STEEP = 4;
export const BEND = 5;
export const WIDTH = 6;
const PIECE = 8;

/**
 * Computes what every edge sells at the present prices and how that responds to them, and the imbalance of every token.
 * @returns the dual value
 */
export function respond(newton: Newton, problem: Problem): number {
  const { excess, weight, spot, worth, piece } = newton;
  const { nodes, edges, tail, head, price, ref, sold, free, source, supply } = problem;
  let value = price[source]! * supply;
  for (let n = 0; n < nodes; n++) {
    worth[n] = price[n]! * ref[n]!;
    excess[n] = free[n]!;
    value += price[n]! * free[n]!;
  }
  excess[source]! += supply;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    const cost = worth[u]!;
    const paid = worth[v]!;
    sold[e] = weight[e] = 0;
    if (!(spot[e]! * paid > cost)) continue;
    const least = cost / paid;
    const k = pieceAt(newton, problem, e, least);
    const steep = piece[k + STEEP]!;
    const bend = piece[k + BEND]!;
    const root = Math.sqrt(steep / least);
    const h = soldWithin(root, bend, piece[k + WIDTH]!);
    if (h > 0 && h < piece[k + WIDTH]!) weight[e] = (cost * root) / (2 * bend);
    sold[e] = piece[k + SOLD]! + h;
    const out = piece[k + BOUGHT]! + (steep * h) / (1 + bend * h);
    excess[u]! -= sold[e]! * ref[u]!;
    excess[v]! += out * ref[v]!;
    value += paid * out - cost * sold[e]!;
  }
  return value;
}

/**
 * The offset in `piece` of the segment of an edge at the required marginal price `least`. Reads the segment from the
 * curve if it is another one.
 */
export function pieceAt(newton: Newton, problem: Problem, e: number, least: number): number {
  const { piece } = newton;
  const k = e * PIECE;
  if (least < piece[k + BELOW]! || !(least < piece[k + FROM]!)) fetchPiece(newton, problem, e, least);
  return k;
}

function fetchPiece({ most, piece }: Newton, problem: Problem, e: number, least: number): void {
  const { lane } = problem;
  const { lanes, at, count, end } = problem.curves;
  const first = at[e]!;
  const last = first + (count[e]! - 1) * LANES;
  let l = lane[e]!;
  while (l > first && !(lanes[l + 2]! > least && lanes[l]! < most[e]!)) l -= LANES;
  while (l < last && lanes[l + LANES + 2]! > least && lanes[l + LANES]! < most[e]!) l += LANES;
  lane[e] = l;
  const k = e * PIECE;
  piece[k + BELOW] = l < last && lanes[l + LANES]! < most[e]! ? lanes[l + LANES + 2]! : 0;
  piece[k + FROM] = l > first ? lanes[l + 2]! : Infinity;
  piece[k + SOLD] = lanes[l]!;
  piece[k + BOUGHT] = lanes[l + 1]!;
  piece[k + STEEP] = lanes[l + 2]!;
  piece[k + BEND] = l < last ? lanes[l + 3]! : Math.max(lanes[l + 3]!, leastBend(problem, e));
  piece[k + WIDTH] = Math.min(l < last ? lanes[l + LANES]! : end[e]!, most[e]!) - lanes[l]!;
}
