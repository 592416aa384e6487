import type { Graph } from "./graph.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";

/** Working memory of `solveNewton`. */
export type Newton = {
  /** By node: what flows in less what flows out, in value, the step of the logarithm of the price, the price before it. */
  excess: Float64Array;
  step: Float64Array;
  before: Float64Array;
  /** By edge: fall of what it sells, in value, for a relative rise of its price. */
  weight: Float64Array;
  /** By edge: the most that it may sell, in smallest units; Infinity where that is for its curve to say. */
  most: Float64Array;
  /** The Laplacian of the weights, row by row, and then its factor. */
  matrix: Float64Array;
};

export function emptyNewton(): Newton {
  return {
    excess: new Float64Array(32),
    step: new Float64Array(32),
    before: new Float64Array(32),
    weight: new Float64Array(64),
    most: new Float64Array(64).fill(Infinity),
    matrix: new Float64Array(1024),
  };
}

const MOST_STEPS = 24;
const MOST_HALVINGS = 12;
/** Longest step of the logarithm of a price. */
const LONGEST = 1.5;
/** Share of the supply that may be out of balance at the end: what is shared out in proportion then costs its square. */
const BALANCED = 1e-7;
/** Share of the fall that a straight line promises which a step has to bring. */
const ENOUGH = 1e-4;
/** Weight of a token whose edges all stand still, and the least bend of an edge over the whole supply. */
const LEAST_WEIGHT = 1e-9;
const LEAST_BEND = 1e-7;

/**
 * Solves a problem of a few edges by Newton's method on its dual, from the prices that it has. Near the solution, as after
 * an edge has come or gone, that takes a few microseconds; it may fail where curves are straight or end.
 *
 * Leaves prices in `problem.price` and what the edges want to sell at these in `problem.sold`, smallest units.
 *
 * @returns the dual value, which no flow over the edges exceeds; undefined where the tokens did not come into balance
 */
export function solveNewton(problem: Problem, graph: Graph, newton: Newton): number | undefined {
  const { nodes, edges, price } = problem;
  for (const key of ["excess", "step", "before"] as const) newton[key] = grown(newton[key], nodes);
  newton.weight = grown(newton.weight, edges);
  newton.matrix = grown(newton.matrix, nodes * nodes);
  let value = respond(newton, problem, graph);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (balance(newton, problem) < BALANCED * problem.supply) return value;
    const fall = aim(newton, problem);
    newton.before.set(price.subarray(0, nodes));
    let share = 1;
    let next = walk(newton, problem, graph, share);
    for (let k = 0; !(next <= value + ENOUGH * share * fall) && k < MOST_HALVINGS; k++) {
      share /= 2;
      next = walk(newton, problem, graph, share);
    }
    if (!(next <= value)) return undefined;
    value = next;
  }
  return undefined;
}

function walk(newton: Newton, problem: Problem, graph: Graph, share: number): number {
  const { step, before } = newton;
  const { price, nodes } = problem;
  for (let n = 0; n < nodes; n++) price[n] = before[n]! * Math.exp(share * step[n]!);
  return respond(newton, problem, graph);
}

/** What every edge does at the prices. @returns the dual value */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of the choice of legs; calls in it cost a third of its time
function respond({ excess, weight, most }: Newton, problem: Problem, { curves }: Graph): number {
  const { nodes, edges, edge, tail, head, lane, price, ref, sold, source, supply } = problem;
  const { lanes, at, count, end } = curves;
  excess.fill(0, 0, nodes);
  excess[source] = supply;
  let value = price[source]! * supply;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    const paid = price[v]! * ref[v]!;
    const cost = price[u]! * ref[u]!;
    const least = cost / paid;
    const first = at[edge[e]!]!;
    const last = first + (count[edge[e]!]! - 1) * 4;
    let l = lane[e]!;
    while (l > first && !(lanes[l + 2]! > least && lanes[l]! < most[e]!)) l -= 4;
    while (l < last && lanes[l + 6]! > least && lanes[l + 4]! < most[e]!) l += 4;
    lane[e] = l;
    sold[e] = weight[e] = 0;
    const steep = lanes[l + 2]!;
    if (!(steep > least)) continue;
    const width = Math.min(l < last ? lanes[l + 4]! : end[edge[e]!]!, most[e]!) - lanes[l]!;
    const bend = Math.max(lanes[l + 3]!, (LEAST_BEND * ref[u]!) / supply);
    const root = Math.sqrt(steep / least);
    const wanted = (root - 1) / bend;
    const h = Math.min(wanted, width);
    if (wanted < width) weight[e] = (cost * root) / (2 * bend);
    sold[e] = lanes[l]! + h;
    const out = lanes[l + 1]! + (steep * h) / (1 + bend * h);
    excess[u]! -= sold[e]! * ref[u]!;
    excess[v]! += out * ref[v]!;
    value += paid * out - cost * sold[e]!;
  }
  return value;
}

/** The largest excess of a token, either way. */
function balance({ excess }: Newton, { nodes, sink }: Problem): number {
  let most = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) most = Math.max(most, Math.abs(excess[n]!));
  return most;
}

/** The Newton step of the logarithms of the prices. @returns how the dual value changes along it at first: below 0 */
function aim(newton: Newton, problem: Problem): number {
  const { excess, step } = newton;
  const { nodes, sink, price } = problem;
  layLaplacian(newton, problem);
  for (let n = 0; n < nodes; n++) step[n] = n === sink ? 0 : -price[n]! * excess[n]!;
  solveDense(newton, nodes);
  let fall = 0;
  for (let n = 0; n < nodes; n++) {
    step[n] = n === sink ? 0 : Math.max(-LONGEST, Math.min(LONGEST, step[n]!));
    fall += step[n]! * price[n]! * excess[n]!;
  }
  return fall;
}

/** The lower half of the Laplacian; the row of the sink, whose price stands, is that of the unit matrix. */
function layLaplacian({ matrix, weight }: Newton, { nodes, edges, tail, head, sink, supply }: Problem): void {
  matrix.fill(0, 0, nodes * nodes);
  for (let n = 0; n < nodes; n++) matrix[n * nodes + n] = LEAST_WEIGHT * supply;
  for (let e = 0; e < edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    matrix[u * nodes + u]! += weight[e]!;
    matrix[v * nodes + v]! += weight[e]!;
    if (u !== sink && v !== sink) matrix[Math.max(u, v) * nodes + Math.min(u, v)]! -= weight[e]!;
  }
}

/** Solves the system in `matrix` for `step` by Cholesky's factor, in place. */
function solveDense({ matrix, step }: Newton, size: number): void {
  factorDense(matrix, size);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) step[i]! -= matrix[i * size + k]! * step[k]!;
    step[i]! /= matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) step[i]! -= matrix[k * size + i]! * step[k]!;
    step[i]! /= matrix[i * size + i]!;
  }
}

function factorDense(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k]! * matrix[j * size + k]!;
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * size + j]!;
    }
  }
}
