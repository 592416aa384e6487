import type { Graph } from "./graph.ts";
import { evaluate, type Problem, weighEdges } from "./problem.ts";
import { type Delivery, deliver, layDelivery } from "./primal.ts";
import { grown } from "./rows.ts";
import { layMatrix, type Skyline, solveMatrix } from "./skyline.ts";

export type Solved = {
  /** Whether the gap was closed. */
  readonly converged: boolean;
  /** The dual value at the prices reached. */
  readonly value: number;
  readonly iterations: number;
};

const FIRST_REACH = 0.01;
const LONGEST_REACH = 3;
const MOST_TRIALS = 12;

export function solveProblem(
  problem: Problem,
  graph: Graph,
  { matrix, delivery }: { matrix: Skyline; delivery: Delivery },
  { gap, most }: { gap: number; most: number },
): Solved {
  layMatrix(matrix, problem);
  layDelivery(delivery, problem);
  delivery.most = -1;
  const walk = { value: evaluate(problem, graph), reach: FIRST_REACH };
  let k = 0;
  for (; k < most; k++) {
    const paid = deliver(delivery, problem, graph);
    if ((globalThis as any).TRACE) console.log('it', k, 'dual', walk.value, 'gap', 1 - delivery.most/walk.value, 1-paid/walk.value, 'imb', imbalance(problem)/problem.supply, 'reach', walk.reach);
    if (k === 0) walk.reach = Math.min(1, Math.max(1e-5, 1 - paid / walk.value));
    if (walk.value - delivery.most <= gap * walk.value) return { converged: true, value: walk.value, iterations: k };
    weighEdges(problem, graph, walk.reach);
    solveMatrix(matrix, problem);
    if (!search(problem, graph, matrix, walk)) break;
  }
  return { converged: false, value: walk.value, iterations: k };
}

/** Value that flows into or out of nodes without balance; the sink may collect. */
export function imbalance({ excess, nodes, sink }: Problem): number {
  let sum = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) sum += Math.abs(excess[n]!);
  return sum;
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
  let largest = 0;
  for (let n = 0; n < nodes; n++) {
    if (step[n]! > walk.reach) step[n] = walk.reach;
    else if (step[n]! < -walk.reach) step[n] = -walk.reach;
    largest = Math.max(largest, Math.abs(step[n]!));
  }
  const fall = -slope(problem, step);
  if (!(fall > 0)) return false;
  let t = 1;
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    for (let n = 0; n < nodes; n++) price[n] = base[n]! * Math.exp(-t * step[n]!);
    const value = evaluate(problem, graph);
    const now = slope(problem, step);
    if (0) console.log('   trial', t, 'slope', -fall, now, 'value', value, walk.value, 'maxstep', largest, 'imb', imbalance(problem)/problem.supply);
    if (now <= 0.5 * fall || value < walk.value - 1e-4 * t * fall) {
      walk.value = value;
      walk.reach = t === 1 ? Math.min(LONGEST_REACH, Math.max(1e-9, largest * 2)) : Math.max(1e-9, t * largest);
      return true;
    }
    t *= Math.min(0.7, Math.max(0.1, fall / (fall + now)));
  }
  return false;
}

/** Derivative of the dual along the step, which is taken in the logarithms of the prices. */
function slope({ excess, nodes, sink }: Problem, step: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) sum -= excess[n]! * step[n]!;
  return sum;
}
