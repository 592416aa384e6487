import { keepBest } from "../convex/primal-flow.ts";
import type { Demand } from "../convex/problem.ts";
import { dropDeadEnds } from "../convex/problem.ts";
import { solveProblem } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import { joinCrossed, relinearise, splitJoints, stillJoined } from "../multi-asset/joint-node.ts";
import { admit } from "./admission.ts";
import { stepOfPricing } from "./pricing-steps.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { GAP, isLarge, isTight, type Search, SPOT, shareFor } from "./stopping.ts";

/** The rounds, those in a row that lower no bound, and the redrawings in each. */
const ROUNDS = 6;
const IDLE = 2;
const MOST_REDRAWN = 12;
/** Share by which linearising joint nodes again changes what is delivered where it ends. */
const STILL = 5e-7;
/** Share of what was delivered by which a solution that did not converge is short of it where it went astray. */
const ASTRAY = 0.01;
/** Edges from which on no more are admitted. */
const HUGE = 9000;

/**
 * Refines an optimum with the pools that it crosses more than once as joint nodes of their own, linearised anew where each solution
 * leaves them until it stays there. What the pairs promised together before is no primalFlow.
 */
export function refineJointly(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  search: Search,
): void {
  for (let idle = 0, round = 0; round < ROUNDS && idle < IDLE && !demand.late(); round++) {
    const before = search.bound;
    if (!joinMore(graph, workspace, search) || !takeRound(graph, workspace, demand, search)) break;
    idle = round > 0 && before - search.bound < GAP * before ? idle + 1 : 0;
  }
  splitJoints(workspace, search.joined);
}

/** Solves with joint nodes, and admits what they make worth its while. @returns whether more may be found */
function takeRound(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): boolean {
  // What pairs promise that do not know of each other bounds what the joint node pays, and often closely.
  if (!settleJoints(graph, workspace, demand, search) || isTight(workspace, search)) return false;
  const gain = stepOfPricing(graph, workspace, demand, search);
  if (workspace.problem.edges > HUGE || isTight(workspace, search)) return false;
  admit(graph, workspace, demand, { gain, size: 0 });
  return true;
}

/** Joins the pools that are crossed more than once now. @returns whether any is joined */
function joinMore(graph: Graph, workspace: ColumnWorkspace, search: Search): boolean {
  const more = joinCrossed(graph, workspace);
  search.joined = [...search.joined, ...more];
  return search.joined.length > 0;
}

/**
 * Solves over the same edges with joint nodes linearised where the flows are, until what is delivered stays the same.
 *
 * @returns whether that led anywhere; where it went astray, what was delivered before stays
 */
function settleJoints(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): boolean {
  const { primalFlow } = workspace;
  const before = { kept: primalFlow.kept, flows: [...primalFlow.flows] };
  // Few rounds of a large problem are worth their time: each should bound.
  if (isLarge(workspace)) search.level = SPOT;
  let converged = runAfresh(workspace, demand);
  for (let round = 0; round < MOST_REDRAWN && !demand.late(); round++) {
    const last = primalFlow.kept;
    relinearise(graph, workspace, search.joined);
    converged = runAfresh(workspace, demand);
    const still = search.joined.every(({ limited }) => !limited);
    if (still && Math.abs(primalFlow.kept - last) < shareFor(workspace, search, STILL) * last) break;
  }
  search.joined = stillJoined(workspace, search.joined);
  if (converged || primalFlow.kept > (1 - ASTRAY) * before.kept) return true;
  primalFlow.kept = before.kept;
  primalFlow.flows.clear();
  for (const [edge, sent] of before.flows) primalFlow.flows.set(edge, sent);
  return false;
}

/** Solves where only this solution counts, unless the time was up before it was found. @returns whether it converged */
function runAfresh(workspace: ColumnWorkspace, { late }: Demand): boolean {
  const { problem, primalFlow } = workspace;
  dropDeadEnds(problem, workspace.scratch);
  const converged = solveProblem(problem, workspace, late);
  if (!converged && late()) return false;
  primalFlow.kept = -1;
  keepBest(primalFlow, problem);
  return converged;
}
