import type { Graph } from "./graph.ts";
import { searchLine } from "./line-search.ts";
import type { Problem } from "./problem.ts";
import { MANY, type Newton, prepare, respond } from "./respond.ts";
import { grown } from "./rows.ts";

const MOST_STEPS = 40;
/** Longest step of the logarithm of a price. */
const LONGEST = 1.5;
/** Share of the supply that may be out of balance at the end: what is shared out in proportion then costs its square. */
const BALANCED = 1e-7;
/** The same where doubles end the search: straight edges take any share at one price, so that it need not cost anything. */
const NEARLY = 0.01;
/** Weight of a token whose edges all stand still, as a share of the supply. */
const LEAST_WEIGHT = 1e-9;
/**
 * Share of itself that elimination leaves of a token's weight at least. Where almost straight edges tie tokens together and
 * little ties them to others, what is left is a difference of doubles, and may be less than nothing.
 */
const LEAST_PIVOT = 1e-14;
/** A token that is out of balance by less than this share of the supply, and has no edge that gives way, stays as it is. */
const STILL = 1e-12;

/**
 * Solves a problem by Newton's method on its dual, from the prices that it has. Near the solution, as after an edge has come
 * or gone, that takes a few microseconds; it may fail where curves end.
 *
 * Leaves prices in `problem.price` and what the edges want to sell at these in `problem.sold`, smallest units.
 *
 * @param late whether the time is up; asked before every step
 * @returns the dual value, which no flow over the edges exceeds; undefined where the tokens did not come into balance
 */
export function solveNewton(
  problem: Problem,
  graph: Graph,
  newton: Newton,
  late?: () => boolean,
): number | undefined {
  prepare(newton, problem, graph);
  let value = respond(newton, problem, graph);
  for (let step = 0; step < MOST_STEPS && !late?.(); step++) {
    if (balance(newton, problem) < BALANCED * problem.supply) return value;
    const fall = aim(newton, problem);
    newton.before.set(problem.price.subarray(0, problem.nodes));
    const next = searchLine(newton, problem, graph, fall);
    if (!(next < value)) break;
    value = next;
  }
  return balance(newton, problem) < NEARLY * problem.supply ? value : undefined;
}

/** The largest excess of a token, either way. */
function balance({ excess }: Newton, { nodes, sink }: Problem): number {
  let most = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) most = Math.max(most, Math.abs(excess[n]!));
  return most;
}

/** The Newton step of the logarithms of the prices. @returns how the dual value changes along it at first: below 0 */
function aim(newton: Newton, problem: Problem): number {
  const { excess, step, rhs, row } = newton;
  const { nodes, price } = problem;
  const size = layLaplacian(newton, problem);
  for (let n = 0; n < nodes; n++) if (row[n]! >= 0) rhs[row[n]!] = -price[n]! * excess[n]!;
  solveSystem(newton, size);
  let fall = 0;
  for (let n = 0; n < nodes; n++) {
    step[n] = row[n]! < 0 ? 0 : Math.max(-LONGEST, Math.min(LONGEST, rhs[row[n]!]!));
    fall += step[n]! * price[n]! * excess[n]!;
  }
  return fall;
}

/** The lower half of the Laplacian of the weights, over the tokens that can move; the sink's price stands. @returns its size */
function layLaplacian(newton: Newton, problem: Problem): number {
  const { edges, tail, head, supply } = problem;
  const { weight, row, first } = newton;
  const size = placeRows(newton, problem);
  newton.matrix = grown(newton.matrix, size * size);
  const { matrix } = newton;
  matrix.fill(0, 0, size * size);
  for (let r = 0; r < size; r++) {
    matrix[r * size + r] = LEAST_WEIGHT * supply;
    first[r] = r;
  }
  for (let e = 0; e < edges; e++) {
    if (weight[e] === 0) continue;
    const [u, v] = [row[tail[e]!]!, row[head[e]!]!];
    const [low, high] = u < v ? [u, v] : [v, u];
    matrix[high * size + high]! += weight[e]!;
    if (low < 0) continue;
    matrix[low * size + low]! += weight[e]!;
    matrix[high * size + low]! -= weight[e]!;
    if (low < first[high]!) first[high] = low;
  }
  return size;
}

/**
 * Gives a row to each token that an edge moves, or that is out of balance: those of few edges first, so that most of what
 * is left of the diagonal is empty.
 *
 * @returns how many there are
 */
function placeRows(newton: Newton, problem: Problem): number {
  const { row, degree, place } = newton;
  const { nodes } = problem;
  countEdges(newton, problem);
  place.fill(0);
  for (let n = 0; n < nodes; n++) place[degree[n]! + 1]!++;
  place[1] = 0;
  for (let d = 1; d <= MANY; d++) place[d + 1]! += place[d]!;
  for (let n = 0; n < nodes; n++) row[n] = degree[n] === 0 ? -1 : place[degree[n]!]!++;
  return place[MANY]!;
}

/** Counts the edges that give way around each token, one at least for a token that is out of balance. */
function countEdges(
  { weight, excess, degree }: Newton,
  { nodes, edges, tail, head, supply, sink }: Problem,
): void {
  for (let n = 0; n < nodes; n++) degree[n] = Math.abs(excess[n]!) > STILL * supply ? 1 : 0;
  for (let e = 0; e < edges; e++) {
    if (weight[e] === 0) continue;
    degree[tail[e]!]!++;
    degree[head[e]!]!++;
  }
  degree[sink] = 0;
  for (let n = 0; n < nodes; n++) degree[n] = Math.min(MANY, degree[n]!);
}

/** Solves the system for `rhs` by Cholesky's factor, in place; rows begin at `first`. */
function solveSystem({ matrix, rhs, first }: Newton, size: number): void {
  factor(matrix, first, size);
  for (let i = 0; i < size; i++) {
    let sum = rhs[i]!;
    for (let k = first[i]!; k < i; k++) sum -= matrix[i * size + k]! * rhs[k]!;
    rhs[i] = sum / matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    const solved = rhs[i]! / matrix[i * size + i]!;
    rhs[i] = solved;
    for (let k = first[i]!; k < i; k++) rhs[k]! -= matrix[i * size + k]! * solved;
  }
}

function factor(matrix: Float64Array, first: Int32Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const own = i * size;
    const start = first[i]!;
    const least = LEAST_PIVOT * matrix[own + i]!;
    for (let j = start; j <= i; j++) {
      const other = j * size;
      let sum = matrix[own + j]!;
      for (let k = Math.max(start, first[j]!); k < j; k++) sum -= matrix[own + k]! * matrix[other + k]!;
      matrix[own + j] = i === j ? Math.sqrt(Math.max(sum, least)) : sum / matrix[other + j]!;
    }
  }
}
