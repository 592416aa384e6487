import type { Graph } from "./graph.ts";
import { evaluate, type Problem } from "./problem.ts";
import { grown } from "./rows.ts";
import { layMatrix, type Skyline, solveMatrix } from "./skyline.ts";

export type Solved = {
  /** Whether flows balance to `BALANCED` of the supply. */
  readonly converged: boolean;
  /** The dual value at the prices reached. */
  readonly value: number;
};

const BALANCED = 1e-9;
const MOST_ITERATIONS = 60;
/** Largest relative change of a price in one iteration. */
const LONGEST_STEP = 0.5;
const MOST_TRIALS = 12;

/**
 * Finds the prices at which every token's flows balance, by Newton's method on the dual with a line search along
 * straight lines in prices, where the dual is convex. Starts from the prices that the problem holds.
 */
export function solveProblem(problem: Problem, graph: Graph, matrix: Skyline): Solved {
  layMatrix(matrix, problem);
  let value = evaluate(problem, graph);
  for (let k = 0; k < MOST_ITERATIONS; k++) {
    if (imbalance(problem) <= BALANCED * problem.supply) return { converged: true, value };
    solveMatrix(matrix, problem);
    const next = search(problem, graph, matrix, value);
    if (next === undefined) break;
    value = next;
  }
  return { converged: imbalance(problem) <= 1e-6 * problem.supply, value };
}

/** Value that flows into or out of nodes without balance; the sink may collect. */
function imbalance({ excess, nodes, sink }: Problem): number {
  let sum = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) sum += Math.abs(excess[n]!);
  return sum;
}

let base = new Float64Array(64);

/**
 * Goes along the Newton step to about where the dual stops falling.
 *
 * @returns the dual value there, or undefined where no progress is left
 */
function search(problem: Problem, graph: Graph, { step }: Skyline, before: number): number | undefined {
  const { price, nodes } = problem;
  base = grown(base, nodes);
  base.set(price.subarray(0, nodes));
  let largest = 0;
  for (let n = 0; n < nodes; n++) largest = Math.max(largest, Math.abs(step[n]!));
  const fall = -slope(problem, step);
  if (!(largest > 0) || !(fall > 0)) return undefined;
  let t = Math.min(1, LONGEST_STEP / largest);
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    for (let n = 0; n < nodes; n++) price[n] = base[n]! * (1 - t * step[n]!);
    const value = evaluate(problem, graph);
    const now = slope(problem, step);
    if (now <= 0.5 * fall || value < before - 1e-4 * t * fall) return value;
    t *= Math.min(0.7, Math.max(0.1, fall / (fall + now)));
  }
  return undefined;
}

/** Derivative of the dual along the step from `base`. */
function slope({ price, excess, nodes, sink }: Problem, step: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) sum -= (excess[n]! / price[n]!) * base[n]! * step[n]!;
  return sum;
}
