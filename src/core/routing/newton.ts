import type { Graph } from "./graph.ts";
import { type Delivery, deliver, layDelivery } from "./primal.ts";
import { evaluate, type Problem, weighEdges } from "./problem.ts";
import { grown } from "./rows.ts";
import { layMatrix, type Skyline, solveMatrix } from "./skyline.ts";

export type Solved = {
  /** Whether the gap was closed. */
  readonly converged: boolean;
  /** The dual value at the prices reached. */
  readonly value: number;
  readonly iterations: number;
};

/** How far a price's logarithm may move in one iteration: at first, where the gap does not say, and at most. */
const FIRST_REACH = 0.01;
const LONGEST_REACH = 3;
const LEAST_REACH = 1e-9;
const MOST_TRIALS = 12;

/**
 * Closes the gap between what the problem's edges can deliver and the dual value, by Newton's method on the dual:
 * each iteration lets every edge take what pays, shares that out into a real flow, and moves the prices so that
 * more balances. Starts from the prices that the problem holds, and leaves the best flow in the delivery.
 *
 * @param until relative gap at which to stop, and the most iterations
 */
export function solveProblem(
  problem: Problem,
  graph: Graph,
  { matrix, delivery }: { readonly matrix: Skyline; readonly delivery: Delivery },
  until: { readonly gap: number; readonly most: number },
): Solved {
  layMatrix(matrix, problem);
  layDelivery(delivery, problem);
  delivery.most = -1;
  const walk = { value: evaluate(problem, graph), reach: FIRST_REACH };
  let iterations = 0;
  for (; iterations < until.most; iterations++) {
    const paid = deliver(delivery, problem, graph);
    if (iterations === 0) walk.reach = Math.min(1, Math.max(1e-5, 1 - paid / walk.value));
    if (walk.value - delivery.most <= until.gap * walk.value)
      return { converged: true, value: walk.value, iterations };
    weighEdges(problem, graph, walk.reach);
    solveMatrix(matrix, problem);
    if (!search(problem, graph, matrix, walk)) break;
  }
  return { converged: false, value: walk.value, iterations };
}

type Walk = {
  /** The dual value at the prices that the problem holds. */
  value: number;
  /** How far a price may move in the next step. */
  reach: number;
};

/** Goes along the Newton step to about where the dual stops falling. @returns false where no progress is left */
function search(problem: Problem, graph: Graph, matrix: Skyline, walk: Walk): boolean {
  const { price, nodes } = problem;
  const { step } = matrix;
  matrix.base = grown(matrix.base, nodes);
  const { base } = matrix;
  base.set(price.subarray(0, nodes));
  const largest = limit(step, nodes, walk.reach);
  const fall = -slope(problem, step);
  let t = 1;
  for (let trial = 0; trial < MOST_TRIALS && fall > 0; trial++) {
    for (let n = 0; n < nodes; n++) price[n] = base[n]! * Math.exp(-t * step[n]!);
    const value = evaluate(problem, graph);
    const now = slope(problem, step);
    if (now <= 0.5 * fall || value < walk.value - 1e-4 * t * fall) {
      walk.value = value;
      walk.reach = Math.max(LEAST_REACH, t === 1 ? Math.min(LONGEST_REACH, largest * 2) : t * largest);
      return true;
    }
    t *= Math.min(0.7, Math.max(0.1, fall / (fall + now)));
  }
  return false;
}

/** Cuts every entry to `reach`. @returns the largest that is left */
function limit(step: Float64Array, nodes: number, reach: number): number {
  let largest = 0;
  for (let n = 0; n < nodes; n++) {
    const cut = Math.max(-reach, Math.min(reach, step[n]!));
    step[n] = cut;
    largest = Math.max(largest, Math.abs(cut));
  }
  return largest;
}

/** Derivative of the dual along the step, which is taken in the logarithms of the prices. */
function slope({ excess, nodes, sink }: Problem, step: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) sum -= excess[n]! * step[n]!;
  return sum;
}
