import { type Newton, prepare, respond } from "./edge-response.ts";
import { solveLaplacian } from "./laplacian.ts";
import { searchLine } from "./line-search.ts";
import type { Problem } from "./problem.ts";

const MOST_STEPS = 40;
/** Longest step of the logarithm of a price in one iteration. */
const LONGEST = 1.5;
/** Share of the supply by which tokens may be out of balance at the end. Scaling flows in proportion then costs its square. */
const BALANCED = 1e-7;
/** That share if the precision of doubles ends the search: almost straight edges take any amount at one price, so it may cost nothing. */
const NEARLY = 0.01;

/**
 * Solves a problem by Newton's method on its dual, starting from the prices that it has. Near the solution, as after an edge
 * was added or removed, that takes a few microseconds. It may fail where curves end.
 *
 * Leaves the prices in `problem.price`, and what each edge sells at them in `problem.sold`, in smallest units.
 *
 * @param late whether the deadline has passed; called before every step
 * @returns the dual value, which no flow over the edges exceeds; undefined if the tokens did not come into balance
 */
export function solveNewton(problem: Problem, newton: Newton, late?: () => boolean): number | undefined {
  prepare(newton, problem);
  let value = respond(newton, problem);
  for (let step = 0; step < MOST_STEPS && !late?.(); step++) {
    if (balance(newton, problem) < BALANCED * problem.supply) return value;
    const fall = aim(newton, problem);
    newton.before.set(problem.price.subarray(0, problem.nodes));
    const next = searchLine(newton, problem, fall);
    if (!(next < value)) break;
    value = next;
  }
  return balance(newton, problem) < NEARLY * problem.supply ? value : undefined;
}

/** The largest imbalance of any token but the sink, in value. */
function balance({ excess }: Newton, { nodes, sink }: Problem): number {
  let most = 0;
  for (let n = 0; n < nodes; n++) if (n !== sink) most = Math.max(most, Math.abs(excess[n]!));
  return most;
}

/** Computes the Newton step of the logarithms of the prices. @returns the slope of the dual value along it: below 0 */
function aim(newton: Newton, problem: Problem): number {
  const { excess, step } = newton;
  const { nodes, price } = problem;
  solveLaplacian(newton.laplacian, problem, newton);
  let fall = 0;
  for (let n = 0; n < nodes; n++) {
    step[n] = Math.max(-LONGEST, Math.min(LONGEST, step[n]!));
    fall += step[n]! * price[n]! * excess[n]!;
  }
  return fall;
}
