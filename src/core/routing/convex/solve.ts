/**
 * Convex: the best split of an order over the edges that it is given.
 *
 * In:  edges e = (u, v) with concave f_e, a supply A at the source s, a sink t, and prices ν to start from.
 * Out: flows x_e and prices ν of
 *          maximise  what arrives at t   subject to   Σ_in f_e(x_e) - Σ_out x_e = -A·[v = s] at every v but t,   x ≥ 0
 *      whose dual is  minimise over ν  ν_s·A + Σ_e max_x ( ν_v·f_e(x) - ν_u·x )   with ν_t = 1,
 *      and a primal flow that a route can follow (`primal-flow.ts`). The two values differ by the gap that is left.
 * Newton's method on the dual; its matrix is a weighted graph Laplacian (`laplacian.ts`). All amounts are values x·r_u.
 * Reference: Diamandis, Resnick, Chitra, Angeris, "An Efficient Algorithm for Optimal Routing Through CFMMs", arXiv 2302.04938.
 */

import { grown } from "../../math/rows.ts";
import { profitAt, spotSlope } from "../curves/segments.ts";
import type { Faults } from "../types.ts";
import type { Newton } from "./edge-response.ts";
import { solveNewton } from "./newton.ts";
import type { PrimalFlow } from "./primal-flow.ts";
import { deliver, indexByTail } from "./primal-flow.ts";
import type { Problem } from "./problem.ts";
import type { Scratch } from "./scratch.ts";

/** Memory for convex problems. Searches reuse it one after the other. */
export type ConvexWorkspace = {
  readonly scratch: Scratch;
  readonly problem: Problem;
  /** The problem over a support of few edges. */
  readonly small: Problem;
  readonly newton: Newton;
  readonly primalFlow: PrimalFlow;
  readonly faults: Faults;
};

/** Relative gap between the dual value and the primal flow that counts as converged. */
const NEWTON_GAP = 1e-7;
/** Flows below these shares of the supply are left out, if the gap allows it: rounding costs each leg a unit. */
const DUST = [1e-5, 0];

/**
 * Solves the problem by Newton's method from the prices that it has, and leaves a feasible flow near the optimum in
 * `workspace.primalFlow`.
 *
 * @returns whether the gap was closed; otherwise the flow is that of the last prices
 */
export function solveProblem(problem: Problem, workspace: ConvexWorkspace, late?: () => boolean): boolean {
  const { newton } = workspace;
  indexByTail(workspace.primalFlow, problem);
  newton.most = grown(newton.most, problem.edges).fill(Infinity, 0, problem.edges);
  const value = solveNewton(problem, newton, late);
  for (const dust of DUST) {
    const arrived = deliverAbove(dust, problem, workspace);
    if (value !== undefined && value - arrived <= NEWTON_GAP * value) return true;
  }
  return false;
}

/** Makes a flow of those edges that sell more than a share of the supply. @returns what arrives, in value */
function deliverAbove(dust: number, problem: Problem, workspace: ConvexWorkspace): number {
  const { sold, ref, tail, edges, supply } = problem;
  const { near } = workspace.newton;
  near.set(sold.subarray(0, edges));
  for (let e = 0; e < edges; e++) if (sold[e]! * ref[tail[e]!]! < dust * supply) sold[e] = 0;
  workspace.primalFlow.most = -1;
  const arrived = deliver(workspace.primalFlow, problem);
  sold.set(near.subarray(0, edges));
  return arrived;
}

/**
 * The dual value on the original curves, without the least curvature, plus what is earned outside the problem: if no cycle of
 * pools is profitable, no flow delivers more.
 *
 * Some best flow then has no cycles, so what passes an edge is worth at most V, the value sold plus all earnings, and the edge
 * earns at most (best price / price - 1)·V. g(V) = ν_s·A + Σ of what edges earn within V is concave, so any V ≥ g(V) is a
 * bound. This matters for pools of constant price without a limit, such as those that exchange a token for its new version:
 * a price that is wrong by a rounding would let them earn without bound.
 *
 * @param outside what edges outside the problem earn, in value
 */
export function dualBound(problem: Problem, outside = 0): number {
  const { price, free, source, supply, nodes } = problem;
  let fixed = price[source]! * supply + outside;
  for (let n = 0; n < nodes; n++) fixed += price[n]! * free[n]!;
  for (let most = PASSING * fixed, tries = 0; tries < TRIES; tries++) {
    const bound = fixed + earnedWithin(problem, most);
    if (bound <= most) return bound;
    most = PASSING * bound;
  }
  return fixed + earnedWithin(problem, Infinity);
}

/**
 * The first guess of V is this multiple of the value without earnings of the edges, each next one this multiple of the
 * last bound; number of guesses.
 */
const PASSING = 2;
const TRIES = 8;

/** What all edges earn if at most `most` passes each, in value. */
function earnedWithin({ price, edges, tail, head, ref, curves }: Problem, most: number): number {
  let earned = 0;
  for (let e = 0; e < edges; e++) {
    const out = price[head[e]!]! * ref[head[e]!]!;
    const least = (price[tail[e]!]! * ref[tail[e]!]!) / out;
    const lead = spotSlope(curves, e) / least - 1;
    if (!(lead > 0)) continue;
    const all = profitAt(curves, e, least) * out;
    // `all` is not a number for a straight curve without end.
    earned += all < lead * most ? all : lead * most;
  }
  return earned;
}
