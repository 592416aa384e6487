import type { Graph } from "./graph.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";

/** Working memory of `solveNewton`. */
export type Newton = {
  /** By node: what flows in less what flows out, in value, the step of the logarithm of the price, the price before it. */
  excess: Float64Array;
  step: Float64Array;
  before: Float64Array;
  /** By node: the price that was given. */
  given: Float64Array;
  /** By node: value of a smallest unit. */
  worth: Float64Array;
  /** By edge: fall of what it sells, in value, for a relative rise of its price. */
  weight: Float64Array;
  /** By edge: the most that it may sell, in smallest units; Infinity where that is for its curve to say. */
  most: Float64Array;
  /** By edge: its price before any trade, and what it sells at both ends of the stretch that is searched. */
  spot: Float64Array;
  near: Float64Array;
  far: Float64Array;
  /** Place in the system of each node, -1 for none; the lower half of the system, row by row, and its right-hand side. */
  row: Int32Array;
  /** First column of each row; and edges that give way around each node. */
  first: Int32Array;
  degree: Int32Array;
  matrix: Float64Array;
  rhs: Float64Array;
};

export function emptyNewton(): Newton {
  const nodes = () => new Float64Array(32);
  const edges = () => new Float64Array(64);
  return {
    excess: nodes(),
    step: nodes(),
    before: nodes(),
    given: nodes(),
    worth: nodes(),
    weight: edges(),
    most: edges().fill(Infinity),
    spot: edges(),
    near: edges(),
    far: edges(),
    row: new Int32Array(32),
    first: new Int32Array(32),
    degree: new Int32Array(32),
    matrix: new Float64Array(1024),
    rhs: nodes(),
  };
}

/** Least bend of the last segment of an edge over the whole supply. */
export const LEAST_BEND = 1e-9;

/** Makes room for a problem. */
export function prepare(newton: Newton, { nodes, edges, edge }: Problem, { curves }: Graph): void {
  for (const key of ["excess", "step", "before", "worth", "rhs"] as const)
    newton[key] = grown(newton[key], nodes);
  for (const key of ["weight", "spot", "near", "far"] as const) newton[key] = grown(newton[key], edges);
  for (const key of ["row", "first", "degree"] as const) newton[key] = grown(newton[key], nodes);
  const { spot } = newton;
  for (let e = 0; e < edges; e++) spot[e] = curves.lanes[curves.at[edge[e]!]! + 2]!;
}

/** Sets prices `share` of the step on from where they were. @returns the dual value there */
export function walk(newton: Newton, problem: Problem, graph: Graph, share: number): number {
  const { step, before } = newton;
  const { price, nodes } = problem;
  for (let n = 0; n < nodes; n++) {
    price[n] = step[n] === 0 ? before[n]! : before[n]! * Math.exp(share * step[n]!);
  }
  return respond(newton, problem, graph);
}

/** How the dual value changes along the step, at the prices of the last response. */
export function slopeAlong({ step, excess }: Newton, { nodes, price }: Problem): number {
  let slope = 0;
  for (let n = 0; n < nodes; n++) slope += step[n]! * price[n]! * excess[n]!;
  return slope;
}

/** What every edge does at the prices. @returns the dual value */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of every search; calls in it cost a third of its time
export function respond(newton: Newton, problem: Problem, { curves }: Graph): number {
  const { excess, weight, most, spot, worth } = newton;
  const { nodes, edges, edge, tail, head, lane, price, ref, sold, free, source, supply } = problem;
  const { lanes, at, count, end } = curves;
  let value = price[source]! * supply;
  for (let n = 0; n < nodes; n++) {
    worth[n] = price[n]! * ref[n]!;
    excess[n] = free[n]!;
    value += price[n]! * free[n]!;
  }
  excess[source]! += supply;
  for (let e = 0; e < edges; e++) {
    const cost = worth[tail[e]!]!;
    const paid = worth[head[e]!]!;
    sold[e] = weight[e] = 0;
    if (!(spot[e]! * paid > cost)) continue;
    const u = tail[e]!;
    const least = cost / paid;
    const first = at[edge[e]!]!;
    const last = first + (count[edge[e]!]! - 1) * 4;
    let l = lane[e]!;
    while (l > first && !(lanes[l + 2]! > least && lanes[l]! < most[e]!)) l -= 4;
    while (l < last && lanes[l + 6]! > least && lanes[l + 4]! < most[e]!) l += 4;
    lane[e] = l;
    const steep = lanes[l + 2]!;
    const width = Math.min(l < last ? lanes[l + 4]! : end[edge[e]!]!, most[e]!) - lanes[l]!;
    const bend = l < last ? lanes[l + 3]! : Math.max(lanes[l + 3]!, (LEAST_BEND * ref[u]!) / supply);
    const root = Math.sqrt(steep / least);
    const wanted = (root - 1) / bend;
    const h = Math.min(wanted, width);
    if (wanted < width) weight[e] = (cost * root) / (2 * bend);
    sold[e] = lanes[l]! + h;
    const out = lanes[l + 1]! + (steep * h) / (1 + bend * h);
    excess[u]! -= sold[e]! * ref[u]!;
    excess[head[e]!]! += out * ref[head[e]!]!;
    value += paid * out - cost * sold[e]!;
  }
  return value;
}
